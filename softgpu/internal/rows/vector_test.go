package rows

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

func bitsOf(x float32) uint32 { return math.Float32bits(x) }

// one returns lane 3 of v20 after the step, whose sources v4, v8 and v12 hold the given bits.
func one(t *testing.T, mode uint32, words []uint32, src ...uint32) uint32 {
	t.Helper()
	w := newWave()
	w.Mode = mode
	for n, x := range src {
		w.V[4+4*n].Fill(x)
	}
	w.V[20].Fill(0xdeadbeef)
	stepOf(t, words)(w)
	for l := range w.V[20] {
		require.Equal(t, w.V[20][3], w.V[20][l])
	}
	return w.V[20][3]
}

const (
	abs0, abs1, abs2 = 1 << 8, 2 << 8, 4 << 8
	clampBit         = 1 << 15
	neg0, neg1, neg2 = 1 << 29, 2 << 29, 4 << 29
)

func with(words []uint32, lo, hi uint32) []uint32 { return []uint32{words[0] | lo, words[1] | hi} }

func TestModifiersOfSources(t *testing.T) {
	add := long(t, "v_add_f32", v(20), v(4), v(8))
	two, three := bitsOf(2), bitsOf(3)
	require.Equal(t, bitsOf(1), one(t, defaultMode, with(add, 0, neg0), two, three))
	require.Equal(t, bitsOf(-1), one(t, defaultMode, with(add, 0, neg1), two, three))
	require.Equal(t, bitsOf(5), one(t, defaultMode, with(add, abs0, 0), two|1<<31, three))
	require.Equal(t, bitsOf(1), one(t, defaultMode, with(add, abs0, neg0), two|1<<31, three))
	fma := long(t, "v_fma_f32", v(20), v(4), v(8), v(12))
	require.Equal(t, bitsOf(-1), one(t, defaultMode, with(fma, abs2, neg0), two, three, bitsOf(-5)))
	require.Equal(t, uint32(0xff800001), one(t, defaultMode, with(long(t, "v_cndmask_b32", v(20), v(4), v(8), wave.VccLo), 0, neg0), 0x7f800001))
}

func TestClampAndOutputMultiplier(t *testing.T) {
	add := long(t, "v_add_f32", v(20), v(4), v(8))
	clamped := with(add, clampBit, 0)
	for _, c := range []struct{ sum, want uint32 }{
		{bitsOf(0.25), bitsOf(0.25)}, {bitsOf(3), bitsOf(1)}, {bitsOf(-2), 0}, {0x7f800000, bitsOf(1)}, {0x7fc00000, 0},
	} {
		require.Equal(t, c.want, one(t, defaultMode, clamped, c.sum, 0), "%#x", c.sum)
	}
	require.True(t, alu.IsNaN32(one(t, defaultMode&^alu.DX10Clamp, clamped, 0x7fc00000, 0)))
	double := with(add, 0, 1<<27)
	require.Equal(t, bitsOf(3), one(t, defaultMode, double, bitsOf(1), bitsOf(2)), "ignored in IEEE mode")
	require.Equal(t, bitsOf(6), one(t, alu.Denorms64, double, bitsOf(1), bitsOf(2)))
	require.Equal(t, bitsOf(1.5), one(t, alu.Denorms64, with(add, 0, 3<<27), bitsOf(1), bitsOf(2)))
}

func TestIntegerClampSaturates(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b, want uint32
	}{
		{"v_add_u32", 0xffffffff, 2, 0xffffffff}, {"v_sub_u32", 1, 2, 0}, {"v_subrev_u32", 2, 1, 0},
		{"v_add_i32", 0x7fffffff, 1, 0x7fffffff}, {"v_sub_i32", 0x80000000, 1, 0x80000000}, {"v_add_u16", 0xffff, 2, 0xffff},
		{"v_add_i16", 0x7fff, 1, 0x7fff}, {"v_mul_i32_i24", 0x7fffff, 0x7fffff, 0x7fffffff}, {"v_add_co_u32", 0xffffffff, 1, 0xffffffff},
	} {
		words := long(t, c.name, v(20), v(4), v(8))
		require.Equal(t, c.want, one(t, defaultMode, with(words, clampBit, 0), c.a, c.b), c.name)
	}
}

func TestDenormalModesOfSingles(t *testing.T) {
	add := short(t, "v_add_f32", v(20), v(4), v(8))
	require.Equal(t, uint32(3), one(t, defaultMode, add, 1, 2))
	require.Equal(t, uint32(0), one(t, defaultMode&^alu.DenormIn32, add, 1, 2), "inputs are flushed")
	require.Equal(t, uint32(1<<31), one(t, defaultMode&^alu.DenormOut32, add, 0x80000001, 0x80000002), "results are flushed")
	mov := short(t, "v_mov_b32", v(20), v(4))
	require.Equal(t, uint32(1), one(t, defaultMode&^alu.Denorms32, mov, 1), "moves flush nothing")
	mac := short(t, "v_mad_f32", v(20), v(4), v(8), v(12))
	require.Equal(t, uint32(0), one(t, defaultMode, mac, bitsOf(0x1p-100), bitsOf(0x1p-40), 1), "mad always flushes")
}

func TestInlineConstantsByOperandType(t *testing.T) {
	const one_, half, inv2pi, minus1, lit = 242, 240, 248, 193, 255
	f64 := func(src uint32) uint64 {
		w := newWave()
		stepOf(t, long(t, "v_add_f64", v(20), src, v(4)))(w)
		return alu.Join(w.V[20][0], w.V[21][0])
	}
	require.Equal(t, math.Float64bits(1), f64(one_))
	require.Equal(t, uint64(0x3fc45f306dc9c882), f64(inv2pi))
	require.Equal(t, bitsOf(0.5), one(t, defaultMode, short(t, "v_add_f32", v(20), half, v(4))))
	require.Equal(t, uint32(0x3c00), one(t, defaultMode, short(t, "v_add_f16", v(20), one_, v(4))))
	require.Equal(t, uint32(0xffff), one(t, defaultMode, short(t, "v_add_u16", v(20), minus1, v(4))))
	require.Equal(t, uint32(0x12345), one(t, defaultMode, append(short(t, "v_add_u32", v(20), lit, v(4)), 0x12345)))

	w := newWave()
	stepOf(t, append(short(t, "s_mov_b64", s(0), lit), 0xfffffff0))(w)
	require.Equal(t, uint64(0xfffffff0), w.S64(0), "a literal of 64 bits is not extended by its sign")
	stepOf(t, short(t, "s_mov_b64", s(0), minus1))(w)
	require.Equal(t, uint64(alu.Full), w.S64(0))
	stepOf(t, short(t, "s_mov_b64", s(0), one_))(w)
	require.Equal(t, math.Float64bits(1), w.S64(0))
	w.V[4].Fill(0)
	w.V[5].Fill(0x40000000)
	stepOf(t, append(short(t, "v_cmp_eq_f64", 0, lit, v(4)), 0x40000000))(w)
	require.Equal(t, uint64(alu.Full), w.Vcc(), "a literal is the upper half of a double")
}

func TestKernelsWorkInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	w := randomWave(r)
	lo, hi := w.V[4], w.V[5]
	stepOf(t, short(t, "v_lshlrev_b64", v(5), 132, v(4)))(w) // v[5:6] = v[4:5] << 4
	for l := range lo {
		want := alu.Join(lo[l], hi[l]) << 4
		require.Equal(t, want, alu.Join(w.V[5][l], w.V[6][l]))
	}
	old := w.V[8]
	stepOf(t, short(t, "v_add_u32", v(8), v(8), v(8)))(w)
	for l := range old {
		require.Equal(t, old[l]*2, w.V[8][l])
	}
}
