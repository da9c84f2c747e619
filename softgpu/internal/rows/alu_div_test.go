package rows

import (
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// TestDivisionStepsOfDoublesInWholeWaves compares them with those of each lane, in
// waves of which no lane needs more, and in some of which one does.
func TestDivisionStepsOfDoublesInWholeWaves(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	for round := range 200 {
		w := newWave()
		w.SetExec([]uint64{alu.Full, r.Uint64()}[round%2])
		for reg := 4; reg < 10; reg += 2 {
			for l := range 64 {
				x := r.Uint64()&(1<<63|1<<52-1) | uint64(1000+r.IntN(46))<<52
				if round%4 > 1 && l == 17 {
					x = samples.Value(r, 'F')
				}
				w.V[reg][l], w.V[reg+1][l] = uint32(x), uint32(x>>32)
			}
		}
		w.SetS64(wave.VccLo, []uint64{0, 1 << 17, r.Uint64()}[r.IntN(3)])
		before, vcc := append([]alu.Lanes(nil), w.V...), w.Vcc()
		words := long(t, "v_div_scale_f64", v(20), v(8-2*(round%3/2)), v(6), v(8))
		words[0] |= wave.VccLo << 8
		stepOf(t, words)(w)
		scaled := w.Vcc()
		w.SetS64(wave.VccLo, vcc)
		stepOf(t, long(t, "v_div_fmas_f64", v(22), v(4), v(6), v(8)))(w)
		of := func(reg, l int) uint64 { return alu.Join(before[reg][l], before[reg+1][l]) }
		for l := range 64 {
			if w.Exec()>>l&1 == 0 {
				require.Equal(t, before[20][l], w.V[20][l])
				require.Equal(t, before[23][l], w.V[23][l])
				require.Zero(t, scaled>>l&1)
				continue
			}
			s, post := alu.DivScaleF64(of(8-2*(round%3/2), l), of(6, l), of(8, l), false)
			require.Equal(t, s, alu.Join(w.V[20][l], w.V[21][l]), "lane %d", l)
			require.Equal(t, post, scaled>>l&1 != 0, "lane %d", l)
			f, _ := alu.DivFmasF64(of(4, l), of(6, l), of(8, l), vcc>>l&1 != 0)
			require.Equal(t, f, alu.Join(w.V[22][l], w.V[23][l]), "lane %d", l)
		}
	}
}

// TestDivisionStepsFollowMode has what was measured of directions and denormals.
func TestDivisionStepsFollowMode(t *testing.T) {
	const tiny, huge, nan = 0x04800000, 0x7b800000, 0x7fc00000 // 2^-118 and 2^120
	step := func(name string, mode, a, b, c uint32) uint32 {
		w := newWave()
		w.Mode = mode
		for n, x := range []uint32{a, b, c} {
			w.V[4+4*n].Fill(x)
		}
		Bind(inst(t, long(t, name, v(20), v(4), v(8), v(12))), true)(w)
		return w.V[20][5]
	}
	for to, want := range map[alu.Rounding][4]uint32{
		alu.ToNearest: {0, 1 << 31, 0x7f800000, 0xff800000}, alu.Upward: {1, 1 << 31, 0x7f800000, 0xff7fffff},
		alu.Downward: {0, 1<<31 | 1, 0x7f7fffff, 0xff800000}, alu.TowardZero: {0, 1 << 31, 0x7f7fffff, 0xff7fffff},
	} {
		mode := alu.UsualMode | uint32(to)
		require.Equal(t, want[0], step("v_div_fixup_f32", mode, nan, huge, tiny), "%d", to)
		require.Equal(t, want[1], step("v_div_fixup_f32", mode, nan, huge, tiny|1<<31), "%d", to)
		require.Equal(t, want[2], step("v_div_fixup_f32", mode, nan, tiny, huge), "%d", to)
		require.Equal(t, want[3], step("v_div_fixup_f32", mode, nan, tiny|1<<31, huge), "%d", to)
	}
	flush := uint32(alu.UsualMode &^ alu.Denorms32)
	one := bitsOf(1)
	require.Equal(t, uint32(1), step("v_div_fixup_f32", flush, 1, one, one), "a quotient keeps its denormals")
	require.Equal(t, uint32(0), step("v_div_fixup_f32", flush, one, one, 1), "a numerator does not")
	require.Equal(t, uint32(1), step("v_div_fmas_f32", alu.UsualMode&^alu.DenormIn32, 1, one, 0), "operands of the last step do")
	require.Equal(t, uint32(0), step("v_div_fmas_f32", flush, 1, one, 0), "its result does not")
	require.Equal(t, uint32(0xffc00000), step("v_div_scale_f32", flush, 1, one, 1), "a denormal numerator is a zero")
	require.Equal(t, uint32(0x7bff), step("v_div_fixup_f16", alu.UsualMode|alu.HalfOverflow, 0x7e00, 0x0400, 0x7800)&0xffff, "halves stay finite where MODE says so")
}
