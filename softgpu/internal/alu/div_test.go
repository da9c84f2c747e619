package alu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/stretchr/testify/require"
)

// divide32 is the sequence that compilers emit for a correctly rounded quotient of singles.
func divide32(n, d uint64) uint64 {
	one := FromSingle(1)
	neg := func(x uint64) uint64 { return x ^ 1<<31 }
	fma := func(a, b, c uint64) uint64 {
		return FromSingle(fma32(Float(uint32(a)), Float(uint32(b)), Float(uint32(c))))
	}
	ds, _ := DivScaleF32(d, d, n, false)
	ns, post := DivScaleF32(n, d, n, false)
	rcp := FromSingle(Rcp32(Float(uint32(ds))))
	e := fma(neg(ds), rcp, one)
	x := fma(e, rcp, rcp)
	q := fma(ns, x, 0)
	q1 := fma(fma(neg(ds), q, ns), x, q)
	r, _ := DivFmasF32(fma(neg(ds), q1, ns), x, q1, post)
	return DivFixupF32(r, d, n)
}

// divide64 is the sequence for doubles.
func divide64(n, d uint64) uint64 {
	one := math.Float64bits(1)
	neg := func(x uint64) uint64 { return x ^ 1<<63 }
	fma := func(a, b, c uint64) uint64 { return DoubleOf(math.FMA(Double(a), Double(b), Double(c)), a, b, c) }
	ds, _ := DivScaleF64(d, d, n, false)
	ns, post := DivScaleF64(n, d, n, false)
	rcp := math.Float64bits(rcp64(Double(ds)))
	x := fma(fma(neg(ds), rcp, one), rcp, rcp)
	x = fma(fma(neg(ds), x, one), x, x)
	q := math.Float64bits(Double(ns) * Double(x))
	r, _ := DivFmasF64(fma(neg(ds), q, ns), x, q, post)
	return fixup64(r, d, n)
}

// fixup64 is one lane of FixupF64.
func fixup64(q, d, n uint64) uint64 {
	var in [3]Pair
	for k, x := range []uint64{q, d, n} {
		in[k][0].Fill(uint32(x))
		in[k][1].Fill(uint32(x >> 32))
	}
	FixupF64(&in[0][0], &in[0][1], &in[0][0], &in[0][1], &in[1][0], &in[1][1], &in[2][0], &in[2][1])
	return Join(in[0][0][63], in[0][1][63])
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
		num.Fill(0x3ff00000)
		den.Fill(0x40000000)
		num[n%64], den[n%64] = uint32(x>>32), uint32(y>>32)
		ok := PlainDivision(&num, &den, &Divisions64)
		require.Equal(t, portablePlainDivision(&num, &den, &Divisions64), ok, "%#x / %#x", x, y)
		if ok {
			plain++
			for _, v := range []uint64{x, y} {
				power, nan, post := Scaling64.scale(v, y, x)
				require.Equal(t, [3]any{0, false, false}, [3]any{power, nan, post}, "%#x / %#x", x, y)
			}
		}
		require.Equal(t, divFixupF64(q, y, x), fixup64(q, y, x), "%#x: %#x / %#x", q, x, y)
	}
	require.Greater(t, plain, 4000)
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
		want := math.Float32bits(Float(uint32(n)) / Float(uint32(d)))
		got := uint32(divide32(n, d))
		if IsNaN32(want) {
			require.True(t, IsNaN32(got), "%#x / %#x = %#x", n, d, got)
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
		want := math.Float64bits(Double(n) / Double(d))
		got := divide64(n, d)
		if OrderF64.IsNaN(want) {
			require.True(t, OrderF64.IsNaN(got), "%#x / %#x = %#x", n, d, got)
			continue
		}
		require.Equal(t, want, got, "%#x / %#x = %#x, want %#x", n, d, got, want)
	}
}

// The operands are those that AMD has tried on gfx1100 and gfx1201.
func TestDivScaleFollowsMeasuredChips(t *testing.T) {
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
		f := func(x float64) uint64 { return FromSingle(float32(x)) }
		ns, post := DivScaleF32(f(c.n), f(c.d), f(c.n), false)
		require.Equal(t, f(c.ns), ns, c.what)
		require.Equal(t, c.post, post, c.what)
		ds, post := DivScaleF32(f(c.d), f(c.d), f(c.n), false)
		require.Equal(t, f(c.ds), ds, c.what)
		require.Equal(t, c.post, post, c.what)
	}
	for _, c := range [][3]float64{{0x1p-1040, 1, 0x1p-912}, {0x1p-970, 0x1p-1022, 0x1p-842}, {0x1p-969, 0x1p-1022, 0x1p-969}} {
		n, d := math.Float64bits(c[0]), math.Float64bits(c[1])
		ns, _ := DivScaleF64(n, d, n, false)
		require.Equal(t, c[2], Double(ns), "%x / %x", c[0], c[1])
	}
	d, _ := DivScaleF64(math.Float64bits(0x1p1023), math.Float64bits(0x1p1023), math.Float64bits(0x1p-10), false)
	require.Equal(t, 0x1p895, Double(d))
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
		{inf, one, inf, inf, true}, {sNaN, one, sNaN, sNaN | Quiet32, true}, {one, one, sNaN, 0x5f800000, true},
	} {
		got, post := DivScaleF32(c.x, c.d, c.n, false)
		require.Equal(t, [2]any{c.want, c.post}, [2]any{got, post}, "%+v", c)
	}
	for _, c := range [][2]float64{{1, 0}, {0, 1}} {
		n, d := math.Float64bits(c[0]), math.Float64bits(c[1])
		got, post := DivScaleF64(n, d, n, false)
		require.Equal(t, uint64(0xfff8000000000000), got)
		require.True(t, post)
	}
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
		require.Equal(t, c.want, DivFixupF32(c.q, c.d, c.n), "%+v", c)
	}
}

func TestFmasScaleBackWithOneRounding(t *testing.T) {
	wide := func(x float64) *big.Float { return new(big.Float).SetPrec(6000).SetFloat64(x) }
	r := rand.New(rand.NewPCG(9, 9))
	for i := 0; i < 20000; i++ {
		a, b := 1+r.Float64(), (1+r.Float64())*0x1p-50
		c := (1 + r.Float64()) * math.Ldexp(1, -890-r.IntN(60))
		a = math.Ldexp(a, -900-r.IntN(60))
		if i%4 == 0 { // the product is too small for a float64, and c half way between two results
			a, b = math.Ldexp(a, -110), math.Ldexp(b, -r.IntN(1000))
			c = math.Float64frombits(math.Float64bits(math.Ldexp(c, -890-math.Ilogb(c)))&^0xf | 8)
			c = math.Ldexp(c, -8)
		}
		if i%3 == 0 {
			b = -b
		}
		got, _ := DivFmasF64(math.Float64bits(a), math.Float64bits(b), math.Float64bits(c), true)
		product := wide(0).Mul(wide(a), wide(b))
		exactly := wide(0).SetMantExp(product.Add(product, wide(c)), -128)
		want, _ := exactly.Float64()
		require.Equal(t, want, Double(got), "%x*%x+%x", a, b, c)
	}
}
