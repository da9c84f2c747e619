package alu

import "math"

// Arithmetic computes in one format according to MODE. It is slow and complete; rows use faster functions in the usual
// MODE.
type Arithmetic struct {
	Format
	To      Rounding
	Stay    bool // finite numbers do not overflow
	flushes bool // numbers below the least normal one are zeros
}

// ArithmeticOf returns the arithmetic of f16, f32 or f64 under a MODE.
func ArithmeticOf(k Kind, mode uint32) Arithmetic {
	_, out := k.Denormals()
	flushes := mode&out == 0
	switch k {
	case F16, Pf16:
		return Arithmetic{FormatF16, Rounding(mode >> 2 & 3), mode&HalfOverflow != 0, flushes}
	case F64:
		return Arithmetic{FormatF64, Rounding(mode >> 2 & 3), false, flushes}
	}
	return Arithmetic{FormatF32, Rounding(mode & 3), false, flushes}
}

// Rounded returns the bits of n, rounded according to MODE.
func (e Arithmetic) Rounded(n Number) uint64 {
	if e.flushes && e.tiny(n) {
		n = Number{neg: n.neg}
	}
	return e.round(n, e.To, e.Stay)
}

// tiny reports whether a number is below the least normal one after rounding to as many bits as a normal number has.
// Chips flush such a number also if rounding to a denormal, which has fewer bits, would give the least normal number:
// gfx942 and gfx1201 do, as measured (docs/soft.md).
func (e Arithmetic) tiny(n Number) bool {
	least := 1 - e.Bias()
	if n.is != isFinite || n.exp >= least {
		return false
	}
	up := uint64(2) << e.Mantissa // twice the least normal number
	return n.exp < least-1 || e.round(n.scaled(1), e.To, false)&^(1<<(e.Mantissa+e.Exponent)) != up
}

// Add adds a and b.
func (e Arithmetic) Add(a, b, _ uint64) uint64 {
	return e.Rounded(e.Number(a).plus(e.Number(b), e.To))
}

// Sub subtracts b from a.
func (e Arithmetic) Sub(a, b, _ uint64) uint64 {
	return e.Rounded(e.Number(a).plus(e.Number(b).opposite(), e.To))
}

// Subrev subtracts a from b.
func (e Arithmetic) Subrev(a, b, _ uint64) uint64 { return e.Sub(b, a, 0) }

// Mul multiplies a and b.
func (e Arithmetic) Mul(a, b, _ uint64) uint64 { return e.Rounded(e.Number(a).times(e.Number(b))) }

// Fused is a times b plus c before it is rounded.
func (e Arithmetic) Fused(a, b, c uint64) Number {
	x, y, z := e.Number(a), e.Number(b), e.Number(c)
	if z.is == isNaN && x.is != isNaN && y.is != isNaN {
		return z
	}
	return x.times(y).plus(z, e.To)
}

// Fma is a times b plus c, rounded once.
func (e Arithmetic) Fma(a, b, c uint64) uint64 { return e.Rounded(e.Fused(a, b, c)) }

// opposite negates a number. NaNs keep their sign.
func (n Number) opposite() Number {
	if n.is == isNaN {
		return n
	}
	return n.negated()
}

// MulLegacy is a product in which 0 times anything is 0.
func (e Arithmetic) MulLegacy(a, b, _ uint64) uint64 {
	if e.Number(a).is == isZero || e.Number(b).is == isZero {
		return 0
	}
	return e.Mul(a, b, 0)
}

// FmaLegacy is a times b plus c, rounded once, in which 0 times anything is 0.
func (e Arithmetic) FmaLegacy(a, b, c uint64) uint64 {
	if e.Number(a).is == isZero || e.Number(b).is == isZero {
		return e.Add(c, 0, 0)
	}
	return e.Fma(a, b, c)
}

// Flush takes denormals for zeros.
func (f Format) Flush(x uint64) uint64 {
	if f.biased(x) == 0 {
		return x & (1 << (f.Mantissa + f.Exponent))
	}
	return x
}

// Mad is a times b plus c, rounded twice. Denormal operands and results count as zeros, as in MadLegacy.
func (e Arithmetic) Mad(a, b, c uint64) uint64 {
	e.flushes = true
	p := e.Flush(e.Mul(e.Flush(a), e.Flush(b), 0))
	return e.Flush(e.Add(p, e.Flush(c), 0))
}

// MadLegacy is mad, where 0 times anything is 0.
func (e Arithmetic) MadLegacy(a, b, c uint64) uint64 {
	e.flushes = true
	p := e.Flush(e.MulLegacy(e.Flush(a), e.Flush(b), 0))
	return e.Flush(e.Add(p, e.Flush(c), 0))
}

// Fract is the distance from the integer below, always less than 1.
func (e Arithmetic) Fract(a, _, _ uint64) uint64 {
	n := e.Number(a)
	switch n.is {
	case isInf:
		return e.Rounded(invalid)
	case isNaN:
		return e.Rounded(n)
	}
	floor := math.Floor(Double(FormatF64.round(n, ToNearest, false)))
	r := e.Rounded(n.plus(FormatF64.Number(math.Float64bits(floor)).negated(), e.To))
	one := uint64(e.Bias()) << e.Mantissa
	if r == one {
		return one - 1
	}
	return r
}

// Ldexp multiplies by two to the power of b.
func (e Arithmetic) Ldexp(a uint64, b int) uint64 {
	return e.Rounded(e.Number(a).scaled(min(max(b, -5000), 5000)))
}

// ScaledBy is the output multiplier: x times two to the power of by. Zeros come out positive.
func (e Arithmetic) ScaledBy(x uint64, by int) uint64 {
	n := e.Number(x).scaled(by)
	if n.is == isZero {
		n.neg = false
	}
	return e.Rounded(n)
}

// From converts a number of another format.
func (e Arithmetic) From(f Format) LaneFunc {
	return func(a, _, _ uint64) uint64 { return e.Rounded(f.Number(a)) }
}

// DivScale and divFmas are the steps of a division that round.
func (e Arithmetic) DivScale(s *Scaling) FlagFunc {
	return func(a, b, c uint64, _ bool) (uint64, bool) {
		power, nan, post := s.scale(a, b, c)
		if nan {
			return e.Rounded(invalid), post
		}
		if power == 0 || e.Number(a).is == isNaN {
			return s.unscaled(a, b, c), post
		}
		return e.Rounded(e.Number(a).scaled(power)), post
	}
}

// DivFmas makes the last step of a division, which takes the scaling back.
func (e Arithmetic) DivFmas(s *Scaling) FlagFunc {
	return func(a, b, c uint64, post bool) (uint64, bool) {
		n := e.Fused(a, b, c)
		if post && e.biased(c) > e.Bias() {
			n = n.scaled(s.by)
		} else if post {
			n = n.scaled(-s.by)
		}
		return e.Rounded(n), false
	}
}
