package hsa

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// BenchmarkLibraryOfKernels is what the first launch costs of a kernel of the code object
// MGPU_BENCH_CODE, rocBLAS' TensileLibrary_gfx90a.co for instance, before it runs: its
// functions are listed, and the kernel is read. The object is parsed twice, once for its code.
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
	for b.Loop() {
		o := h.readObject(loaded{uri: "file://" + path, base: base}, h.gpus[0].view())
		require.NotNil(b, o)
		image, done := mapFile(path, 0, 0)
		code, err := codeobj.ParseCode(image)
		require.NoError(b, err)
		p, err := emu.NewProgram(emu.Text{Chip: encoding.Gfx90a, Code: code.Text.Bytes, Base: o.lo, Ranges: o.functions, Volatile: true, Late: true})
		require.NoError(b, err)
		_, err = emu.NewKernel(p, "k", &codeobj.Descriptor{VGPRs: 128, AccumOffset: 64, SGPRs: 100}, o.lo+uint64(o.functions[len(o.functions)/2].Start))
		require.NoError(b, err)
		done()
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/1e6/float64(b.N), "MB/launch")
}
