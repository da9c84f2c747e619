package gcn

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
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
		return randomValue(r, 'F')
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
		require.Equal(t, scaling64.fixup(q, y, x), fixup64(q, y, x), "%#x: %#x / %#x", q, x, y)
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
					x = randomValue(r, 'F')
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
		n, d := randomValue(r, 'f'), randomValue(r, 'f')
		if i%3 == 0 {
			n, d = uint64(r.Uint32()&0x80ffffff), uint64(r.Uint32()&0x80ffffff|0x3f000000) // tiny quotients
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
		n, d := randomValue(r, 'F'), randomValue(r, 'F')
		if i%3 == 0 {
			n = r.Uint64() & (1<<63 | 1<<55 - 1)
			d = r.Uint64()&(1<<63|1<<53-1) | 0x3f0<<52
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

func TestDivScaleFollowsTheManual(t *testing.T) {
	f := func(x float64) uint64 { return fromSingle(float32(x)) }
	for _, c := range []struct {
		name    string
		x, d, n float64
		want    float64
		post    bool
	}{
		{"ordinary operands stay", 3, 3, 2, 3, false},
		{"near the largest number the denominator is scaled", 0x1p-60, 0x1p-60, 0x1p60, 0x1p4, true},
		{"and the numerator is not", 0x1p60, 0x1p-60, 0x1p60, 0x1p60, true},
		{"a denormal denominator is scaled", 0x1p-130, 0x1p-130, 0x1p-128, 0x1p-66, false},
		{"and so is its numerator", 0x1p-128, 0x1p-130, 0x1p-128, 0x1p-64, false},
		{"a denormal reciprocal scales down", 0x1.8p127, 0x1.8p127, 0x1p100, 0x1.8p63, false},
		{"a denormal quotient scales the numerator", 0x1p-80, 0x1p60, 0x1p-80, 0x1p-16, true},
		{"and not the denominator", 0x1p60, 0x1p60, 0x1p-80, 0x1p60, true},
		{"a tiny numerator is scaled", 0x1p-110, 0x1p-2, 0x1p-110, 0x1p-46, false},
	} {
		got, post := divScaleF32(f(c.x), f(c.d), f(c.n), false)
		require.Equal(t, f(c.want), got, c.name)
		require.Equal(t, c.post, post, c.name)
	}
	got, post := divScaleF32(f(0), f(0), f(1), false)
	require.True(t, isNaN32(uint32(got)))
	require.False(t, post)
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
	} {
		require.Equal(t, c.want, divFixupF32(c.q, c.d, c.n), "%+v", c)
	}
}

func TestFmasScaleBackWithOneRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for i := 0; i < 20000; i++ {
		a, b := 1+r.Float64(), (1+r.Float64())*0x1p-50
		c := (1 + r.Float64()) * math.Ldexp(1, -890-r.IntN(60))
		a = math.Ldexp(a, -900-r.IntN(60))
		got, _ := divFmasF64(math.Float64bits(a), math.Float64bits(b), math.Float64bits(c), true)
		exactly := new(big.Float).SetMantExp(bigFMA(a, b, c), -128)
		want, _ := exactly.Float64()
		require.Equal(t, want, double(got), "%x*%x+%x", a, b, c)
	}
}
