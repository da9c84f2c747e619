package softgpu

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// deviceLibs finds ROCm's device libraries, or skips.
func deviceLibs(t testing.TB) string {
	t.Helper()
	folder, err := exec.Command("../scripts/toolkit", "--bitcode").Output()
	if err != nil {
		t.Skip("no ROCm device libraries: nothing that calls the host can be compiled")
	}
	return strings.TrimSpace(string(folder))
}

// hipImage compiles testdata/host.hip.
func hipImage(t testing.TB, flags ...string) []byte {
	t.Helper()
	return clang(t, append([]string{"-x", "hip", "--offload-arch=gfx906", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc",
		"--rocm-device-lib-path=" + deviceLibs(t), filepath.Join("testdata", "host.hip")}, flags...))
}

// page is a writer that kernels print to.
type page struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

// drain returns what was printed since the last time.
func (p *page) drain() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.text.String()
	p.text.Reset()
	return s
}

// printing makes a driver whose kernels print on pages.
func printing(t testing.TB) (d *Driver, out, err *page) {
	out, err = new(page), new(page)
	return open(t, Options{Stdout: out, Stderr: err}), out, err
}

// hipBuilds are the ways in which the compiler makes the same kernels differ.
func hipBuilds(t *testing.T, check func(t *testing.T, image []byte)) {
	ways := []string{"-O2 -mcode-object-version=5", "-O2 -mcode-object-version=4", "-O0 -mcode-object-version=5"}
	if testing.Short() {
		ways = ways[:1]
	}
	for _, flags := range ways {
		t.Run(flags, func(t *testing.T) { check(t, hipImage(t, strings.Fields(flags)...)) })
	}
}

func sorted(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	sort.Strings(lines)
	return lines
}

func TestEveryWorkItemPrintsItsLine(t *testing.T) {
	hipBuilds(t, func(t *testing.T, image []byte) {
		d, out, _ := printing(t)
		require.NoError(t, run(t, d, image, "each", d1(1), d1(64), uint32(7)))
		var want []string
		for i := range 64 {
			want = append(want, fmt.Sprintf("item %d of group 0: 7\n", i))
		}
		assert.Equal(t, strings.Join(want, ""), out.drain(), "one wave prints in the order of its lanes")

		require.NoError(t, run(t, d, image, "each", d1(40), d1(200), ^uint32(0)))
		want = want[:0]
		for g := range 40 {
			for i := range 200 {
				want = append(want, fmt.Sprintf("item %d of group %d: -1", i, g))
			}
		}
		sort.Strings(want)
		assert.Equal(t, want, sorted(out.drain()))
	})
}

func TestLanesPrintWhereTheyDiverge(t *testing.T) {
	hipBuilds(t, func(t *testing.T, image []byte) {
		d, out, _ := printing(t)
		require.NoError(t, run(t, d, image, "divergent", d1(1), d1(100), uint32(0)))
		var want []string
		for i := range 100 {
			switch i % 3 {
			case 0:
				want = append(want, fmt.Sprintf("third %d", i))
			case 1:
				for n := range i % 4 {
					want = append(want, fmt.Sprintf("loop %d.%d", i, n))
				}
			}
			want = append(want, fmt.Sprintf("all %d %s", i, []string{"even", "odd"}[i%2]))
		}
		sort.Strings(want)
		assert.Equal(t, want, sorted(out.drain()))
	})
}

func TestPrintfReturnsHowMuchItWrote(t *testing.T) {
	d, out, _ := printing(t)
	p, v := buffer[uint32](t, d, 64)
	require.NoError(t, run(t, d, hipImage(t, "-O2", "-mcode-object-version=5"), "result", d1(1), d1(64), p, uint32(12)))
	lines := strings.SplitAfter(out.drain(), "\n")
	require.Len(t, lines, 65)
	for i := range 64 {
		assert.Equal(t, fmt.Sprintf("%*d|\n", i%8, 12), lines[i])
		assert.Equal(t, uint32(max(i%8, 2)+2), v[i])
	}
}

func TestStringsOfAnyLengthArePrinted(t *testing.T) {
	d, out, _ := printing(t)
	image := hipImage(t, "-O2", "-mcode-object-version=5")
	for _, n := range []int{0, 1, 6, 7, 8, 55, 56, 57, 1000, 100000} {
		text := strings.Repeat("0123456789abcdef%s\x01\xff", n/16+1)[:n]
		p, err := d.MemAlloc(uint64(n + 1))
		require.NoError(t, err)
		copy(bytesAt(uintptr(p), uint64(n+1)), text+"\x00")
		require.NoError(t, run(t, d, image, "shared_text", d1(1), d1(1), p))
		require.Equal(t, "<"+text+">\n", out.drain(), "%d bytes", n)
	}
}

func TestConversionsOfEveryKind(t *testing.T) {
	hipBuilds(t, func(t *testing.T, image []byte) {
		d, out, _ := printing(t)
		d64, l64 := make([]byte, 8), make([]byte, 8)
		putPointer(addressOf(d64), 0x3ff8000000000000, 8)
		putPointer(addressOf(l64), 0x123456789a, 8)
		require.NoError(t, run(t, d, image, "kinds", d1(1), d1(1), d64, l64))
		assert.Equal(t, "-1 78187493530 78187493530 44 x 1.5 1.500 1.500000e+00 0x1.8p+0 ff 0x123456789a 0x123456789a    ab|cd   |%|ef\n", out.drain())
	})
}

func TestStreamsPrintAtTheSameTime(t *testing.T) {
	d, out, _ := printing(t)
	f := kernel(t, d, hipImage(t, "-O2", "-mcode-object-version=5"), "each")
	const streams, launches = 8, 5
	var wg sync.WaitGroup
	for n := range streams {
		s := newTestStream(t, d)
		args := arguments(t, uint32(n))
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range launches {
				assert.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(2), Block: d1(64), Stream: s, Params: args}))
			}
			assert.NoError(t, d.StreamSynchronize(s))
		}()
	}
	wg.Wait()
	var want []string
	for n := range streams {
		for range launches {
			for g := range 2 {
				for i := range 64 {
					want = append(want, fmt.Sprintf("item %d of group %d: %d", i, g, n))
				}
			}
		}
	}
	sort.Strings(want)
	assert.Equal(t, want, sorted(out.drain()))
	assert.LessOrEqual(t, len(d.devices[0].host.idle), streams)
}

func TestAnAssertionThatFailsIsPrintedAndEndsTheKernel(t *testing.T) {
	hipBuilds(t, func(t *testing.T, image []byte) {
		d, out, stderr := printing(t)
		p, v := buffer[uint32](t, d, 256)
		for i := range v {
			v[i] = uint32(i)
		}
		require.NoError(t, run(t, d, image, "asserts", d1(4), d1(64), p, uint32(256)))
		assert.Empty(t, stderr.drain())

		s := newTestStream(t, d)
		f := kernel(t, d, image, "asserts")
		require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(64), Stream: s, Params: arguments(t, p, uint32(61))}))
		err := d.StreamSynchronize(s)
		require.ErrorIs(t, err, driver.LaunchFailure)
		assert.Contains(t, err.Error(), "'hipModuleLaunchKernel(asserts)' failed with 'hipErrorLaunchFailure': kernel asserts: trap: abort or failed assertion")
		require.NoError(t, d.StreamSynchronize(s), "reported once")
		line := "host.hip:56: asserts: Device-side assertion `values[item() + 64 * group()] < bound' failed.\n"
		assert.Equal(t, strings.Repeat(line, 3), stderr.drain())
		assert.Empty(t, out.drain())

		require.NoError(t, d.LaunchKernel(kernel(t, d, image, "each"), driver.Launch{Grid: d1(1), Block: d1(64), Stream: s, Params: arguments(t, uint32(5))}))
		require.NoError(t, d.StreamSynchronize(s), "the stream goes on")
		assert.Equal(t, 64, strings.Count(out.drain(), ": 5\n"))
	})
}

func TestKernelsAllocateMemory(t *testing.T) {
	hipBuilds(t, func(t *testing.T, image []byte) {
		d, _, _ := printing(t)
		p, v := buffer[uint32](t, d, 256)
		for i := range v {
			v[i] = ^uint32(0)
		}
		require.NoError(t, run(t, d, image, "allocates", d1(4), d1(64), p, uint32(3)))
		assert.Equal(t, make([]uint32, 256), v)

		where, _ := buffer[uint64](t, d, 64)
		require.NoError(t, run(t, d, image, "silent", d1(1), d1(64), p))
		m, err := d.ModuleLoad(image)
		require.NoError(t, err)
		s := newTestStream(t, d)
		for _, k := range []struct {
			name string
			args uintptr
		}{{"leave", arguments(t, where)}, {"collect", arguments(t, where, p)}} {
			f, err := d.ModuleGetFunction(m, k.name)
			require.NoError(t, err)
			require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(64), Stream: s, Params: k.args}))
		}
		require.NoError(t, d.StreamSynchronize(s))
		for i := range uint32(64) {
			assert.Equal(t, 42+i, v[i], "a block outlives the kernel that made it")
		}
	})
}

func TestFreeingWhatMallocDidNotGiveEndsTheKernel(t *testing.T) {
	d, _, _ := printing(t)
	image := hipImage(t, "-O2", "-mcode-object-version=5")
	p, err := d.MemAlloc(1 << 20) // begins at a page, as large blocks do
	require.NoError(t, err)
	err = run(t, d, image, "frees", d1(1), d1(64), p)
	require.ErrorIs(t, err, driver.LaunchFailure)
	assert.Contains(t, err.Error(), fmt.Sprintf("kernel frees: hostcall: free of %#x in a kernel: malloc gave no such block", uintptr(p)))
	p2, v := buffer[uint32](t, d, 64)
	require.NoError(t, run(t, d, image, "silent", d1(1), d1(64), p2))
	assert.Equal(t, uint32(63), v[63])
}

func TestCheckingFindsNothingWrongWithTheDeviceLibraries(t *testing.T) {
	out, reports := new(page), new(page)
	d := open(t, Options{Stdout: out, Stderr: out, Check: "all", Reports: reports})
	image := hipImage(t, "-O2", "-mcode-object-version=5")
	p, v := buffer[uint32](t, d, 256)
	where, _ := buffer[uint64](t, d, 64)
	require.NoError(t, run(t, d, image, "each", d1(2), d1(128), uint32(7)))
	require.NoError(t, run(t, d, image, "allocates", d1(2), d1(64), p, uint32(2)))
	require.NoError(t, run(t, d, image, "leave", d1(1), d1(64), where))
	require.NoError(t, run(t, d, image, "collect", d1(1), d1(64), where, p))
	assert.Equal(t, uint32(42+63), v[63])
	assert.Equal(t, 256, strings.Count(out.drain(), "\n"))
	assert.Empty(t, reports.drain())
}
