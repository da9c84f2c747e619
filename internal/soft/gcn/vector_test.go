package gcn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func bitsOf(x float32) uint32 { return math.Float32bits(x) }

// one returns lane 3 of v20 after the step, whose sources v4, v8 and v12 hold the given bits.
func one(t *testing.T, mode uint32, words []uint32, src ...uint32) uint32 {
	t.Helper()
	w := newWave()
	w.Mode = mode
	for n, x := range src {
		w.V[4+4*n].fill(x)
	}
	w.V[20].fill(0xdeadbeef)
	bind(t, words)(w)
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
	require.Equal(t, uint32(0xff800001), one(t, defaultMode, with(long(t, "v_cndmask_b32", v(20), v(4), v(8), VccLo), 0, neg0), 0x7f800001))
}

func TestClampAndOutputMultiplier(t *testing.T) {
	add := long(t, "v_add_f32", v(20), v(4), v(8))
	clamped := with(add, clampBit, 0)
	for _, c := range []struct{ sum, want uint32 }{
		{bitsOf(0.25), bitsOf(0.25)}, {bitsOf(3), bitsOf(1)}, {bitsOf(-2), 0}, {0x7f800000, bitsOf(1)}, {0x7fc00000, 0},
	} {
		require.Equal(t, c.want, one(t, defaultMode, clamped, c.sum, 0), "%#x", c.sum)
	}
	require.True(t, isNaN32(one(t, defaultMode&^dx10Clamp, clamped, 0x7fc00000, 0)))
	double := with(add, 0, 1<<27)
	require.Equal(t, bitsOf(3), one(t, defaultMode, double, bitsOf(1), bitsOf(2)), "ignored in IEEE mode")
	require.Equal(t, bitsOf(6), one(t, denorms64, double, bitsOf(1), bitsOf(2)))
	require.Equal(t, bitsOf(1.5), one(t, denorms64, with(add, 0, 3<<27), bitsOf(1), bitsOf(2)))
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
	require.Equal(t, uint32(0), one(t, defaultMode&^denormIn32, add, 1, 2), "inputs are flushed")
	require.Equal(t, uint32(1<<31), one(t, defaultMode&^denormOut32, add, 0x80000001, 0x80000002), "results are flushed")
	mov := short(t, "v_mov_b32", v(20), v(4))
	require.Equal(t, uint32(1), one(t, defaultMode&^denorms32, mov, 1), "moves flush nothing")
	mac := short(t, "v_mad_f32", v(20), v(4), v(8), v(12))
	require.Equal(t, uint32(0), one(t, defaultMode, mac, bitsOf(0x1p-100), bitsOf(0x1p-40), 1), "mad always flushes")
}

func TestInlineConstantsByOperandType(t *testing.T) {
	const one_, half, inv2pi, minus1, lit = 242, 240, 248, 193, 255
	f64 := func(src uint32) uint64 {
		w := newWave()
		bind(t, long(t, "v_add_f64", v(20), src, v(4)))(w)
		return join(w.V[20][0], w.V[21][0])
	}
	require.Equal(t, math.Float64bits(1), f64(one_))
	require.Equal(t, uint64(0x3fc45f306dc9c882), f64(inv2pi))
	require.Equal(t, bitsOf(0.5), one(t, defaultMode, short(t, "v_add_f32", v(20), half, v(4))))
	require.Equal(t, uint32(0x3c00), one(t, defaultMode, short(t, "v_add_f16", v(20), one_, v(4))))
	require.Equal(t, uint32(0xffff), one(t, defaultMode, short(t, "v_add_u16", v(20), minus1, v(4))))
	require.Equal(t, uint32(0x12345), one(t, defaultMode, append(short(t, "v_add_u32", v(20), lit, v(4)), 0x12345)))

	w := newWave()
	bind(t, append(short(t, "s_mov_b64", s(0), lit), 0xfffffff0))(w)
	require.Equal(t, uint64(0xfffffff0), w.s64(0), "a literal of 64 bits is not extended by its sign")
	bind(t, short(t, "s_mov_b64", s(0), minus1))(w)
	require.Equal(t, uint64(full), w.s64(0))
	bind(t, short(t, "s_mov_b64", s(0), one_))(w)
	require.Equal(t, math.Float64bits(1), w.s64(0))
	w.V[4].fill(0)
	w.V[5].fill(0x40000000)
	bind(t, append(short(t, "v_cmp_eq_f64", 0, lit, v(4)), 0x40000000))(w)
	require.Equal(t, uint64(full), w.Vcc(), "a literal is the upper half of a double")
}

func TestKernelsWorkInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	w := randomWave(r)
	lo, hi := w.V[4], w.V[5]
	bind(t, short(t, "v_lshlrev_b64", v(5), 132, v(4)))(w) // v[5:6] = v[4:5] << 4
	for l := range lo {
		want := join(lo[l], hi[l]) << 4
		require.Equal(t, want, join(w.V[5][l], w.V[6][l]))
	}
	old := w.V[8]
	bind(t, short(t, "v_add_u32", v(8), v(8), v(8)))(w)
	for l := range old {
		require.Equal(t, old[l]*2, w.V[8][l])
	}
}

// sdwaWords is a VOP2 instruction in its SDWA form.
func sdwaWords(t *testing.T, name string, dstSel, unused, sel0, sel1, extra uint32) []uint32 {
	w := short(t, name, v(20), 0, v(8))
	return []uint32{w[0] | 249, 4 | dstSel<<8 | unused<<11 | sel0<<16 | sel1<<24 | extra}
}

func TestSDWASelectsParts(t *testing.T) {
	const a, b = 0x89abcdef, 0x00010203
	for _, c := range []struct {
		name                    string
		dst, unused, sel0, sel1 uint32
		extra, want             uint32
	}{
		{"v_add_u32", selDword, unusedPreserve, selByte1, selDword, 0, b + 0xcd},
		{"v_add_u32", selDword, unusedPreserve, selByte1, selDword, 1 << 19, b - 51},
		{"v_add_u32", selDword, unusedPreserve, selWord1, selByte0, 0, 0x89ab + 3},
		{"v_or_b32", selByte2, unusedPad, selByte3, selByte0, 0, 0x8b << 16},
		{"v_or_b32", selByte2, unusedSext, selByte3, selByte0, 0, 0xff8b0000},
		{"v_or_b32", selByte2, unusedPreserve, selByte3, selByte0, 0, 0xde8bbeef},
		{"v_or_b32", selWord1, unusedPreserve, selWord0, selWord0, 0, 0xcfefbeef},
		{"v_lshlrev_b16", selDword, unusedPad, selByte3, selWord0, 0, 0x0203 << (0x89 & 15) & 0xffff},
	} {
		require.Equal(t, c.want, one(t, defaultMode, sdwaWords(t, c.name, c.dst, c.unused, c.sel0, c.sel1, c.extra), a, b), "%+v", c)
	}
}

func TestSDWAOfFloatsNegatesAfterSelecting(t *testing.T) {
	w := short(t, "v_cvt_f32_f16", v(20), 249)
	words := []uint32{w[0], 4 | selDword<<8 | unusedPreserve<<11 | selWord1<<16 | 1<<20}
	require.Equal(t, bitsOf(-1), one(t, defaultMode, words, 0x3c00_4000))
}

func dppWords(t *testing.T, name string, ctrl, rows, banks uint32, bound bool) []uint32 {
	w := short(t, name, v(20), 0, v(8))
	hi := 4 | ctrl<<8 | banks<<24 | rows<<28
	if bound {
		hi |= 1 << 19
	}
	return []uint32{w[0] | 250, hi}
}

func TestDPPMovesLanes(t *testing.T) {
	const keep, zero = -1, -2
	for _, c := range []struct {
		name        string
		ctrl        uint32
		rows, banks uint32
		bound       bool
		from        func(l int) int
	}{
		{"quad_perm:[1,0,3,2]", 0xb1, 15, 15, false, func(l int) int { return l ^ 1 }},
		{"row_shl:1", 0x101, 15, 15, false, func(l int) int {
			if l%16 == 15 {
				return keep
			}
			return l + 1
		}},
		{"row_shr:2 bound_ctrl:0", 0x112, 15, 15, true, func(l int) int {
			if l%16 < 2 {
				return zero
			}
			return l - 2
		}},
		{"row_ror:3", 0x123, 15, 15, false, func(l int) int { return l&^15 | (l+13)%16 }},
		{"wave_shr:1", 0x138, 15, 15, false, func(l int) int { return l - 1 }},
		{"wave_ror:1", 0x13c, 15, 15, false, func(l int) int { return (l + 63) % 64 }},
		{"wave_shl:1", 0x130, 15, 15, false, func(l int) int {
			if l == 63 {
				return keep
			}
			return l + 1
		}},
		{"row_mirror", 0x140, 15, 15, false, func(l int) int { return l ^ 15 }},
		{"row_half_mirror", 0x141, 15, 15, false, func(l int) int { return l ^ 7 }},
		{"row_bcast:15 row_mask:0xa", 0x142, 10, 15, false, func(l int) int {
			if l/16%2 == 0 {
				return keep
			}
			return l/16*16 - 1
		}},
		{"row_bcast:31 row_mask:0xc", 0x143, 12, 15, false, func(l int) int {
			if l < 32 {
				return keep
			}
			return 31
		}},
		{"bank_mask:0x2", 0xe4, 15, 2, false, func(l int) int {
			if l/4%4 != 1 {
				return keep
			}
			return l
		}},
	} {
		w := newWave()
		for l := range w.V[4] {
			w.V[4][l] = uint32(100 + l)
		}
		w.V[8].fill(1000)
		w.V[20].fill(7)
		bind(t, dppWords(t, "v_add_u32", c.ctrl, c.rows, c.banks, c.bound))(w)
		for l := range w.V[20] {
			want := uint32(7)
			switch from := c.from(l); from {
			case keep:
			case zero:
				want = 1000
			default:
				want = uint32(1100 + from)
			}
			require.Equal(t, want, w.V[20][l], "%s lane %d", c.name, l)
		}
	}
}

func TestDPPInPlaceReadsASnapshot(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l] = uint32(l)
	}
	mov := short(t, "v_mov_b32", v(4), 250)
	bind(t, []uint32{mov[0], 4 | 0x111<<8 | 0xff<<24})(w) // row_shr:1
	for l := range w.V[4] {
		want := uint32(l - 1)
		if l%16 == 0 {
			want = uint32(l)
		}
		require.Equal(t, want, w.V[4][l], "lane %d", l)
	}
}

func TestDPPFromInactiveLanesDoesNotWrite(t *testing.T) {
	w := newWave()
	w.SetExec(0x5555555555555555)
	w.V[4].fill(3)
	w.V[8].fill(10)
	bind(t, dppWords(t, "v_add_u32", 0xb1, 15, 15, false))(w)
	require.Equal(t, Lanes{}, w.V[20])
	bind(t, dppWords(t, "v_add_u32", 0xb1, 15, 15, true))(w)
	require.Equal(t, uint32(10), w.V[20][0])
	require.Equal(t, uint32(0), w.V[20][1])
}

func TestHalvesThatInstructionsLeaveAlone(t *testing.T) {
	require.Equal(t, uint32(3), one(t, defaultMode, short(t, "v_add_u16", v(20), v(4), v(8)), 1, 2), "most write zeros above")
	mad := long(t, "v_mad_u16", v(20), v(4), v(8), v(12))
	require.Equal(t, uint32(0xdead0007), one(t, defaultMode, mad, 2, 3, 1))
	require.Equal(t, uint32(0x0007beef), one(t, defaultMode, with(mad, 8<<11, 0), 2, 3, 1), "op_sel writes the upper half")
	require.Equal(t, uint32(0xdead0007), one(t, defaultMode, with(mad, 3<<11, 0), 2<<16, 3<<16, 1), "op_sel reads upper halves")
}

func TestPackedAndMixed(t *testing.T) {
	const ones, twos = 0x3c003c00, 0x40004000
	require.Equal(t, uint32(0x42004200), one(t, defaultMode, short(t, "v_pk_add_f16", v(20), v(4), v(8)), ones, twos))
	require.Equal(t, uint32(0x00040006), one(t, defaultMode, short(t, "v_pk_add_u16", v(20), v(4), v(8)), 0x00010002, 0x00030004))
	fma := short(t, "v_pk_fma_f16", v(20), v(4), v(8), v(12))
	require.Equal(t, uint32(0x42004200), one(t, defaultMode, fma, ones, twos, ones))
	mix := short(t, "v_fma_mix_f32", v(20), v(4), v(8), v(12))
	mix[0], mix[1] = mix[0]&^(1<<14), mix[1]&^(3<<27)
	require.Equal(t, bitsOf(7), one(t, defaultMode, mix, bitsOf(2), bitsOf(3), bitsOf(1)))
	require.Equal(t, bitsOf(7), one(t, defaultMode, with(mix, 1<<11, 1<<27), 0x40000000, bitsOf(3), bitsOf(1)), "upper half of source 0")
	require.Equal(t, uint32(0xffffff9c), one(t, defaultMode, short(t, "v_dot4_i32_i8", v(20), v(4), v(8), v(12)), 0x01ff0000, 0x010a0000, 0xffffffa5))
}

func TestLaneMoves(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l] = uint32(l + 100)
	}
	w.SetExec(1 << 17)
	bind(t, short(t, "v_readfirstlane_b32", s(5), v(4)))(w)
	require.Equal(t, uint32(117), w.S[5])
	bind(t, short(t, "v_readlane_b32", s(6), v(4), 128+40))(w)
	require.Equal(t, uint32(140), w.S[6])
	bind(t, short(t, "v_writelane_b32", v(4), s(6), 128+3))(w)
	require.Equal(t, uint32(140), w.V[4][3], "although lane 3 is inactive")
	w.SetExec(0)
	bind(t, short(t, "v_readfirstlane_b32", s(5), v(4)))(w)
	require.Equal(t, uint32(100), w.S[5], "lane 0 where none is active")

	w.SetExec(full)
	bind(t, short(t, "v_mbcnt_lo_u32_b32", v(8), 193, 128))(w)
	bind(t, short(t, "v_mbcnt_hi_u32_b32", v(9), 193, v(8)))(w)
	for l := range w.V[9] {
		require.Equal(t, uint32(l), w.V[9][l])
	}
}

func TestIndexedMoves(t *testing.T) {
	w := newWave()
	w.V[7].fill(77)
	w.S[3] = 3
	bind(t, short(t, "s_set_gpr_idx_on", 0, s(3), 1))(w)
	bind(t, short(t, "v_mov_b32", v(0), v(4)))(w)
	bind(t, short(t, "s_set_gpr_idx_off", 0))(w)
	require.Equal(t, uint32(77), w.V[0][9])
	w.S[3] = 5
	bind(t, short(t, "s_set_gpr_idx_on", 0, s(3), 8))(w)
	bind(t, short(t, "v_mov_b32", v(10), v(7)))(w)
	bind(t, short(t, "s_set_gpr_idx_off", 0))(w)
	require.Equal(t, uint32(77), w.V[15][9])
	w.S[3] = 200
	bind(t, short(t, "s_set_gpr_idx_on", 0, s(3), 8))(w)
	bind(t, short(t, "v_mov_b32", v(10), v(7)))(w)
	require.Equal(t, Faulted, w.Status)
}

func TestComparesToExec(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l] = uint32(l)
	}
	w.SetExec(0xff)
	bind(t, short(t, "v_cmpx_gt_u32", 0, 128+5, v(4)))(w)
	require.Equal(t, uint64(0x1f), w.Exec())
	require.Equal(t, uint64(0x1f), w.Vcc())
}
