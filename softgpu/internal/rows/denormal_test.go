package rows

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// leastHalves are two halves, each the least denormal.
const leastHalves = 0x00010001

func TestMatrixInstructionsOfGfx90aHaveNoDenormals(t *testing.T) {
	for _, c := range []struct {
		name string
		chip encoding.Chip
		a, b uint32
		want float32
	}{
		{"v_mfma_f32_16x16x16f16", encoding.Gfx90a, leastHalves, 0x3c003c00, 0},
		{"v_mfma_f32_16x16x16f16", encoding.Gfx90a, 0x3c003c00, 0x83ff83ff, 0},
		{"v_mfma_f32_32x32x8f16", encoding.Gfx90a, leastHalves, 0x7bff7bff, 0},
		{"v_mfma_f32_16x16x16f16", encoding.Gfx90a, 0x04000400, 0x3c003c00, 16 * 0x1p-14},
		{"v_mfma_f32_16x16x16f16", encoding.Gfx908, leastHalves, 0x3c003c00, 16 * 0x1p-24},
		{"v_mfma_f32_16x16x16_f16", encoding.Gfx942, leastHalves, 0x3c003c00, 16 * 0x1p-24},
		{"v_mfma_f32_16x16x16bf16_1k", encoding.Gfx90a, leastHalves, 0x7f007f00, 0},
		{"v_mfma_f32_16x16x16bf16_1k", encoding.Gfx90a, 0x00800080, 0x3f803f80, 16 * 0x1p-126},
	} {
		w := &wave.Wave{V: make([]alu.Lanes, 64), A: make([]alu.Lanes, 64), Mode: defaultMode}
		for n := range uint32(2) {
			w.V[4+n].Fill(c.a)
			w.V[8+n].Fill(c.b)
		}
		lo, hi := matrixWords(t, c.name, c.chip, 20, v(4), v(8), 128, 0, 0, 0)
		matrixStep(t, c.chip, lo, hi)(w)
		d := w.V
		if c.chip == encoding.Gfx908 {
			d = w.A
		}
		require.Equal(t, bitsOf(c.want), d[20][33], "%s on %s: %#x times %#x", c.name, c.chip, c.a, c.b)
	}
}

// modes are some in which denormals are kept, and some in which they are not.
var modes = []uint32{alu.UsualMode, alu.UsualMode &^ alu.Denorms32, alu.UsualMode &^ alu.Denorms64, alu.UsualMode &^ (alu.Denorms32 | alu.Denorms64)}

func TestDotProductsOfHalvesHaveNoDenormalsInAnyMode(t *testing.T) {
	const one = 0x3c003c00
	for _, chip := range []encoding.Chip{encoding.Gfx906, encoding.Gfx908, encoding.Gfx90a, encoding.Gfx942, encoding.Gfx950} {
		for _, mode := range modes {
			for _, c := range []struct {
				what    string
				a, b, c uint32
				want    float32
			}{
				{"a normal factor", 0x04000400, one, 0, 0x1p-13},
				{"a denormal factor", 0x03ff0001, one, 0, 0},
				{"the other factor is denormal", one, leastHalves, bitsOf(3), 3},
				{"a denormal addend", 0, one, 0x007fffff, 0},
				{"a denormal sum", 0, one, 0x80400000, 0},
				{"a small addend", 0, one, 0x00800000, 0x1p-126},
			} {
				if chip == encoding.Gfx950 && c.what == "a denormal factor" {
					c.want = 0x1p-24 + 0x3ff*0x1p-24
				}
				for _, name := range []string{"v_dot2_f32_f16", "v_dot2c_f32_f16"} {
					row, _ := rowNamed(t, name)
					if !row.Chips.Has(chip) {
						continue
					}
					w := newWave()
					w.Mode = mode
					w.V[4].Fill(c.a)
					w.V[8].Fill(c.b)
					w.V[12].Fill(c.c)
					w.V[20].Fill(c.c)
					encoding := short(t, name, v(20), v(4), v(8), v(12))
					i, err := Decode(append(words(encoding...), 0, 0, 0x80, 0xbf), 0, chip)
					require.NoError(t, err)
					Bind(&i, true)(w)
					require.Equal(t, bitsOf(c.want), w.V[20][17]&^(1<<31), "%s on %s in MODE %#x: %s", name, chip, mode, c.what)
				}
			}
		}
	}
}
