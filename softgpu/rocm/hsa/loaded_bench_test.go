package hsa

import (
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// BenchmarkLibraryOfKernels is what the first launch costs of a kernel of the code object
// MGPU_BENCH_CODE, rocBLAS' TensileLibrary_gfx90a.co for instance, before it runs: its
// functions are listed, and the kernel is read.
func BenchmarkLibraryOfKernels(b *testing.B) {
	path := os.Getenv("MGPU_BENCH_CODE")
	if path == "" {
		b.Skip("MGPU_BENCH_CODE names no code object of gfx90a")
	}
	h := newHost(b, Options{})
	base := h.loaded(path)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := processorTime()
	for b.Loop() {
		o := h.readObject(loaded{uri: "file://" + path, base: base}, h.gpus[0].view())
		require.NotNil(b, o)
		p, err := emu.NewProgram(emu.Text{Chip: encoding.Gfx90a, Code: bytesAt(o.lo, o.hi-o.lo), Base: o.lo, Ranges: o.functions, Volatile: true, Late: true})
		require.NoError(b, err)
		_, err = emu.NewKernel(p, "k", &codeobj.Descriptor{VGPRs: 128, AccumOffset: 64, SGPRs: 100}, o.lo+uint64(o.functions[len(o.functions)/2].Start))
		require.NoError(b, err)
	}
	took := processorTime() - began
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(took.Milliseconds())/float64(b.N), "cpu-ms/launch")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/1e6/float64(b.N), "MB/launch")
}

// processorTime returns what the process has used.
func processorTime() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
