package alu

import "math"

// A division is a sequence of instructions: div_scale moves operands away from the ends of the exponent range, fmas
// refine a reciprocal, div_fmas does the last step and undoes the scaling, div_fixup handles special operands.

// Scaling holds the limits of a format's division.
type Scaling struct {
	Format
	by   int // power of two that operands are scaled with
	near int // exponents that are so far apart have quotients near the ends of the range
	tiny int // numerators with at most this biased exponent are scaled
}

// Limits of the division of singles and of doubles.
var (
	Scaling32 = Scaling{FormatF32, 64, 96, 24}
	Scaling64 = Scaling{FormatF64, 128, 768, 53}
)

// scale returns the power of two by which x, which is the denominator d or the numerator n, is multiplied, and whether
// div_fmas has to undo it. It compares biased exponents only, as gfx1100 and gfx1201 were measured to do; the manual's
// text has denormal quotients and reciprocals as conditions instead. Zeros give NaN.
func (s *Scaling) scale(x, d, n uint64) (power int, nan, post bool) {
	magnitude := uint64(1)<<(s.Mantissa+s.Exponent) - 1
	en, ed := s.biased(n), s.biased(d)
	isD := x == d
	switch apart := en - ed; {
	case apart >= s.near: // the quotient is near the largest number
		post = true
		if isD {
			power = s.by
		}
	case ed == 0:
		power = s.by
	case ed >= 2*s.Bias()-1: // the reciprocal is denormal, or nearly so
		post = apart <= -s.near
		if isD || !post {
			power = -s.by
		}
	case apart <= -s.near: // the quotient is near the least number
		post = true
		if !isD {
			power = s.by
		}
	case en <= s.tiny:
		power = s.by
	}
	if (d|n)&magnitude == 0 {
		post = true // as of any other zero
	}
	return power, d&magnitude == 0 || n&magnitude == 0, post
}

// unscaled returns x, and NaNs quiet. The manual requires x to be d or n; other values are returned as they are.
func (s *Scaling) unscaled(x, d, n uint64) uint64 {
	if s.fraction(x) != 0 && s.biased(x) == 1<<s.Exponent-1 && (x == d || x == n) {
		x |= 1 << (s.Mantissa - 1)
	}
	return x
}

// DivScaleF32 computes v_div_scale_f32 of one lane.
func DivScaleF32(a, b, c uint64, _ bool) (uint64, bool) {
	power, nan, post := Scaling32.scale(a, b, c)
	if nan {
		return OrderF32.nanOf(0, 0, 0), post
	}
	if power == 0 || IsNaN32(uint32(a)) {
		return Scaling32.unscaled(a, b, c), post
	}
	return FromSingle(float32(math.Ldexp(Single(a), power))), post
}

// DivScaleF64 computes v_div_scale_f64 of one lane.
func DivScaleF64(a, b, c uint64, _ bool) (uint64, bool) {
	power, nan, post := Scaling64.scale(a, b, c)
	if nan {
		return OrderF64.nanOf(0, 0, 0), post
	}
	if power == 0 || OrderF64.IsNaN(a) {
		return Scaling64.unscaled(a, b, c), post
	}
	return math.Float64bits(math.Ldexp(Double(a), power)), post
}

// DivFmasF32 takes the direction from the quotient so far, c: a large one comes
// from a denominator that was scaled up, a small one from a numerator.
func DivFmasF32(a, b, c uint64, post bool) (uint64, bool) {
	x, y, z := Float(uint32(a)), Float(uint32(b)), Float(uint32(c))
	if !post {
		return SingleOf(fma32(x, y, z), a, b, c), false
	}
	p := float64(x) * float64(y)
	s := oddSum(p, float64(z), p+float64(z))
	power := -Scaling32.by
	if FormatF32.biased(c) > FormatF32.Bias() {
		power = Scaling32.by
	}
	return SingleOf(float32(math.Ldexp(s, power)), a, b, c), false
}

// DivFmasF64 computes v_div_fmas_f64 of one lane.
func DivFmasF64(a, b, c uint64, post bool) (uint64, bool) {
	x, y, z := Double(a), Double(b), Double(c)
	f := math.FMA(x, y, z)
	if !post {
		return DoubleOf(f, a, b, c), false
	}
	if math.IsInf(f, 0) {
		return Arithmetic{Format: FormatF64}.DivFmas(&Scaling64)(a, b, c, true)
	}
	if FormatF64.biased(c) > FormatF64.Bias() {
		return DoubleOf(math.Ldexp(f, Scaling64.by), a, b, c), false
	}
	return DoubleOf(shrink(f, restFMA(x, y, z, f), Scaling64.by), a, b, c), false
}

// restFMA returns the difference of x*y+z and f, the float64 next to it: its sign and whether it is 0 are exact. z is
// below 2.
func restFMA(x, y, z, f float64) float64 {
	p := float64(x * y)
	if math.Abs(p) < 0x1p-800 { // parts of the product may be too small for a float64
		if math.Abs(x) > math.Abs(y) {
			x, y = y, x
		}
		x, z, f = x*0x1p600, z*0x1p600, f*0x1p600
		if p = float64(x * y); p == 0 && x != 0 && y != 0 {
			return math.Copysign(1, x) * math.Copysign(1, y) // z is f
		}
	}
	low := math.FMA(x, y, -p)
	s := p + z
	back := s - p
	rest := (p - (s - back)) + (z - back)
	return ((s - f) + rest) + low
}

// shrink divides f+rest, of which f is the nearest float64, by a power of two with one rounding.
func shrink(f, rest float64, power int) float64 {
	x := math.Float64bits(f)
	drop := power + 1 - FormatF64.biased(x)
	if drop <= 0 || rest == 0 || f == 0 || rest != rest {
		return math.Ldexp(f, -power)
	}
	drop = min(drop, 60)
	m := FormatF64.fraction(x) | 1<<52
	if (rest < 0) == (f > 0) {
		m--
	}
	r, below, tie := m>>drop, m&(1<<drop-1), uint64(1)<<(drop-1)
	if below >= tie {
		r++ // something is left below: no tie
	}
	return math.Float64frombits(x&(1<<63) | r)
}

// Fixup returns the quotient of n and d: q for usual operands, the defined result for special ones, and a rounded result
// if the quotient is out of range.
func (e Arithmetic) Fixup(q, d, n uint64) uint64 {
	top := e.Mantissa + e.Exponent
	sign := (d ^ n) >> top & 1 << top
	magnitude := uint64(1)<<top - 1
	inf := (uint64(1)<<e.Exponent - 1) << e.Mantissa
	quiet := uint64(1) << (e.Mantissa - 1)
	ad, an := d&magnitude, n&magnitude
	beyond := 2 << e.Exponent // an exponent
	switch {
	case an > inf:
		return n | quiet
	case ad > inf:
		return d | quiet
	case ad == 0 && an == 0, ad == inf && an == inf:
		return 1<<top | inf | quiet
	case ad == 0 || an == inf:
		return sign | inf
	case ad == inf || an == 0:
		return sign
	case e.biased(n)-e.biased(d) < -e.Bias()-int(e.Mantissa):
		beyond = -beyond
	case q&magnitude < inf:
		return sign | q&magnitude
	}
	return e.Rounded(Number{is: isFinite, neg: sign != 0, exp: beyond, hi: 1 << 63})
}

// plainly rounds to the nearest, with denormals.
func plainly(f Format) Arithmetic { return Arithmetic{Format: f} }

func divFixupF16(a, b, c uint64) uint64 { return plainly(FormatF16).Fixup(a, b&0xffff, c&0xffff) }

// DivFixupF32 computes v_div_fixup_f32 of one lane.
func DivFixupF32(a, b, c uint64) uint64 { return plainly(FormatF32).Fixup(a, b, c) }
func divFixupF64(a, b, c uint64) uint64 { return plainly(FormatF64).Fixup(a, b, c) }
