package gcn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// younger is an instruction that gfx908 or a later chip has added, and what it
// computes in one lane: from registers 4 on, and from what is in 20 and 21.
type younger struct {
	chip  Chip
	text  string
	words []uint32
	in    byte // letter of reference: what is put into the registers
	f     func(r *[64]uint64) uint64
	out   string // letters of what is in 20 and 21
}

// pairAt is the 64 bits in two registers.
func pairAt(r *[64]uint64, n int) uint64 { return r[n]&math.MaxUint32 | r[n+1]<<32 }

func pack(lo, hi uint64) uint64 { return lo&math.MaxUint32 | hi<<32 }

// parts returns the signed parts of a register, lowest first.
func parts(x uint64, bits int) (all []int64) {
	for at := 0; at < 32; at += bits {
		all = append(all, int64(x>>at<<(64-bits))>>(64-bits))
	}
	return all
}

func refDot(bits int) func(r *[64]uint64) uint64 {
	return func(r *[64]uint64) uint64 {
		sum := int64(int32(r[20]))
		b := parts(r[8], bits)
		for n, a := range parts(r[4], bits) {
			sum += a * b[n]
		}
		return uint64(uint32(sum))
	}
}

func negated(x uint64) uint64 { return x ^ 1<<31 }

func refMul32(a, b uint64) uint64 { return refFMA32(a, b, b32(math.Copysign(0, -1))) }
func refAdd32(a, b uint64) uint64 { return refFMA32(a, b32(1), b) }

func refClamp(x uint64) uint64 {
	v := f32of(x)
	if !(v > 0) {
		return 0
	}
	return b32(math.Min(v, 1))
}

// refFp8 lists the numbers of an 8-bit format by their definition.
func refFp8(mantissa, bias int) (values [256]float64) {
	for n := range values {
		e, m := n&0x7f>>mantissa, float64(n&(1<<mantissa-1))/float64(int(1)<<mantissa)
		v := math.Pow(2, float64(e-bias)) * (1 + m)
		if e == 0 {
			v = math.Pow(2, float64(1-bias)) * m
		}
		if n >= 128 {
			v = -v
		}
		values[n] = v
	}
	values[0x80] = math.NaN()
	return values
}

// refToFp8 finds the nearest number, ties to the even one.
func refToFp8(values [256]float64, x float64) uint64 {
	most := values[0x7f]
	step := most - values[0x7e]
	if x != x || math.Abs(x) >= most+step/2 {
		return 0x80
	}
	best := 0
	for n := range 128 {
		near, old := math.Abs(math.Abs(x)-values[n]), math.Abs(math.Abs(x)-values[best])
		if near < old || near == old && n&1 == 0 {
			best = n
		}
	}
	if x < 0 && best != 0 {
		best |= 0x80
	}
	return uint64(best)
}

func youngers() []younger {
	e4, e5 := refFp8(3, 8), refFp8(2, 16)
	f8 := func(values [256]float64, x uint64) uint64 { return b32(values[x&0xff]) }
	pi := b32(float64(float32(math.Pi)))
	halves := func(x uint64) (lo, hi uint64) { return b32(refHalf(x & 0xffff)), b32(refHalf(x >> 16 & 0xffff)) }
	return []younger{
		{Gfx90a, "v_fmac_f64_e32 v[20:21], v[4:5], v[8:9]", []uint32{0x08281104}, 'F',
			func(r *[64]uint64) uint64 { return refFMA64(pairAt(r, 4), pairAt(r, 8), pairAt(r, 20)) }, "F"},
		{Gfx90a, "v_pk_fma_f32 v[20:21], v[4:5], v[8:9], v[12:13]", []uint32{0xd3b04014, 0x1c321104}, 'f',
			func(r *[64]uint64) uint64 { return pack(refFMA32(r[4], r[8], r[12]), refFMA32(r[5], r[9], r[13])) }, "ff"},
		{Gfx90a, "v_pk_mul_f32 v[20:21], v[4:5], v[8:9] op_sel:[1,1] op_sel_hi:[0,1] neg_lo:[1,0] neg_hi:[0,1]", []uint32{0xd3b15a14, 0x30021104}, 'f',
			func(r *[64]uint64) uint64 { return pack(refMul32(negated(r[5]), r[9]), refMul32(r[4], negated(r[9]))) }, "ff"},
		{Gfx90a, "v_pk_add_f32 v[20:21], v[4:5], v[8:9]", []uint32{0xd3b24014, 0x18021104}, 'f',
			func(r *[64]uint64) uint64 { return pack(refAdd32(r[4], r[8]), refAdd32(r[5], r[9])) }, "ff"},
		{Gfx90a, "v_pk_add_f32 v[20:21], v[4:5], 1.0 op_sel_hi:[1,0]", []uint32{0xd3b24014, 0x0801e504}, 'f',
			func(r *[64]uint64) uint64 { return pack(refAdd32(r[4], b32(1)), refAdd32(r[5], b32(1))) }, "ff"},
		{Gfx90a, "v_pk_mul_f32 v[20:21], v[4:5], s[4:5] clamp", []uint32{0xd3b1c014, 0x18000904}, 'f',
			func(r *[64]uint64) uint64 {
				return pack(refClamp(refMul32(r[4], b32(0.75))), refClamp(refMul32(r[5], b32(-3))))
			}, "ff"},
		{Gfx90a, "v_pk_mov_b32 v[20:21], v[4:5], v[4:5] op_sel:[0,1]", []uint32{0xd3b35014, 0x18020904}, 'i',
			func(r *[64]uint64) uint64 { return pack(r[4], r[5]) }, "ii"},
		{Gfx908, "v_dot4c_i32_i8_e32 v20, v4, v8", []uint32{0x72281104}, 'i', refDot(8), "i"},
		{Gfx908, "v_dot8c_i32_i4_e32 v20, v4, v8", []uint32{0x74281104}, 'i', refDot(4), "i"},
		{Gfx908, "v_dot2c_i32_i16_e32 v20, v4, v8", []uint32{0x70281104}, 'i', refDot(16), "i"},
		{Gfx908, "v_dot2c_f32_f16_e32 v20, v4, v8", []uint32{0x6e281104}, 'f', func(r *[64]uint64) uint64 {
			al, ah := halves(r[4])
			bl, bh := halves(r[8])
			return refFMA32(ah, bh, refFMA32(al, bl, r[20]))
		}, "f"},
		{Gfx90a, "v_pk_fmac_f16_e32 v20, v4, v8", []uint32{0x78281104}, 'h', func(r *[64]uint64) uint64 {
			x := refHalf(r[4])*refHalf(r[8]) + refHalf(r[20])
			if x != x {
				return 0x7e00
			}
			return refToHalf(x)
		}, "h"},
		{Gfx90a, "v_mul_legacy_f32 v20, v4, v8", []uint32{0xd2a10014, 0x00021104}, 'f', func(r *[64]uint64) uint64 {
			if f32of(r[4]) == 0 || f32of(r[8]) == 0 {
				return 0
			}
			return refMul32(r[4], r[8])
		}, "f"},
		{Gfx942, "v_mov_b64_e32 v[20:21], v[4:5]", []uint32{0x7e287104}, 'I', func(r *[64]uint64) uint64 { return pairAt(r, 4) }, "I"},
		{Gfx942, "v_mov_b64_e32 v[20:21], 1.0", []uint32{0x7e2870f2}, 'I', func(*[64]uint64) uint64 { return b64(1) }, "I"},
		{Gfx942, "v_lshl_add_u64 v[20:21], v[4:5], v8, v[12:13]", []uint32{0xd2080014, 0x04321104}, 'I',
			func(r *[64]uint64) uint64 { return pairAt(r, 4)<<(r[8]%8) + pairAt(r, 12) }, "I"},
		{Gfx942, "v_fmamk_f32 v20, v4, 0x40490fdb, v8", []uint32{0x2e281104, 0x40490fdb}, 'f', func(r *[64]uint64) uint64 { return refFMA32(r[4], pi, r[8]) }, "f"},
		{Gfx942, "v_fmaak_f32 v20, v4, v8, 0x40490fdb", []uint32{0x30281104, 0x40490fdb}, 'f', func(r *[64]uint64) uint64 { return refFMA32(r[4], r[8], pi) }, "f"},
		{Gfx942, "v_cvt_f32_fp8_e32 v20, v4", []uint32{0x7e28a904}, 'i', func(r *[64]uint64) uint64 { return f8(e4, r[4]) }, "f"},
		{Gfx942, "v_cvt_f32_bf8_sdwa v20, v4 src0_sel:BYTE_2", []uint32{0x7e28aaf9, 0x00020604}, 'i', func(r *[64]uint64) uint64 { return f8(e5, r[4]>>16) }, "f"},
		{Gfx942, "v_cvt_pk_f32_fp8_e32 v[20:21], v4", []uint32{0x7e28ad04}, 'i', func(r *[64]uint64) uint64 { return pack(f8(e4, r[4]), f8(e4, r[4]>>8)) }, "ff"},
		{Gfx942, "v_cvt_pk_f32_bf8_e32 v[20:21], v4", []uint32{0x7e28af04}, 'i', func(r *[64]uint64) uint64 { return pack(f8(e5, r[4]), f8(e5, r[4]>>8)) }, "ff"},
		{Gfx942, "v_cvt_pk_fp8_f32 v20, v4, v8", []uint32{0xd2a20014, 0x00021104}, 'f', func(r *[64]uint64) uint64 {
			return r[20]&^0xffff | refToFp8(e4, f32of(r[4])) | refToFp8(e4, f32of(r[8]))<<8
		}, "i"},
		{Gfx942, "v_cvt_pk_bf8_f32 v20, v4, v8 op_sel:[0,0,1]", []uint32{0xd2a34014, 0x00021104}, 'f', func(r *[64]uint64) uint64 {
			return r[20]&0xffff | refToFp8(e5, f32of(r[4]))<<16 | refToFp8(e5, f32of(r[8]))<<24
		}, "i"},
	}
}

// TestYoungerInstructionsAgreeWithReference compares on random inputs, under
// all, none and some of EXEC.
func TestYoungerInstructionsAgreeWithReference(t *testing.T) {
	r := rand.New(rand.NewPCG(90, 942))
	for _, y := range youngers() {
		i, err := Decode(words(y.words...), 0, y.chip)
		require.NoError(t, err)
		require.Equal(t, y.text, i.String())
		require.True(t, Executable(&i), y.text)
		step := i.Row.Do(&i)
		for round := range 160 {
			if !y.agrees(t, r, step, round) {
				break
			}
		}
	}
}

func (y *younger) agrees(t *testing.T, r *rand.Rand, step Step, round int) bool {
	w := randomWave(r)
	w.A = make([]Lanes, 32)
	w.S[4], w.S[5] = math.Float32bits(0.75), math.Float32bits(-3)
	var in [64][64]uint64
	for l := range in {
		for _, n := range []int{4, 8, 12, 20} {
			lo, hi := randomValue(r, y.in), randomValue(r, y.in)
			if wideLetter(y.in) {
				hi = lo >> 32
			}
			w.V[n][l], w.V[n+1][l] = uint32(lo), uint32(hi)
			in[l][n], in[l][n+1] = lo&math.MaxUint32, hi&math.MaxUint32
		}
	}
	exec := [4]uint64{full, r.Uint64(), full, 0}[round%4]
	w.SetExec(exec)
	step(w)
	for l := range in {
		got := pack(uint64(w.V[20][l]), uint64(w.V[21][l]))
		if exec>>l&1 == 0 {
			require.Equal(t, pairAt(&in[l], 20), got, "%s writes inactive lane %d", y.text, l)
			continue
		}
		if want := y.f(&in[l]); !y.same(want, got) {
			return assert.Fail(t, y.text, "lane %d: %#x, want %#x, from %x %x %x %x", l, got, want, pairAt(&in[l], 4), pairAt(&in[l], 8), pairAt(&in[l], 12), pairAt(&in[l], 20))
		}
	}
	return true
}

// same compares what the letters of out say, and takes all NaNs for one.
func (y *younger) same(want, got uint64) bool {
	if wideLetter(y.out[0]) {
		return want == got || isNaNOf(y.out[0], want) && isNaNOf(y.out[0], got)
	}
	mask := uint64(math.MaxUint32)
	if y.out[0] == 'h' {
		mask = 0xffff
	}
	for n := range y.out {
		a, b := want>>(32*n)&mask, got>>(32*n)&mask
		if a != b && !(isNaNOf(y.out[n], a) && isNaNOf(y.out[n], b)) {
			return false
		}
	}
	return true
}

// TestHalvesOfPackedSinglesReadBeforeTheyWrite has sources in the destination.
func TestHalvesOfPackedSinglesReadBeforeTheyWrite(t *testing.T) {
	run := func(t *testing.T, text string, code ...uint32) *Wave {
		i := mustDecode(t, Gfx90a, code...)
		require.Equal(t, text, i.String())
		w := newWave()
		w.V[4].fill(math.Float32bits(2))
		w.V[5].fill(math.Float32bits(3))
		w.V[8].fill(math.Float32bits(10))
		w.V[9].fill(math.Float32bits(100))
		i.Row.Do(&i)(w)
		return w
	}
	w := run(t, "v_pk_fma_f32 v[4:5], v[4:5], v[8:9], v[4:5] op_sel:[1,0,1] op_sel_hi:[0,1,0]", 0xd3b02804, 0x14121104)
	assert.Equal(t, math.Float32bits(3*10+3), w.V[4][7])
	assert.Equal(t, math.Float32bits(2*100+2), w.V[5][7])
	w = run(t, "v_pk_mov_b32 v[4:5], v[4:5], v[8:9] op_sel:[1,0]", 0xd3b34804, 0x18021104)
	assert.Equal(t, math.Float32bits(3), w.V[4][7])
	assert.Equal(t, math.Float32bits(10), w.V[5][7])
}

// TestAccumulatorMoves goes to the accumulators, along them and back.
func TestAccumulatorMoves(t *testing.T) {
	w := newWave()
	w.A = make([]Lanes, 8)
	for l := range w.V[4] {
		w.V[4][l] = uint32(l * l)
	}
	w.SetExec(0xff00ff00ff00ff00)
	for _, c := range []struct {
		text string
		code []uint32
	}{
		{"v_accvgpr_write_b32 a3, v4", []uint32{0xd3d94003, 0x18000104}},
		{"v_accvgpr_mov_b32 a5, a3", []uint32{0x7e0aa503}},
		{"v_accvgpr_read_b32 v20, a5", []uint32{0xd3d84014, 0x18000105}},
	} {
		i := mustDecode(t, Gfx90a, c.code...)
		require.Equal(t, c.text, i.String())
		i.Row.Do(&i)(w)
	}
	for l := range w.V[20] {
		want := uint32(0)
		if l/8%2 == 1 {
			want = uint32(l * l)
		}
		require.Equal(t, want, w.V[20][l], "lane %d", l)
	}
}

// TestRowBroadcasts reads the lane of each row that the control names.
func TestRowBroadcasts(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l] = uint32(l)
		x := math.Float64bits(float64(l) + 0.5)
		w.V[8][l], w.V[9][l] = uint32(x), uint32(x>>32)
	}
	i := mustDecode(t, Gfx90a, 0x7e2802fa, 0xff015504)
	require.Equal(t, "v_mov_b32_dpp v20, v4 row_newbcast:5 row_mask:0xf bank_mask:0xf", i.String())
	i.Row.Do(&i)(w)
	for l := range w.V[20] {
		require.Equal(t, uint32(l&^15+5), w.V[20][l])
	}
	i = mustDecode(t, Gfx90a, 0x7e2830fa, 0xff015308)
	require.Equal(t, "v_ceil_f64_dpp v[20:21], v[8:9] row_newbcast:3 row_mask:0xf bank_mask:0xf", i.String())
	i.Row.Do(&i)(w)
	for l := range w.V[20] {
		require.Equal(t, float64(l&^15+3)+1, f64of(pack(uint64(w.V[20][l]), uint64(w.V[21][l]))))
	}
}

// TestStochasticRoundingHitsBothNeighbours checks that the average over the
// random numbers is the number itself, and that 0 never rounds up.
func TestStochasticRoundingHitsBothNeighbours(t *testing.T) {
	for _, f := range []fp8Format{fp8, bf8} {
		for _, x := range []float32{1.03125, -3.3, 0.0021, 100.5} {
			sum, n := 0.0, 4096
			for k := range n {
				sum += float64(f.single(f.round(x, true, uint32(k)<<20+1<<19)))
			}
			down := f.single(f.round(x, true, 0))
			assert.InEpsilon(t, x, sum/float64(n), 1e-3, "%v", x)
			assert.LessOrEqual(t, math.Abs(float64(down)), math.Abs(float64(x)))
		}
	}
}
