package gcn

import "math"

// arithmetic is how MODE asks for the results of one format. It is the slow
// and complete way: rows have faster ones for the usual MODE.
type arithmetic struct {
	format
	to      rounding
	stay    bool // finite numbers do not overflow
	flushes bool // numbers below the least normal one are zeros
}

// arithmeticOf returns the arithmetic of f16, f32 or f64 under a MODE.
func arithmeticOf(k kind, mode uint32) arithmetic {
	_, out := k.denormals()
	flushes := mode&out == 0
	switch k {
	case f16, pf16:
		return arithmetic{formatF16, rounding(mode >> 2 & 3), mode&halfOverflow != 0, flushes}
	case f64:
		return arithmetic{formatF64, rounding(mode >> 2 & 3), false, flushes}
	}
	return arithmetic{formatF32, rounding(mode & 3), false, flushes}
}

func (e arithmetic) rounded(n number) uint64 {
	if e.flushes && e.tiny(n) {
		n = number{neg: n.neg}
	}
	return e.round(n, e.to, e.stay)
}

// tiny tells whether a number is below the least normal one when it is rounded to
// the bits of a normal number, as if exponents had no end. Rounded to a denormal,
// which has fewer bits, it may be the least normal one. Silicon flushes it: gfx942
// and gfx1201 do, by what was measured (docs/soft.md).
func (e arithmetic) tiny(n number) bool {
	least := 1 - e.bias()
	if n.is != isFinite || n.exp >= least {
		return false
	}
	up := uint64(2) << e.mantissa // twice the least normal number
	return n.exp < least-1 || e.round(n.scaled(1), e.to, false)&^(1<<(e.mantissa+e.exponent)) != up
}

func (e arithmetic) add(a, b, _ uint64) uint64 {
	return e.rounded(e.number(a).plus(e.number(b), e.to))
}

func (e arithmetic) sub(a, b, _ uint64) uint64 {
	return e.rounded(e.number(a).plus(e.number(b).opposite(), e.to))
}

func (e arithmetic) subrev(a, b, _ uint64) uint64 { return e.sub(b, a, 0) }

func (e arithmetic) mul(a, b, _ uint64) uint64 { return e.rounded(e.number(a).times(e.number(b))) }

func (e arithmetic) fused(a, b, c uint64) number {
	x, y, z := e.number(a), e.number(b), e.number(c)
	if z.is == isNaN && x.is != isNaN && y.is != isNaN {
		return z
	}
	return x.times(y).plus(z, e.to)
}

func (e arithmetic) fma(a, b, c uint64) uint64 { return e.rounded(e.fused(a, b, c)) }

// opposite is negated but for NaNs, whose sign arithmetic does not change.
func (n number) opposite() number {
	if n.is == isNaN {
		return n
	}
	return n.negated()
}

// mulLegacy is a product in which 0 times anything is 0.
func (e arithmetic) mulLegacy(a, b, _ uint64) uint64 {
	if e.number(a).is == isZero || e.number(b).is == isZero {
		return 0
	}
	return e.mul(a, b, 0)
}

// flush takes denormals for zeros.
func (f format) flush(x uint64) uint64 {
	if f.biased(x) == 0 {
		return x & (1 << (f.mantissa + f.exponent))
	}
	return x
}

// mad and madLegacy round twice and know no denormals.
func (e arithmetic) mad(a, b, c uint64) uint64 {
	e.flushes = true
	p := e.flush(e.mul(e.flush(a), e.flush(b), 0))
	return e.flush(e.add(p, e.flush(c), 0))
}

func (e arithmetic) madLegacy(a, b, c uint64) uint64 {
	e.flushes = true
	p := e.flush(e.mulLegacy(e.flush(a), e.flush(b), 0))
	return e.flush(e.add(p, e.flush(c), 0))
}

// fract is the distance from the integer below, always less than 1.
func (e arithmetic) fract(a, _, _ uint64) uint64 {
	n := e.number(a)
	switch n.is {
	case isInf:
		return e.rounded(invalid)
	case isNaN:
		return e.rounded(n)
	}
	floor := math.Floor(double(formatF64.round(n, toNearest, false)))
	r := e.rounded(n.plus(formatF64.number(math.Float64bits(floor)).negated(), e.to))
	one := uint64(e.bias()) << e.mantissa
	if r == one {
		return one - 1
	}
	return r
}

// ldexp multiplies by two to the power of b.
func (e arithmetic) ldexp(a uint64, b int) uint64 {
	return e.rounded(e.number(a).scaled(min(max(b, -5000), 5000)))
}

// scaledBy is the output multiplier: x times two to the power of by. Zeros come out positive.
func (e arithmetic) scaledBy(x uint64, by int) uint64 {
	n := e.number(x).scaled(by)
	if n.is == isZero {
		n.neg = false
	}
	return e.rounded(n)
}

// from converts a number of another format.
func (e arithmetic) from(f format) laneFunc {
	return func(a, _, _ uint64) uint64 { return e.rounded(f.number(a)) }
}

// divScale and divFmas are the steps of a division that round.
func (e arithmetic) divScale(s *scaling) flagFunc {
	return func(a, b, c uint64, _ bool) (uint64, bool) {
		power, nan, post := s.scale(a, b, c)
		if nan {
			return e.rounded(invalid), post
		}
		if power == 0 || e.number(a).is == isNaN {
			return s.unscaled(a, b, c), post
		}
		return e.rounded(e.number(a).scaled(power)), post
	}
}

func (e arithmetic) divFmas(s *scaling) flagFunc {
	return func(a, b, c uint64, post bool) (uint64, bool) {
		n := e.fused(a, b, c)
		if post && e.biased(c) > e.bias() {
			n = n.scaled(s.by)
		} else if post {
			n = n.scaled(-s.by)
		}
		return e.rounded(n), false
	}
}
