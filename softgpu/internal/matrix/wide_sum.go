package matrix

import (
	"math"
	"math/bits"
)

// wideSum is an exact sum of finite doubles: digits of 32 bits, from 2^-1074 on. A digit also holds the carries of up to
// 2^30 terms.
type wideSum struct {
	digits    [wideDigits]int64
	low, high int // digits outside of low to high-1 are zeros; both are 0 before the first term
}

// Below the lowest digit there are two zeros, which round reads.
const (
	belowDigits = 2
	wideDigits  = belowDigits + (1074+1024)/32 + 4
)

// add adds a term.
func (s *wideSum) add(x float64) {
	b := math.Float64bits(x)
	exponent, m := int(b>>52&0x7ff), b&(1<<52-1)
	if exponent != 0 {
		m |= 1 << 52
		exponent--
	}
	if m == 0 {
		return
	}
	at, shift, sign := exponent/32+belowDigits, uint(exponent%32), int64(b)>>63
	rest := m << shift
	d := (*[3]int64)(s.digits[at:])
	d[0] += int64(rest&math.MaxUint32) ^ sign - sign
	d[1] += int64(rest>>32) ^ sign - sign
	d[2] += int64(m>>(64-shift)) ^ sign - sign
	if s.high == 0 {
		s.low = at
	}
	s.low, s.high = min(s.low, at), max(s.high, at+3)
}

// carry makes digits of all but the highest one less than 2^32, and not negative.
func (s *wideSum) carry() {
	carried := int64(0)
	for n := s.low; n < s.high; n++ {
		v := s.digits[n] + carried
		s.digits[n], carried = v&math.MaxUint32, v>>32
	}
	s.digits[s.high] = carried
}

// round returns the sum as a double that rounds to any shorter format as the sum does. It changes s.
func (s *wideSum) round() float64 {
	s.carry()
	negative := s.digits[s.high] < 0
	if negative {
		for n := s.low; n <= s.high; n++ {
			s.digits[n] = -s.digits[n]
		}
		s.high++
		s.carry()
	}
	top := s.high
	for s.digits[top] == 0 {
		if top--; top < s.low {
			return 0
		}
	}
	// The highest 64 bits of the sum, of which the first is set; odd: some below are, too.
	zeros := uint(bits.LeadingZeros32(uint32(s.digits[top])))
	next := uint64(s.digits[top-2])
	x := (uint64(s.digits[top])<<32|uint64(s.digits[top-1]))<<zeros | next>>(32-zeros)
	odd := x&0x7ff != 0 || next<<zeros&math.MaxUint32 != 0
	for n := s.low; n < top-2 && !odd; n++ {
		odd = s.digits[n] != 0
	}
	x >>= 11
	if odd {
		x |= 1
	}
	sum := math.Ldexp(float64(x), 32*(top-1-belowDigits)-1074-int(zeros)+11)
	if negative {
		return -sum
	}
	return sum
}
