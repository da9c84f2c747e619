package alu

import "math"

// Whole-wave kernels on singles. The conversions of products to float32 keep a
// compiler from fusing them with sums.

func portableAddF32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(SingleOf(Float(a[i])+Float(b[i]), uint64(a[i]), uint64(b[i]), 0))
	}
}

func portableSubF32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(SingleOf(Float(a[i])-Float(b[i]), uint64(a[i]), uint64(b[i]), 0))
	}
}

func portableSubrevF32(d, a, b *Lanes) { portableSubF32(d, b, a) }

func portableMulF32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(SingleOf(Float(a[i])*Float(b[i]), uint64(a[i]), uint64(b[i]), 0))
	}
}

func portableFmaF32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = uint32(SingleOf(fma32(Float(a[i]), Float(b[i]), Float(c[i])), uint64(a[i]), uint64(b[i]), uint64(c[i])))
	}
}

func portableMinF32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(OrderF32.Least(uint64(a[i]), uint64(b[i]), 0))
	}
}

func portableMaxF32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(OrderF32.Most(uint64(a[i]), uint64(b[i]), 0))
	}
}

// MadF32 is not fused, and flushes denormals whatever the mode says.
func MadF32(d, a, b, c *Lanes) {
	for i := range d {
		p := normalProduct(flushed(Float(a[i])), flushed(Float(b[i])))
		x := math.Float32bits(p + flushed(Float(c[i])))
		if e := x & 0x7f800000; e-1 >= 0x7f800000-1 { // no normal number
			x = ofMad(p, Float(x), a[i], b[i], c[i])
		}
		d[i] = x
	}
}

// normalProduct is a product that is zero where it would be denormal: see arithmetic.tiny.
func normalProduct(a, b float32) float32 {
	const tiny = 0x1p-126 - 0x1p-151 // smaller numbers round to less than the least normal number
	p := float64(a) * float64(b)     // exactly
	if math.Abs(p) < tiny {
		return float32(math.Copysign(0, p))
	}
	return float32(p)
}

// ofMad returns the bits of r, a product p of a and b to which c was added.
func ofMad(p, r float32, a, b, c uint32) uint32 {
	if r != r {
		return uint32(OrderF32.nanOfTwo(p, uint64(a), uint64(b), uint64(c)))
	}
	return math.Float32bits(flushed(r))
}

// portableFlushF32 takes zeros for denormals.
func portableFlushF32(d, a *Lanes) {
	for l, x := range a {
		d[l] = math.Float32bits(flushed(Float(x)))
	}
}

func flushed(x float32) float32 {
	if b := math.Float32bits(x); b&0x7f800000 == 0 {
		return Float(b & (1 << 31))
	}
	return x
}

// fma32 is a*b+c with one rounding. The product is exact in float64. The sum is rounded to float64 and then to float32,
// which gives a wrong result only if the first rounding ends on a tie between two float32, or among float32's denormals.
func fma32(a, b, c float32) float32 {
	p := float64(float64(a) * float64(b))
	s := p + float64(c)
	x := math.Float64bits(s)
	if x&0x1fffffff == 0x10000000 || x>>52&0x7ff < 1023-126 {
		s = oddSum(p, float64(c), s)
	}
	return float32(s)
}

// oddSum returns the sum of p and c, rounded to odd: inexact sums get an odd last bit, so that another rounding gives the
// right result. s is the float64 nearest to the sum.
func oddSum(p, c, s float64) float64 { return ToOdd(s, restOfSum(p, c, s)) }

// restOfSum is what s, the float64 nearest to a sum, leaves out.
func restOfSum(a, b, s float64) float64 {
	back := s - a
	return (a - (s - back)) + (b - back)
}

// TwoSum returns a sum, and its rounding error.
func TwoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	return sum, restOfSum(a, b, sum)
}

// ToOdd returns a float64 that rounds to any shorter format as s+rest does: s, the float64 next to the sum, or of the two
// around the sum the odd one.
func ToOdd(s, rest float64) float64 {
	x := math.Float64bits(s)
	if rest == 0 || x&1 != 0 || math.IsInf(s, 0) || rest != rest || s == 0 {
		return s
	}
	if (rest > 0) == (s > 0) {
		return math.Float64frombits(x + 1)
	}
	return math.Float64frombits(x - 1)
}

// fma16 is a*b+c on halves with one rounding.
func fma16(a, b, c uint64) uint64 {
	p, z := float64(Half(a))*float64(Half(b)), float64(Half(c))
	s := p + z
	// As in fma32: only a sum on a tie, or among the denormals, can round wrongly.
	if x := math.Float64bits(s); x&(1<<42-1) == 1<<41 || x>>52&0x7ff < 1023-14 {
		s = oddSum(p, z, s)
	}
	return HalfOf(s, a, b, c)
}

// MadF16 is a*b+c on halves, rounded twice. Denormals count as zeros, as in MadF32.
func MadF16(temp *[4]Pair, d, a, b, c *Lanes) {
	x, y := &temp[0][1], &temp[1][1]
	flushF16(x, a)
	flushF16(y, b)
	productF16(d, x, y, &temp[2][1])
	flushF16(y, c)
	AddF16(d, d, y)
	flushF16(d, d)
}

// productF16 multiplies halves that are not denormal, and gives zeros for denormal products. A product that rounds up to
// the least normal half may be one (Arithmetic.tiny).
func productF16(d, a, b, temp *Lanes) {
	MulF16(d, a, b)
	if AnyLeast(LeastF16, d, temp) {
		e := Arithmetic{Format: FormatF16, flushes: true}
		Bits2(d, a, b, func(a, b, _ uint64) uint64 { return e.Mul(a&0xffff, b&0xffff, 0) })
	}
	flushF16(d, d)
}

// portableFlushF16 takes the low halves, zeros for denormals.
func portableFlushF16(d, a *Lanes) {
	for l, x := range a {
		if x &= 0xffff; x&0x7c00 == 0 {
			x &= 0x8000
		}
		d[l] = x
	}
}

// IsNaN32 reports whether a single is a NaN.
func IsNaN32(x uint32) bool { return x&0x7fffffff > 0x7f800000 }

// Bits that make a NaN a quiet one, by format.
const (
	quiet16 = 1 << 9
	Quiet32 = 1 << 22
	quiet64 = 1 << 51
)

// MulLegacyF32 is a product in which 0 times anything is 0.
func MulLegacyF32(_ *[4]Pair, d, a, b, _ *Lanes) {
	MulF32(d, a, b)
	if m := EqualF32(a, &Zeros) | EqualF32(b, &Zeros); m != 0 {
		SelectLanes(d, d, &Zeros, m)
	}
}

// MadLegacy32 computes v_mad_legacy_f32.
func MadLegacy32(a, b, c uint64) uint64 {
	x, y := flushed(Float(uint32(a))), flushed(Float(uint32(b)))
	p := float32(0)
	if x != 0 && y != 0 {
		p = normalProduct(x, y)
	}
	return uint64(ofMad(p, p+flushed(Float(uint32(c))), uint32(a), uint32(b), uint32(c)))
}
