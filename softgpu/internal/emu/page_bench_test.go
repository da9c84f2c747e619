package emu

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// BenchmarkFirstLaunch makes a program of 400 MB, 12,800 kernels of 32 KB, and runs one of
// them once.
func BenchmarkFirstLaunch(b *testing.B) {
	const kernels, size = 12800, 32 << 10
	add := uint32(0x02020501) // v_add_f32 v1, v1, v2
	one := bytesOf(append(bytesToWords(bytes.Repeat(bytesOf([]uint32{add}), size/4-1)), sEndpgm))
	code := bytes.Repeat(one, kernels)
	ranges := make([]Range, kernels)
	for n := range ranges {
		ranges[n] = Range{fmt.Sprint("kernel", n), uint32(n * size), uint32((n + 1) * size)}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: code, Base: 0x10000, Ranges: ranges, Volatile: true})
		require.NoError(b, err)
		k, err := NewKernel(p, "k", &codeobj.Descriptor{VGPRs: 8, SGPRs: 40, FloatMode: 0xf0, DX10Clamp: true, IEEE: true}, 0x10000+kernels/2*size)
		require.NoError(b, err)
		require.NoError(b, NewMachine(encoding.Gfx906, nil).Run(&Dispatch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}))
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/1e6/float64(b.N), "MB/launch")
}

func bytesToWords(code []byte) (words []uint32) {
	for ; len(code) > 0; code = code[4:] {
		words = append(words, uint32(code[0])|uint32(code[1])<<8|uint32(code[2])<<16|uint32(code[3])<<24)
	}
	return words
}
