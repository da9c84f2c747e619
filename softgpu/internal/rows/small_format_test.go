package rows

import (
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSmallResultsStayFiniteWhereModeSaysSo: FP16_OVFL is set in front of
// conversions to eight bits by compilers that want them to saturate.
func TestSmallResultsStayFiniteWhereModeSaysSo(t *testing.T) {
	inf, ninf := bitsOf(float32(math.Inf(1))), bitsOf(float32(math.Inf(-1)))
	for _, c := range []struct {
		chip           encoding.Chip
		name           string
		a, b           uint32
		usual, clamped uint32
	}{
		{encoding.Gfx950, "v_cvt_pk_fp8_f32", bitsOf(1000), ninf, 0xff7f, 0xfe7e},
		{encoding.Gfx950, "v_cvt_pk_bf8_f32", bitsOf(1e6), inf, 0x7c7c, 0x7b7b},
		{encoding.Gfx942, "v_cvt_pk_fp8_f32", bitsOf(1000), ninf, 0x8080, 0xff7f},
		{encoding.Gfx942, "v_cvt_pk_bf8_f32", bitsOf(448), bitsOf(-1e6), 0x8063, 0xff63},
		{encoding.Gfx950, "v_cvt_sr_fp8_f32", bitsOf(-1000), 0, 0xff, 0xfe},
		{encoding.Gfx942, "v_cvt_sr_bf8_f32", bitsOf(1e9), 0, 0x80, 0x7f},
		{encoding.Gfx950, "v_cvt_sr_f16_f32", bitsOf(1e6), 0, 0x7c00, 0x7bff},
		{encoding.Gfx950, "v_cvt_sr_f16_f32", inf, 0, 0x7c00, 0x7c00},
		{encoding.Gfx950, "v_cvt_sr_bf16_f32", inf, 0, 0x7f80, 0x7f80},
		{encoding.Gfx950, "v_cvt_scalef32_pk_fp8_f32", bitsOf(500), bitsOf(-450), 0xfe7f, 0xfe7e},
		{encoding.Gfx950, "v_cvt_scalef32_pk_bf8_f32", bitsOf(1e6), ninf, 0xfc7c, 0xfb7b},
	} {
		row, _ := rowNamed(t, c.name)
		for mode, want := range map[uint32]uint32{alu.UsualMode: c.usual, alu.UsualMode | alu.HalfOverflow: c.clamped} {
			i, err := Decode(le(0x34<<26|uint32(row.Op)<<16|20, v(4)|v(5)<<9|v(6)<<18), 0, c.chip)
			require.NoError(t, err, c.name)
			w := newWave()
			w.Mode = mode
			w.V[4].Fill(c.a)
			w.V[5].Fill(c.b)
			w.V[6].Fill(bitsOf(1))
			Bind(&i, true)(w)
			assert.Equal(t, want, w.V[20][9], "%s on %s of %#x and %#x, MODE %#x", c.name, c.chip, c.a, c.b, mode)
		}
	}
}
