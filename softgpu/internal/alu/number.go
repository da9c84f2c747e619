package alu

import "math/bits"

// Number is a floating-point number of any format, or an exact sum or product
// of two: 1.f * 2^exp, the 1 at the top of hi. What does not fit into the 128
// bits is remembered as a set last bit.
type Number struct {
	is     class
	neg    bool
	exp    int
	hi, lo uint64 // a NaN's payload is at the top of hi
}

type class uint8

// The classes of numbers.
const (
	isZero class = iota
	isFinite
	isInf
	isNaN
)

// Number reads the bits of a number in a format.
func (f Format) Number(x uint64) Number {
	n := Number{neg: x>>(f.Mantissa+f.Exponent)&1 != 0, is: isFinite, exp: f.biased(x) - f.Bias(), hi: f.fraction(x)}
	switch {
	case f.biased(x) == 1<<f.Exponent-1:
		n.is, n.hi = isInf, n.hi<<(64-f.Mantissa)
		if n.hi != 0 {
			n.is = isNaN
		}
	case f.biased(x) != 0:
		n.hi = (n.hi | 1<<f.Mantissa) << (63 - f.Mantissa)
	case n.hi == 0:
		n.is = isZero
	default:
		up := bits.LeadingZeros64(n.hi)
		n.exp = 1 - f.Bias() + 63 - up - int(f.Mantissa)
		n.hi <<= up
	}
	return n
}

// Integer is x as a number.
func Integer(x int64) Number {
	if x == 0 {
		return Number{}
	}
	m := uint64(x)
	if x < 0 {
		m = -m
	}
	up := bits.LeadingZeros64(m)
	return Number{is: isFinite, neg: x < 0, exp: 63 - up, hi: m << up}
}

func (n Number) negated() Number {
	n.neg = !n.neg
	return n
}

// scaled multiplies by a power of two.
func (n Number) scaled(by int) Number {
	n.exp += by
	return n
}

// invalid is the NaN of operations that have no result: see nanOf.
var invalid = Number{is: isNaN, neg: true, hi: 1 << 63}

// times is the exact product.
func (n Number) times(m Number) Number {
	switch {
	case n.is == isNaN:
		return n
	case m.is == isNaN:
		return m
	case n.is == isInf && m.is == isZero, n.is == isZero && m.is == isInf:
		return invalid
	}
	r := Number{neg: n.neg != m.neg, exp: n.exp + m.exp + 1}
	switch {
	case n.is == isInf || m.is == isInf:
		r.is = isInf
		return r
	case n.is == isZero || m.is == isZero:
		return r
	}
	r.is = isFinite
	r.hi, r.lo = bits.Mul64(n.hi, m.hi)
	return r.normal()
}

// normal moves the first set bit to the top.
func (n Number) normal() Number {
	switch {
	case n.hi == 0 && n.lo == 0:
		n.is = isZero
		return n
	case n.hi == 0:
		n.hi, n.lo = n.lo, 0
		n.exp -= 64
	}
	up := bits.LeadingZeros64(n.hi)
	n.hi, n.lo = n.hi<<up|n.lo>>(64-up), n.lo<<up
	n.exp -= up
	return n
}

// plus is the sum, exact as far as rounding can tell. Rounding decides about
// the sign of a zero that comes from numbers that are none.
func (n Number) plus(m Number, to Rounding) Number {
	switch {
	case n.is == isNaN:
		return n
	case m.is == isNaN:
		return m
	case n.is == isInf && m.is == isInf && n.neg != m.neg:
		return invalid
	case n.is == isInf, m.is == isZero && n.is != isZero:
		return n
	case m.is == isInf, n.is == isZero && m.is != isZero:
		return m
	case n.is == isZero:
		if n.neg != m.neg {
			n.neg = to == Downward
		}
		return n
	}
	if m.exp > n.exp || m.exp == n.exp && (m.hi > n.hi || m.hi == n.hi && m.lo > n.lo) {
		n, m = m, n
	}
	hi, lo := shifted(m.hi, m.lo, uint(n.exp-m.exp))
	var carry uint64
	if n.neg == m.neg {
		n.lo, carry = bits.Add64(n.lo, lo, 0)
		n.hi, carry = bits.Add64(n.hi, hi, carry)
		if carry != 0 {
			n.lo = n.lo>>1 | n.hi<<63 | n.lo&1
			n.hi = n.hi>>1 | 1<<63
			n.exp++
		}
		return n
	}
	n.lo, carry = bits.Sub64(n.lo, lo, 0)
	n.hi, _ = bits.Sub64(n.hi, hi, carry)
	if n.hi == 0 && n.lo == 0 {
		return Number{neg: to == Downward}
	}
	return n.normal()
}

// shifted shifts right; the last bit reports whether something was lost.
func shifted(hi, lo uint64, by uint) (uint64, uint64) {
	switch {
	case by == 0:
		return hi, lo
	case by >= 128:
		return 0, 1
	case by >= 64:
		lost := lo
		if by > 64 {
			lost |= hi << (128 - by)
		}
		return 0, hi>>(by-64) | sticky(lost)
	}
	return hi >> by, lo>>by | hi<<(64-by) | sticky(lo<<(64-by))
}

func sticky(lost uint64) uint64 {
	if lost != 0 {
		return 1
	}
	return 0
}

// Rounding is a direction, numbered as in MODE.
type Rounding uint8

// The ways of rounding, by their numbers in MODE.
const (
	ToNearest Rounding = iota // ties to even
	Upward
	Downward
	TowardZero
)

// away reports whether to round away from zero. It gets the last bit that is kept, the comparison of the rest with half
// of that bit, and whether there is a rest.
func (to Rounding) away(neg, odd, inexact bool, overHalf int) bool {
	switch to {
	case ToNearest:
		return overHalf > 0 || overHalf == 0 && odd
	case Upward:
		return inexact && !neg
	case Downward:
		return inexact && neg
	}
	return false
}

// round returns the bits of n in a format. Finite numbers that overflow become
// the largest finite one if stay is set, or where the direction says so.
func (f Format) round(n Number, to Rounding, stay bool) uint64 {
	sign := uint64(0)
	if n.neg {
		sign = 1 << (f.Mantissa + f.Exponent)
	}
	inf := (uint64(1)<<f.Exponent - 1) << f.Mantissa
	switch n.is {
	case isZero:
		return sign
	case isInf:
		return sign | inf
	case isNaN:
		return sign | inf | n.hi>>(64-f.Mantissa) | 1<<(f.Mantissa-1)
	}
	least := 1 - f.Bias()
	drop := 63 - f.Mantissa
	biased := uint64(0)
	if n.exp >= least {
		biased = min(uint64(n.exp-least), 1<<f.Exponent)
	} else {
		drop += uint(min(least-n.exp, 64))
	}
	var kept, rest uint64 // rest has the bits that follow, the first one at the top
	switch {
	case drop < 64:
		kept, rest = n.hi>>drop, n.hi<<(64-drop)|sticky(n.lo)
	case drop == 64:
		rest = n.hi | sticky(n.lo)
	default:
		rest = 1
	}
	overHalf := 1
	switch {
	case rest < 1<<63:
		overHalf = -1
	case rest == 1<<63:
		overHalf = 0
	}
	if to.away(n.neg, kept&1 != 0, rest != 0, overHalf) {
		kept++
	}
	r := biased<<f.Mantissa + kept
	if r >= inf {
		r = inf
		if stay || to == TowardZero || to == Upward && n.neg || to == Downward && !n.neg {
			r--
		}
	}
	return sign | r
}
