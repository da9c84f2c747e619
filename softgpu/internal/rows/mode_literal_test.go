package rows

import (
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/require"
)

// TestSumsWithALiteralFollowMode: 1 + 2^-53 is 1 to the nearest, and more upward.
func TestSumsWithALiteralFollowMode(t *testing.T) {
	one, small := math.Float64bits(1), math.Float64bits(0x1p-53)
	for _, c := range []struct {
		name    string // with v[4:5] as first source
		other   uint32 // register of the other one
		literal uint64
	}{{"v_fmaak_f64", 8, one}, {"v_fmamk_f64", 12, small}} {
		op := uint32(0)
		for _, s := range subjects(encoding.Gfx1250.Wave32()) {
			if s.enc == encoding.VOP2 && s.row.Name == c.name {
				op = uint32(s.row.Op)
			}
		}
		require.NotZero(t, op, c.name)
		i := instOf(t, encoding.Gfx1250.Wave32(), []uint32{op<<25 | 20<<17 | c.other<<9 | v(4), uint32(c.literal), uint32(c.literal >> 32)})
		for mode, want := range map[uint32]uint64{alu.UsualMode: one, alu.UsualMode | 1<<2: one + 1} {
			w := newWave()
			w.SetSize(true)
			w.SetExec(1)
			w.Mode = mode
			set := func(reg int, x uint64) { w.V[reg][0], w.V[reg+1][0] = uint32(x), uint32(x>>32) }
			set(4, math.Float64bits(1))
			set(8, small)
			set(12, one)
			Bind(i, true)(w)
			require.Equal(t, want, alu.Join(w.V[20][0], w.V[21][0]), "%s in MODE %#x", i, mode)
		}
	}
}
