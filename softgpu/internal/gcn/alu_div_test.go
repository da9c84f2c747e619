package gcn

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
)

// divide32 is the sequence that compilers emit for a correctly rounded quotient of singles.
func divide32(n, d uint64) uint64 {
	one := fromSingle(1)
	neg := func(x uint64) uint64 { return x ^ 1<<31 }
	fma := func(a, b, c uint64) uint64 {
		return fromSingle(fma32(float(uint32(a)), float(uint32(b)), float(uint32(c))))
	}
	ds, _ := divScaleF32(d, d, n, false)
	ns, post := divScaleF32(n, d, n, false)
	rcp := fromSingle(rcp32(float(uint32(ds))))
	e := fma(neg(ds), rcp, one)
	x := fma(e, rcp, rcp)
	q := fma(ns, x, 0)
	q1 := fma(fma(neg(ds), q, ns), x, q)
	r, _ := divFmasF32(fma(neg(ds), q1, ns), x, q1, post)
	return divFixupF32(r, d, n)
}

// divide64 is the sequence for doubles.
func divide64(n, d uint64) uint64 {
	one := math.Float64bits(1)
	neg := func(x uint64) uint64 { return x ^ 1<<63 }
	fma := func(a, b, c uint64) uint64 { return doubleOf(math.FMA(double(a), double(b), double(c)), a, b, c) }
	ds, _ := divScaleF64(d, d, n, false)
	ns, post := divScaleF64(n, d, n, false)
	rcp := math.Float64bits(rcp64(double(ds)))
	x := fma(fma(neg(ds), rcp, one), rcp, rcp)
	x = fma(fma(neg(ds), x, one), x, x)
	q := math.Float64bits(double(ns) * double(x))
	r, _ := divFmasF64(fma(neg(ds), q, ns), x, q, post)
	return fixup64(r, d, n)
}

// fixup64 is one lane of fixupF64.
func fixup64(q, d, n uint64) uint64 {
	var in [3]Pair
	for k, x := range []uint64{q, d, n} {
		in[k][0].fill(uint32(x))
		in[k][1].fill(uint32(x >> 32))
	}
	fixupF64(&in[0][0], &in[0][1], &in[0][0], &in[0][1], &in[1][0], &in[1][1], &in[2][0], &in[2][1])
	return join(in[0][0][63], in[0][1][63])
}

// TestPlainDivisionsOfDoublesNeedNothing holds the rule for whole waves, and the
// short way of each lane's fixup, to the ones that are complete.
func TestPlainDivisionsOfDoublesNeedNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	random := func() uint64 {
		if e := r.IntN(4); e > 0 { // near the ends of the range of exponents, or near 1
			return r.Uint64()&(1<<63|1<<52-1) | uint64([]int{0, 40, 1020, 1970}[e]+r.IntN(78))<<52
		}
		return samples.Value(r, 'F')
	}
	plain := 0
	for n := range 40000 {
		x, y, q := random(), random(), random()
		var num, den Lanes
		num.fill(0x3ff00000)
		den.fill(0x40000000)
		num[n%64], den[n%64] = uint32(x>>32), uint32(y>>32)
		ok := plainDivision(&num, &den, &divisions64)
		require.Equal(t, portablePlainDivision(&num, &den, &divisions64), ok, "%#x / %#x", x, y)
		if ok {
			plain++
			for _, v := range []uint64{x, y} {
				power, nan, post := scaling64.scale(v, y, x)
				require.Equal(t, [3]any{0, false, false}, [3]any{power, nan, post}, "%#x / %#x", x, y)
			}
		}
		require.Equal(t, divFixupF64(q, y, x), fixup64(q, y, x), "%#x: %#x / %#x", q, x, y)
	}
	require.Greater(t, plain, 4000)
}

// TestDivisionStepsOfDoublesInWholeWaves compares them with those of each lane, in
// waves of which no lane needs more, and in some of which one does.
func TestDivisionStepsOfDoublesInWholeWaves(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	for round := range 200 {
		w := newWave()
		w.SetExec([]uint64{full, r.Uint64()}[round%2])
		for reg := 4; reg < 10; reg += 2 {
			for l := range 64 {
				x := r.Uint64()&(1<<63|1<<52-1) | uint64(1000+r.IntN(46))<<52
				if round%4 > 1 && l == 17 {
					x = samples.Value(r, 'F')
				}
				w.V[reg][l], w.V[reg+1][l] = uint32(x), uint32(x>>32)
			}
		}
		w.setS64(VccLo, []uint64{0, 1 << 17, r.Uint64()}[r.IntN(3)])
		before, vcc := append([]Lanes(nil), w.V...), w.Vcc()
		words := long(t, "v_div_scale_f64", v(20), v(8-2*(round%3/2)), v(6), v(8))
		words[0] |= VccLo << 8
		bind(t, words)(w)
		scaled := w.Vcc()
		w.setS64(VccLo, vcc)
		bind(t, long(t, "v_div_fmas_f64", v(22), v(4), v(6), v(8)))(w)
		of := func(reg, l int) uint64 { return join(before[reg][l], before[reg+1][l]) }
		for l := range 64 {
			if w.Exec()>>l&1 == 0 {
				require.Equal(t, before[20][l], w.V[20][l])
				require.Equal(t, before[23][l], w.V[23][l])
				require.Zero(t, scaled>>l&1)
				continue
			}
			s, post := divScaleF64(of(8-2*(round%3/2), l), of(6, l), of(8, l), false)
			require.Equal(t, s, join(w.V[20][l], w.V[21][l]), "lane %d", l)
			require.Equal(t, post, scaled>>l&1 != 0, "lane %d", l)
			f, _ := divFmasF64(of(4, l), of(6, l), of(8, l), vcc>>l&1 != 0)
			require.Equal(t, f, join(w.V[22][l], w.V[23][l]), "lane %d", l)
		}
	}
}

func TestDivisionSequenceOfSinglesRoundsCorrectly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for i := 0; i < 300000; i++ {
		n, d := samples.Value(r, 'f'), samples.Value(r, 'f')
		switch i % 3 {
		case 0:
			n, d = uint64(r.Uint32()&0x80ffffff), uint64(r.Uint32()&0x80ffffff|0x3f000000) // tiny quotients
		case 1: // exponents where the steps change what they do
			e, apart := r.IntN(255), []int{-150, -127, -96, 0, 96, 127}[r.IntN(6)]+r.IntN(5)-2
			n = uint64(r.Uint32()&0x807fffff) | uint64(min(max(e+apart, 0), 254))<<23
			d = uint64(r.Uint32()&0x807fffff) | uint64(e)<<23
		}
		want := math.Float32bits(float(uint32(n)) / float(uint32(d)))
		got := uint32(divide32(n, d))
		if isNaN32(want) {
			require.True(t, isNaN32(got), "%#x / %#x = %#x", n, d, got)
			continue
		}
		require.Equal(t, want, got, "%#x / %#x = %#x, want %#x", n, d, got, want)
	}
}

func TestDivisionSequenceOfDoublesRoundsCorrectly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 6))
	for i := 0; i < 300000; i++ {
		n, d := samples.Value(r, 'F'), samples.Value(r, 'F')
		switch i % 3 {
		case 0:
			n = r.Uint64() & (1<<63 | 1<<55 - 1)
			d = r.Uint64()&(1<<63|1<<53-1) | 0x3f0<<52
		case 1:
			e, apart := r.IntN(2047), []int{-1075, -1023, -768, 0, 768, 1023}[r.IntN(6)]+r.IntN(5)-2
			n = r.Uint64()&(1<<63|1<<52-1) | uint64(min(max(e+apart, 0), 2046))<<52
			d = r.Uint64()&(1<<63|1<<52-1) | uint64(e)<<52
		}
		want := math.Float64bits(double(n) / double(d))
		got := divide64(n, d)
		if orderF64.isNaN(want) {
			require.True(t, orderF64.isNaN(got), "%#x / %#x = %#x", n, d, got)
			continue
		}
		require.Equal(t, want, got, "%#x / %#x = %#x, want %#x", n, d, got, want)
	}
}

// The operands are those that AMD has tried on gfx1100 and gfx1201.
func TestDivScaleFollowsSilicon(t *testing.T) {
	for _, c := range []struct {
		what   string
		n, d   float64
		ns, ds float64
		post   bool
	}{
		{"ordinary operands stay", 2, 3, 2, 3, false},
		{"a denormal numerator, far from the denominator", 0x1p-140, 1, 0x1p-76, 1, true},
		{"the least normal numerator", 0x1p-126, 1, 0x1p-62, 1, true},
		{"a large denominator, far from the numerator", 0x1p-10, 0x1p127, 0x1p-10, 0x1p63, true},
		{"a large denominator, near by", 0x1p31, 0x1p126, 0x1p-33, 0x1p62, false},
		{"a large denominator, not so near", 1, 0x1p126, 1, 0x1p62, true},
		{"exponents 100 apart", 0x1p-30, 0x1p70, 0x1p34, 0x1p70, true},
		{"exponents 96 apart", 0x1p-30, 0x1p66, 0x1p34, 0x1p66, true},
		{"exponents 95 apart", 0x1p-30, 0x1p65, 0x1p-30, 0x1p65, false},
		{"exponents 89 apart", 0x1p-24, 0x1p65, 0x1p-24, 0x1p65, false},
		{"exponents 120 apart, the numerator's above", 0x1p100, 0x1p-20, 0x1p100, 0x1p44, true},
		{"exponents 95 apart, the numerator's above", 0x1p75, 0x1p-20, 0x1p75, 0x1p-20, false},
		{"a denormal denominator", 0x1p-53, 0x1p-149, 0x1p11, 0x1p-85, false},
		{"a numerator at the limit", 0x1p-103, 0x1p-126, 0x1p-39, 0x1p-62, false},
		{"a numerator above the limit", 0x1p-102, 0x1p-126, 0x1p-102, 0x1p-126, false},
	} {
		f := func(x float64) uint64 { return fromSingle(float32(x)) }
		ns, post := divScaleF32(f(c.n), f(c.d), f(c.n), false)
		require.Equal(t, f(c.ns), ns, c.what)
		require.Equal(t, c.post, post, c.what)
		ds, post := divScaleF32(f(c.d), f(c.d), f(c.n), false)
		require.Equal(t, f(c.ds), ds, c.what)
		require.Equal(t, c.post, post, c.what)
	}
	for _, c := range [][3]float64{{0x1p-1040, 1, 0x1p-912}, {0x1p-970, 0x1p-1022, 0x1p-842}, {0x1p-969, 0x1p-1022, 0x1p-969}} {
		n, d := math.Float64bits(c[0]), math.Float64bits(c[1])
		ns, _ := divScaleF64(n, d, n, false)
		require.Equal(t, c[2], double(ns), "%x / %x", c[0], c[1])
	}
	d, _ := divScaleF64(math.Float64bits(0x1p1023), math.Float64bits(0x1p1023), math.Float64bits(0x1p-10), false)
	require.Equal(t, 0x1p895, double(d))
}

// A zero is as far from other numbers as its exponent says.
func TestDivScaleOfZerosAndNaNs(t *testing.T) {
	const one, inf, sNaN, nan = 0x3f800000, 0x7f800000, 0x7f800123, 0xffc00000
	for _, c := range []struct {
		x, d, n, want uint64
		post          bool
	}{
		{one, 0, one, nan, true}, {0, 0, one, nan, true}, {0, one, 0, nan, true}, {one, one, 0, nan, true},
		{0, 0, 0, nan, true}, {inf, 0, inf, nan, true}, {inf, inf, 0, nan, true},
		{inf, one, inf, inf, true}, {sNaN, one, sNaN, sNaN | quiet32, true}, {one, one, sNaN, 0x5f800000, true},
	} {
		got, post := divScaleF32(c.x, c.d, c.n, false)
		require.Equal(t, [2]any{c.want, c.post}, [2]any{got, post}, "%+v", c)
	}
	for _, c := range [][2]float64{{1, 0}, {0, 1}} {
		n, d := math.Float64bits(c[0]), math.Float64bits(c[1])
		got, post := divScaleF64(n, d, n, false)
		require.Equal(t, uint64(0xfff8000000000000), got)
		require.True(t, post)
	}
}

// TestDivisionStepsFollowMode has what was measured of directions and denormals.
func TestDivisionStepsFollowMode(t *testing.T) {
	const tiny, huge, nan = 0x04800000, 0x7b800000, 0x7fc00000 // 2^-118 and 2^120
	step := func(name string, mode, a, b, c uint32) uint32 {
		w := newWave()
		w.Mode = mode
		for n, x := range []uint32{a, b, c} {
			w.V[4+4*n].fill(x)
		}
		Bind(inst(t, long(t, name, v(20), v(4), v(8), v(12))), true)(w)
		return w.V[20][5]
	}
	for to, want := range map[rounding][4]uint32{
		toNearest: {0, 1 << 31, 0x7f800000, 0xff800000}, upward: {1, 1 << 31, 0x7f800000, 0xff7fffff},
		downward: {0, 1<<31 | 1, 0x7f7fffff, 0xff800000}, towardZero: {0, 1 << 31, 0x7f7fffff, 0xff7fffff},
	} {
		mode := usualMode | uint32(to)
		require.Equal(t, want[0], step("v_div_fixup_f32", mode, nan, huge, tiny), "%d", to)
		require.Equal(t, want[1], step("v_div_fixup_f32", mode, nan, huge, tiny|1<<31), "%d", to)
		require.Equal(t, want[2], step("v_div_fixup_f32", mode, nan, tiny, huge), "%d", to)
		require.Equal(t, want[3], step("v_div_fixup_f32", mode, nan, tiny|1<<31, huge), "%d", to)
	}
	flush := uint32(usualMode &^ denorms32)
	one := bitsOf(1)
	require.Equal(t, uint32(1), step("v_div_fixup_f32", flush, 1, one, one), "a quotient keeps its denormals")
	require.Equal(t, uint32(0), step("v_div_fixup_f32", flush, one, one, 1), "a numerator does not")
	require.Equal(t, uint32(1), step("v_div_fmas_f32", usualMode&^denormIn32, 1, one, 0), "operands of the last step do")
	require.Equal(t, uint32(0), step("v_div_fmas_f32", flush, 1, one, 0), "its result does not")
	require.Equal(t, uint32(0xffc00000), step("v_div_scale_f32", flush, 1, one, 1), "a denormal numerator is a zero")
	require.Equal(t, uint32(0x7bff), step("v_div_fixup_f16", usualMode|halfOverflow, 0x7e00, 0x0400, 0x7800)&0xffff, "halves stay finite where MODE says so")
}

func TestDivFixupFollowsTheManual(t *testing.T) {
	inf, nan := uint64(0x7f800000), uint64(0x7fa00000)
	for _, c := range []struct{ q, d, n, want uint64 }{
		{0x3f800000, nan, 0x40000000, nan | 1<<22},
		{0x3f800000, 0x40000000, nan, nan | 1<<22},
		{0x3f800000, 0, 0, 0xffc00000},
		{0x3f800000, inf, inf | 1<<31, 0xffc00000},
		{0x3f800000, 1 << 31, 0x40000000, inf | 1<<31},
		{0x3f800000, 0x40000000, inf, inf},
		{0x3f800000, inf | 1<<31, 0x40000000, 1 << 31},
		{0x3f800000, 0x40000000, 0, 0},
		{0xbf800000, 0x40000000, 0x40000000, 0x3f800000},
		{0x3f800000, 0xc0000000, 0x40000000, 0xbf800000},
		{0x3f800000, 0x7f000000, 0x00800000, 0},
		{0x7fc00000, 0x00080000, 0x71800000, inf},
	} {
		require.Equal(t, c.want, divFixupF32(c.q, c.d, c.n), "%+v", c)
	}
}

func TestFmasScaleBackWithOneRounding(t *testing.T) {
	wide := func(x float64) *big.Float { return new(big.Float).SetPrec(6000).SetFloat64(x) }
	r := rand.New(rand.NewPCG(9, 9))
	for i := 0; i < 20000; i++ {
		a, b := 1+r.Float64(), (1+r.Float64())*0x1p-50
		c := (1 + r.Float64()) * math.Ldexp(1, -890-r.IntN(60))
		a = math.Ldexp(a, -900-r.IntN(60))
		got, _ := divFmasF64(math.Float64bits(a), math.Float64bits(b), math.Float64bits(c), true)
		product := wide(0).Mul(wide(a), wide(b))
		exactly := wide(0).SetMantExp(product.Add(product, wide(c)), -128)
		want, _ := exactly.Float64()
		require.Equal(t, want, double(got), "%x*%x+%x", a, b, c)
	}
}
