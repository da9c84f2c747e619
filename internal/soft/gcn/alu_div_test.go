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
	fma := onF64x3(math.FMA)
	ds, _ := divScaleF64(d, d, n, false)
	ns, post := divScaleF64(n, d, n, false)
	rcp := math.Float64bits(rcp64(double(ds)))
	x := fma(fma(neg(ds), rcp, one), rcp, rcp)
	x = fma(fma(neg(ds), x, one), x, x)
	q := math.Float64bits(double(ns) * double(x))
	r, _ := divFmasF64(fma(neg(ds), q, ns), x, q, post)
	return divFixupF64(r, d, n)
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
