package gcn

import "math"

// Division comes as a sequence of instructions: div_scale moves operands away
// from the ends of the exponent range, a reciprocal is refined by fmas,
// div_fmas does the last step and takes the scaling back, div_fixup handles
// the special operands.

// scaling holds the limits of a format's division.
type scaling struct {
	format
	by   int // power of two that operands are scaled with
	near int // exponents that are so far apart have quotients near the ends of the range
	tiny int // numerators with at most this biased exponent are scaled
}

// Limits of the division of singles and of doubles.
var (
	scaling32 = scaling{formatF32, 64, 96, 24}
	scaling64 = scaling{formatF64, 128, 768, 53}
)

// scale decides by denominator d and numerator n by which power of two x, one
// of the two, is multiplied, and whether div_fmas has to scale back. It looks at
// biased exponents alone, as gfx1100 and gfx1201 were measured to do; the manual's
// text asks for denormal quotients and reciprocals instead. Zeros give NaN.
func (s *scaling) scale(x, d, n uint64) (power int, nan, post bool) {
	magnitude := uint64(1)<<(s.mantissa+s.exponent) - 1
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
	case ed >= 2*s.bias()-1: // the reciprocal is denormal, or nearly so
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

// unscaled is x, quiet if it is a NaN; the manual wants x to be d or n, and what is
// neither is left alone.
func (s *scaling) unscaled(x, d, n uint64) uint64 {
	if s.fraction(x) != 0 && s.biased(x) == 1<<s.exponent-1 && (x == d || x == n) {
		x |= 1 << (s.mantissa - 1)
	}
	return x
}

func divScaleF32(a, b, c uint64, _ bool) (uint64, bool) {
	power, nan, post := scaling32.scale(a, b, c)
	if nan {
		return orderF32.nanOf(0, 0, 0), post
	}
	if power == 0 || isNaN32(uint32(a)) {
		return scaling32.unscaled(a, b, c), post
	}
	return fromSingle(float32(math.Ldexp(single(a), power))), post
}

func divScaleF64(a, b, c uint64, _ bool) (uint64, bool) {
	power, nan, post := scaling64.scale(a, b, c)
	if nan {
		return orderF64.nanOf(0, 0, 0), post
	}
	if power == 0 || orderF64.isNaN(a) {
		return scaling64.unscaled(a, b, c), post
	}
	return math.Float64bits(math.Ldexp(double(a), power)), post
}

// divFmasF32 takes the direction from the quotient so far, c: a large one comes
// from a denominator that was scaled up, a small one from a numerator.
func divFmasF32(a, b, c uint64, post bool) (uint64, bool) {
	x, y, z := float(uint32(a)), float(uint32(b)), float(uint32(c))
	if !post {
		return singleOf(fma32(x, y, z), a, b, c), false
	}
	p := float64(x) * float64(y)
	s := oddSum(p, float64(z), p+float64(z))
	power := -scaling32.by
	if formatF32.biased(c) > formatF32.bias() {
		power = scaling32.by
	}
	return singleOf(float32(math.Ldexp(s, power)), a, b, c), false
}

func divFmasF64(a, b, c uint64, post bool) (uint64, bool) {
	x, y, z := double(a), double(b), double(c)
	f := math.FMA(x, y, z)
	if !post {
		return doubleOf(f, a, b, c), false
	}
	if math.IsInf(f, 0) {
		return arithmetic{format: formatF64}.divFmas(&scaling64)(a, b, c, true)
	}
	if formatF64.biased(c) > formatF64.bias() {
		return doubleOf(math.Ldexp(f, scaling64.by), a, b, c), false
	}
	return doubleOf(shrink(f, restFMA(x, y, z, f), scaling64.by), a, b, c), false
}

// restFMA returns what is missing from f, the float64 next to x*y+z: its sign and whether it is 0 are exact.
func restFMA(x, y, z, f float64) float64 {
	p := float64(x * y)
	low := math.FMA(x, y, -p)
	s := p + z
	back := s - p
	rest := (p - (s - back)) + (z - back)
	return ((s - f) + rest) + low
}

// shrink divides f+rest, of which f is the nearest float64, by a power of two with one rounding.
func shrink(f, rest float64, power int) float64 {
	x := math.Float64bits(f)
	drop := power + 1 - formatF64.biased(x)
	if drop <= 0 || rest == 0 || f == 0 || rest != rest {
		return math.Ldexp(f, -power)
	}
	drop = min(drop, 60)
	m := formatF64.fraction(x) | 1<<52
	if (rest < 0) == (f > 0) {
		m--
	}
	r, below, tie := m>>drop, m&(1<<drop-1), uint64(1)<<(drop-1)
	if below >= tie {
		r++ // something is left below: no tie
	}
	return math.Float64frombits(x&(1<<63) | r)
}

// fixup returns the quotient of n and d in a format: q, unless they are special, or
// the quotient is out of range: then it is rounded.
func (e arithmetic) fixup(q, d, n uint64) uint64 {
	top := e.mantissa + e.exponent
	sign := (d ^ n) >> top & 1 << top
	magnitude := uint64(1)<<top - 1
	inf := (uint64(1)<<e.exponent - 1) << e.mantissa
	quiet := uint64(1) << (e.mantissa - 1)
	ad, an := d&magnitude, n&magnitude
	beyond := 2 << e.exponent // an exponent
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
	case e.biased(n)-e.biased(d) < -e.bias()-int(e.mantissa):
		beyond = -beyond
	case q&magnitude < inf:
		return sign | q&magnitude
	}
	return e.rounded(number{is: isFinite, neg: sign != 0, exp: beyond, hi: 1 << 63})
}

// plainly rounds to the nearest, with denormals.
func plainly(f format) arithmetic { return arithmetic{format: f} }

func divFixupF16(a, b, c uint64) uint64 { return plainly(formatF16).fixup(a, b&0xffff, c&0xffff) }
func divFixupF32(a, b, c uint64) uint64 { return plainly(formatF32).fixup(a, b, c) }
func divFixupF64(a, b, c uint64) uint64 { return plainly(formatF64).fixup(a, b, c) }

// Denormals of div_fmas' operands, and div_fixup's quotient, are what they are in
// every mode: measured on gfx1100 and gfx1201.

func bindFmas(i *Inst, k kind) *valu {
	v := bindVector(i, k, k, k, k)
	for n := range v.src {
		v.src[n].denorm = 0
	}
	return v
}

func bindFixup(i *Inst, k kind) *valu {
	v := bindVector(i, k, k, k, k)
	v.src[0].denorm, v.denorm = 0, 0
	return v
}
