package softgpu

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// timed runs a launch until the benchmark has enough, and reports how many
// instructions of waves that was: per second and core, and per second of
// processor time, which does not suffer from who else uses the machine; how long
// the quickest launch took; and the share of Go's collector.
func timed(b *testing.B, d *Driver, f driver.Function, l driver.Launch) {
	b.Helper()
	require.NoError(b, d.LaunchKernel(f, l))
	require.NoError(b, d.StreamSynchronize(0))
	before, cpu, collected := d.Executed(), cpuSeconds(), collecting()
	best := time.Hour
	for b.Loop() {
		began := time.Now()
		require.NoError(b, d.LaunchKernel(f, l))
		require.NoError(b, d.StreamSynchronize(0))
		best = min(best, time.Since(began))
	}
	b.ReportMetric(best.Seconds()*1e3, "best-ms")
	done, took := float64(d.Executed()-before)/1e6, cpuSeconds()-cpu
	b.ReportMetric(took/float64(b.N)*1e3, "cpu-ms/op")
	b.ReportMetric((collecting()-collected)/took*100, "gc-%")
	cores := float64(min(runtime.NumCPU(), runtime.GOMAXPROCS(0)))
	b.ReportMetric(done/b.Elapsed().Seconds()/cores, "Minst/s/core")
	b.ReportMetric(done/took, "Minst/cpu-s")
}

// collecting is the processor time that Go's collector has taken, in seconds, as of its last cycle.
func collecting() float64 {
	s := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"}}
	metrics.Read(s)
	return s[0].Value.Float64() - s[1].Value.Float64()
}

// lowered compiles testdata/speed.mlir as scripts/lower does, or skips where
// there is no MLIR.
func lowered(b *testing.B, at speedOf) []byte {
	b.Helper()
	for _, tool := range []string{"mlir-opt-22", "ld.lld-22"} {
		if _, err := exec.LookPath(tool); err != nil {
			b.Skip(tool + " is not installed: no code objects to run")
		}
	}
	dir := b.TempDir()
	out := filepath.Join(dir, "lowered.mlir")
	lower := exec.Command(filepath.Join("..", "scripts", "lower"), "22", "gpu", filepath.Join("testdata", "speed.mlir"), out)
	lower.Env = append(os.Environ(), "BUILD="+dir, "CHIP="+at.chip, "WAVE="+at.waves)
	said, err := lower.CombinedOutput()
	require.NoError(b, err, "%s", said)
	text, err := os.ReadFile(out)
	require.NoError(b, err)
	return binaryOf(b, text)
}

var escaped = regexp.MustCompile(`\\[0-9A-F][0-9A-F]|\\.`)

// binaryOf takes the code object out of the text of a gpu.binary.
func binaryOf(b *testing.B, text []byte) []byte {
	_, rest, found := bytes.Cut(text, []byte(`bin = "`))
	require.True(b, found)
	end := bytes.IndexByte(rest, '"')
	return escaped.ReplaceAllFunc(rest[:end], func(e []byte) []byte {
		if n, err := strconv.ParseUint(string(e[1:]), 16, 8); err == nil && len(e) == 3 {
			return []byte{byte(n)}
		}
		return e[1:]
	})
}

// memref lays out the pieces of a memref of rank 1 or 2 as kernels take them.
func memref(p driver.Ptr, sizes ...uint64) (pieces []any) {
	word := func(v uint64) { pieces = append(pieces, binary.LittleEndian.AppendUint64(nil, v)) }
	pieces = []any{p, p}
	word(0)
	for _, n := range sizes {
		word(n)
	}
	if len(sizes) == 2 {
		word(sizes[1])
	}
	word(1)
	return pieces
}

// speedOf is a chip, and the size of waves that code for it is compiled for.
type speedOf struct{ chip, waves string }

func (at speedOf) options() []string {
	options := []string{"-mcpu=" + at.chip, "-O2"}
	if strings.HasPrefix(at.chip, "gfx1") && at.waves == "64" {
		options = append(options, "-mwavefrontsize64")
	}
	return options
}

// BenchmarkKernels times kernels as clang -O2 compiles them from OpenCL C and
// as MLIR 22 lowers them.
func BenchmarkKernels(b *testing.B) {
	type size struct{ grid, block driver.Dim3 }
	d2 := func(x, y uint32) driver.Dim3 { return driver.Dim3{X: x, Y: y, Z: 1} }
	for _, c := range []struct {
		kernel string
		n      uint32
		size   size // clang's, and MLIR's unless it says otherwise
		mlir   size
	}{
		{kernel: "naive", n: 256, size: size{d2(4, 64), d2(64, 4)}},
		{kernel: "naive", n: 1024, size: size{d2(16, 256), d2(64, 4)}},
		{kernel: "tiled", n: 256, size: size{d2(16, 16), d2(16, 16)}},
		{kernel: "softmax", n: 512, size: size{d1(512), d1(256)}, mlir: size{d1(2), d1(256)}},
		{kernel: "stencil", n: 1024, size: size{d2(16, 256), d2(64, 4)}},
		{kernel: "reduction", n: 1024, size: size{d1(256), d1(256)}},
		{kernel: "add", n: 1024, size: size{d1(4096), d1(256)}},
		{kernel: "scan", n: 1024, size: size{d1(4096), d1(256)}},
	} {
		for _, by := range []string{"clang", "mlir"} {
			for _, at := range []speedOf{{"gfx906", "64"}, {"gfx1100", "32"}, {"gfx1100", "64"}} {
				name := c.kernel + " " + strconv.Itoa(int(c.n)) + " " + by
				if at.chip != "gfx906" {
					name += " " + at.chip + " in waves of " + at.waves
				}
				b.Run(name, func(b *testing.B) {
					d := open(b, Options{Chip: at.chip})
					n := uint64(c.n)
					x, xv := buffer[float32](b, d, int(n*n))
					y, yv := buffer[float32](b, d, int(n*n))
					z, zv := buffer[float32](b, d, int(n*n))
					for i := range xv {
						xv[i], yv[i] = float32(i%7)/4, float32(i%5)/2
					}
					plane := func(p driver.Ptr) []any { return memref(p, n, n) }
					in, size := []any{x, y, z, c.n}, c.size
					switch c.kernel {
					case "softmax", "stencil":
						in = []any{x, z, c.n}
					case "reduction", "scan":
						in = []any{x, z}
					case "add":
						in = in[:3]
					}
					if len(in) < 4 && c.kernel != "softmax" && c.kernel != "stencil" {
						plane = func(p driver.Ptr) []any { return memref(p, n*n) }
					}
					code := []byte(nil)
					if by == "clang" {
						code = compile(b, append(at.options(), "-x", "cl", "-cl-std=CL2.0", filepath.Join("testdata", "speed.cl")))
					} else {
						code = lowered(b, at)
						if c.mlir.grid.X != 0 {
							size = c.mlir
						}
						flat := []any(nil)
						for _, p := range in {
							if p, ok := p.(driver.Ptr); ok {
								flat = append(flat, plane(p)...)
							}
						}
						in = flat
					}
					f := kernel(b, d, code, c.kernel)
					timed(b, d, f, driver.Launch{Grid: size.grid, Block: size.block, Params: arguments(b, in...)})
					checkKernel(b, c.kernel, int(n), xv, yv, zv)
				})
			}
		}
	}
}

// checkKernel looks at some of what a kernel has computed.
func checkKernel(b *testing.B, kernel string, n int, x, y, z []float32) {
	const row, col = 5, 9
	at := row*n + col
	sum := float32(0)
	switch kernel {
	case "naive", "tiled":
		for k := range n {
			sum += x[row*n+k] * y[k*n+col]
		}
	case "softmax":
		for _, v := range z[row*n : (row+1)*n] {
			sum += v
		}
		require.InDelta(b, 1, sum, 1e-5)
		return
	case "stencil":
		sum = 0.2 * (x[at] + x[at-1] + x[at+1] + x[at-n] + x[at+n])
	case "add":
		sum = x[at] + y[at]
	case "scan":
		for _, v := range x[at/256*256 : at+1] {
			sum += v
		}
	case "reduction":
		at = row
		for _, v := range x[row*4096 : (row+1)*4096] {
			sum += v
		}
	}
	require.Equal(b, sum, z[at])
}
