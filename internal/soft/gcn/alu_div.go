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
	near int // quotients with at least this exponent difference are near the largest number
	tiny int // numerators with at most this biased exponent are scaled
}

var (
	scaling32 = scaling{formatF32, 64, 96, 23}
	scaling64 = scaling{formatF64, 128, 768, 53}
)

// denormReciprocal tells whether 1/x is denormal.
func (s *scaling) denormReciprocal(x uint64) bool {
	e := s.biased(x)
	top := 2*s.bias() - 1 // 1/x of that exponent is normal only for a power of two
	return e != 1<<s.exponent-1 && (e > top || e == top && s.fraction(x) != 0)
}

// denormQuotient tells whether n/d, both finite and not 0, is less than the least normal number.
func (s *scaling) denormQuotient(n, d uint64) bool {
	en, mn := s.normal(n)
	ed, md := s.normal(d)
	e := en - ed
	if mn < md {
		e--
	}
	return e < 1-s.bias()
}

// normal returns exponent and mantissa of a number that is not 0, a denormal made normal.
func (s *scaling) normal(x uint64) (e int, m uint64) {
	e, m = s.biased(x), s.fraction(x)
	if e != 0 {
		return e, m | 1<<s.mantissa
	}
	for e = 1; m>>s.mantissa == 0; m <<= 1 {
		e--
	}
	return e, m
}

// scale decides by denominator d and numerator n by which power of two x, one
// of the two, is multiplied, and whether div_fmas has to scale back.
func (s *scaling) scale(x, d, n uint64) (power int, nan, post bool) {
	magnitude := uint64(1)<<(s.mantissa+s.exponent) - 1
	inf := (uint64(1)<<s.exponent - 1) << s.mantissa
	ad, an := d&magnitude, n&magnitude
	isD, isN := x == d, x == n
	en, ed := s.biased(n), s.biased(d)
	finite := ad < inf && an < inf
	switch {
	case ad == 0 || an == 0:
		return 0, true, false
	case finite && en-ed >= s.near:
		if isD {
			power = s.by
		}
		return power, false, true
	case ed == 0:
		return s.by, false, false
	case finite && s.denormReciprocal(d) && s.denormQuotient(n, d):
		if isD {
			power = -s.by
		}
		return power, false, true
	case s.denormReciprocal(d):
		return -s.by, false, false
	case finite && s.denormQuotient(n, d):
		if isN {
			power = s.by
		}
		return power, false, true
	case en <= s.tiny:
		return s.by, false, false
	}
	return 0, false, false
}

func divScaleF32(a, b, c uint64, _ bool) (uint64, bool) {
	power, nan, post := scaling32.scale(a, b, c)
	if nan {
		return orderF32.nanOf(0, 0, 0), false
	}
	if power == 0 || isNaN32(uint32(a)) {
		return a, post
	}
	return fromSingle(float32(math.Ldexp(single(a), power))), post
}

func divScaleF64(a, b, c uint64, _ bool) (uint64, bool) {
	power, nan, post := scaling64.scale(a, b, c)
	if nan {
		return orderF64.nanOf(0, 0, 0), false
	}
	if power == 0 || orderF64.isNaN(a) {
		return a, post
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

// fixup returns the quotient of n and d in a format: q, unless they are special.
func (s *scaling) fixup(q, d, n uint64) uint64 {
	top := s.mantissa + s.exponent
	sign := (d ^ n) >> top & 1 << top
	magnitude := uint64(1)<<top - 1
	inf := (uint64(1)<<s.exponent - 1) << s.mantissa
	quiet := uint64(1) << (s.mantissa - 1)
	ad, an := d&magnitude, n&magnitude
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
	case s.biased(n)-s.biased(d) < -s.bias()-int(s.mantissa):
		return sign
	case q&magnitude > inf: // the quotient was out of range on the way
		return sign | inf
	}
	return sign | q&magnitude
}

var scaling16 = scaling{format: formatF16}

func divFixupF16(a, b, c uint64) uint64 { return scaling16.fixup(a, b&0xffff, c&0xffff) }
func divFixupF32(a, b, c uint64) uint64 { return scaling32.fixup(a, b, c) }
