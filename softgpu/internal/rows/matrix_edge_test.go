package rows

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// matrixWords encodes a matrix instruction on vector registers.
func matrixWords(t testing.TB, name string, chip encoding.Chip, dst, a, b, c uint32, cbsz, abid, blgp uint32) (lo, hi uint32) {
	t.Helper()
	for n := range rowsMFMA() {
		if r := &rowsMFMA()[n]; r.Name == name && r.Chips.Has(chip) {
			return 0x1a7<<23 | uint32(r.Op)<<16 | abid<<11 | cbsz<<8 | dst, blgp<<29 | a | b<<9 | c<<18
		}
	}
	require.FailNow(t, name+" is not an instruction of "+chip.String())
	return 0, 0
}

func TestMatrixTakesAConstantForC(t *testing.T) {
	w := &wave.Wave{V: make([]alu.Lanes, 64), Mode: defaultMode}
	lo, hi := matrixWords(t, "v_mfma_f32_16x16x4f32", encoding.Gfx90a, 20, v(4), v(8), 242, 0, 0, 0)
	w.V[4].Fill(bitsOf(2))
	w.V[8].Fill(bitsOf(3))
	matrixStep(t, encoding.Gfx90a, lo, hi)(w)
	require.Equal(t, bitsOf(25), w.V[20][0], "1 + 4 * 2*3, without any active lane")
	require.Equal(t, bitsOf(25), w.V[23][63])

	lo, hi = matrixWords(t, "v_mfma_i32_16x16x4i8", encoding.Gfx90a, 20, v(4), v(8), 193, 0, 0, 0)
	w.V[4].Fill(0)
	matrixStep(t, encoding.Gfx90a, lo, hi)(w)
	require.Equal(t, uint32(math.MaxUint32), w.V[35][5])

	lo, hi = matrixWords(t, "v_mfma_f64_4x4x4f64", encoding.Gfx90a, 20, v(4), v(8), 244, 0, 0, 0)
	w.V[5].Fill(0)
	matrixStep(t, encoding.Gfx90a, lo, hi)(w)
	require.Equal(t, math.Float64bits(2), alu.Join(w.V[20][9], w.V[21][9]))
}

func TestMatrixResultMayBeAFactor(t *testing.T) {
	w := &wave.Wave{V: make([]alu.Lanes, 64), Mode: defaultMode}
	for n := range w.V {
		w.V[n].Fill(bitsOf(2))
	}
	lo, hi := matrixWords(t, "v_mfma_f32_16x16x4f32", encoding.Gfx90a, 4, v(4), v(5), v(4), 0, 0, 0)
	matrixStep(t, encoding.Gfx90a, lo, hi)(w)
	for n := 4; n < 8; n++ {
		require.Equal(t, bitsOf(18), w.V[n][17])
	}
}

// What hardware documents no meaning for is refused when a module is loaded.
func TestMatrixModifiersThatInstructionsDoNotHave(t *testing.T) {
	for _, c := range []struct {
		name             string
		chip             encoding.Chip
		cbsz, abid, blgp uint32
		ok               bool
	}{
		{"v_mfma_f32_32x32x1f32", encoding.Gfx908, 1, 1, 7, true},
		{"v_mfma_f32_32x32x1f32", encoding.Gfx908, 2, 0, 0, false},
		{"v_mfma_f32_32x32x1f32", encoding.Gfx908, 1, 2, 0, false},
		{"v_mfma_f32_32x32x2f32", encoding.Gfx908, 0, 0, 3, true},
		{"v_mfma_f32_32x32x2f32", encoding.Gfx908, 1, 0, 0, false},
		{"v_mfma_f64_16x16x4f64", encoding.Gfx90a, 0, 0, 1, false},
		{"v_mfma_f64_16x16x4_f64", encoding.Gfx942, 0, 0, 7, true},
		{"v_mfma_f32_16x16x16_f16", encoding.Gfx942, 0, 0, 1, false},
		{"v_mfma_f32_16x16x16f16", encoding.Gfx90a, 0, 0, 1, true},
		{"v_smfmac_f32_16x16x32_f16", encoding.Gfx942, 0, 3, 0, true},
		{"v_smfmac_f32_16x16x32_f16", encoding.Gfx942, 0, 4, 0, false},
		{"v_smfmac_f32_16x16x64_fp8_fp8", encoding.Gfx942, 0, 2, 0, false},
		{"v_smfmac_f32_16x16x64_fp8_fp8", encoding.Gfx942, 1, 7, 0, true},
	} {
		lo, hi := matrixWords(t, c.name, c.chip, 4, v(40), v(44), v(4), c.cbsz, c.abid, c.blgp)
		i, err := Decode(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, lo), hi), 0, c.chip)
		require.NoError(t, err)
		require.Equal(t, c.ok, Executable(&i), "%s", &i)
	}
}

// An infinite sum becomes NaN at a later block whose scale is NaN.
func TestMatrixScaleOfNaN(t *testing.T) {
	const nan, infinity = 0xff, 0xff800000
	zero := func(_, _, _ int) uint64 { return 0 }
	for _, row := range matrixRows() {
		if !strings.HasPrefix(row.Name, "v_mfma_scale") {
			continue
		}
		s := shapeOf(t, row)
		s.A, s.B = matrix.EntryE4M3, matrix.EntryE4M3
		last := s.K/matrix.ScaledBlock - 1
		c := &matrixCase{row: row, s: s, chip: encoding.Gfx950, mixed: true, a: zero, b: zero}
		c.abid = 1
		c.c = func(_, _, _ int) uint64 { return infinity }
		c.scales[0] = func(line, block int) uint8 {
			if line == 1 && block == last {
				return nan
			}
			return 127
		}
		c.scales[1] = func(_, _ int) uint8 { return 127 }
		got := c.run(t, false, false, false)
		require.Equal(t, uint64(infinity), got(0, 0, 3), row.Name)
		require.True(t, alu.IsNaN32(uint32(got(0, 1, 3))), row.Name)
	}
}

// BenchmarkMatrix times one instruction of each type of entry.
func BenchmarkMatrix(b *testing.B) {
	for _, c := range []struct {
		name string
		chip encoding.Chip
	}{
		{"v_mfma_f32_32x32x2f32", encoding.Gfx90a}, {"v_mfma_f32_16x16x4f32", encoding.Gfx90a}, {"v_mfma_f32_4x4x1f32", encoding.Gfx90a},
		{"v_mfma_f32_32x32x8f16", encoding.Gfx908}, {"v_mfma_f32_32x32x8f16", encoding.Gfx90a}, {"v_mfma_f32_32x32x8_f16", encoding.Gfx942},
		{"v_mfma_f64_16x16x4f64", encoding.Gfx90a}, {"v_mfma_i32_32x32x16_i8", encoding.Gfx942}, {"v_mfma_f32_32x32x16_fp8_fp8", encoding.Gfx942},
		{"v_smfmac_f32_32x32x16_f16", encoding.Gfx942}, {"v_mfma_f32_32x32x16_f16", encoding.Gfx950}, {"v_mfma_f32_16x16x128_f8f6f4", encoding.Gfx950},
	} {
		b.Run(c.name+" "+c.chip.String(), func(b *testing.B) {
			lo, hi := matrixWords(b, c.name, c.chip, 64, v(4), v(8), v(64), 0, 0, 0)
			r := rand.New(rand.NewPCG(3, 3))
			w := &wave.Wave{V: make([]alu.Lanes, 128), A: make([]alu.Lanes, 128), Mode: defaultMode}
			for n := range 16 {
				for l := range 64 {
					w.V[n][l] = 0x3c383c38 | r.Uint32()&0x03070307 // numbers in every format
				}
			}
			benchStep(b, w, matrixStep(b, c.chip, lo, hi))
		})
	}
}

func TestFastMatrixKernelsAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 500 {
		d, _ := samples.Lanes[alu.Lanes](r, 'f')
		b, _ := samples.Lanes[alu.Lanes](r, 'f')
		var rows [8]uint32
		for n := range rows {
			rows[n] = uint32(samples.Value(r, 'f'))
		}
		want, got := d, d
		alu.PortableMatrixF32(&want, &b, &rows)
		alu.MatrixF32(&got, &b, &rows)
		for l := range want {
			require.Equal(t, want[l], got[l], "%#x * %#x + %#x = %#x, want %#x", rows[l/8], b[l], d[l], got[l], want[l])
		}
		want, got = d, d
		alu.PortableMatrixI32(&want, &b, &rows)
		alu.MatrixI32(&got, &b, &rows)
		require.Equal(t, want, got)
	}
}
