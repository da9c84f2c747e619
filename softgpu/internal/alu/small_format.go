package alu

import "math"

// SmallFormat is a floating-point format of at most 32 bits. From the sign down
// come exponent and mantissa.
type SmallFormat struct {
	exponent, mantissa uint // bits
	bias               int
	specials           specials
}

// specials tells which patterns are not numbers.
type specials uint8

const (
	ieeeSpecials specials = iota // the largest exponent: infinities and NaNs
	minusZeroNaN                 // that of -0 is the only one, a NaN
	lastNaN                      // those with all bits after the sign set are NaNs
	noSpecials
)

// The formats. gfx942's of 8 bits have a bias one above IEEE's; those of the OCP
// are its 8-bit Floating Point Specification's (1.0, table 1) and its
// Microscaling Formats Specification's (1.0, 5.3).
var (
	FnuzE4M3 = SmallFormat{4, 3, 8, minusZeroNaN}
	FnuzE5M2 = SmallFormat{5, 2, 16, minusZeroNaN}
	OcpE4M3  = SmallFormat{4, 3, 7, lastNaN}
	OcpE5M2  = SmallFormat{5, 2, 15, ieeeSpecials}
	OcpE2M3  = SmallFormat{2, 3, 1, noSpecials}
	OcpE3M2  = SmallFormat{3, 2, 3, noSpecials}
	OcpE2M1  = SmallFormat{2, 1, 1, noSpecials}
	SmallF16 = SmallFormat{5, 10, 15, ieeeSpecials}
	Bfloat16 = SmallFormat{8, 7, 127, ieeeSpecials}
	SmallF32 = SmallFormat{8, 23, 127, ieeeSpecials}
)

// Bits is the size of a number.
func (f *SmallFormat) Bits() uint { return 1 + f.exponent + f.mantissa }

// Value returns the value of the low bits of x, exactly.
func (f *SmallFormat) Value(x uint32) float64 {
	all := uint32(1)<<(f.Bits()-1) - 1
	negative, abs := x>>(f.Bits()-1)&1 != 0, x&all
	exponent, fraction := int(abs>>f.mantissa), int(abs&(1<<f.mantissa-1))
	v := 0.0
	switch {
	case f.specials == minusZeroNaN && negative && abs == 0, f.specials == lastNaN && abs == all:
		return math.NaN()
	case f.specials == ieeeSpecials && exponent == 1<<f.exponent-1:
		if fraction != 0 {
			return math.NaN()
		}
		v = math.Inf(1)
	default:
		if exponent > 0 {
			fraction |= 1 << f.mantissa
			exponent--
		}
		v = math.Ldexp(float64(fraction), exponent+1-f.bias-int(f.mantissa))
	}
	if negative {
		return -v
	}
	return v
}

// Flush returns x without its mantissa where that is a denormal.
func (f *SmallFormat) Flush(x uint32) uint32 {
	if x>>f.mantissa&(1<<f.exponent-1) == 0 {
		return x &^ (1<<f.mantissa - 1)
	}
	return x
}

// SmallRounding is how numbers become shorter: to the nearest, ties to even, or by
// adding a random fraction of 32 bits to the bits after the last one.
type SmallRounding struct {
	Stochastic bool
	Random     uint32
	Saturate   bool // numbers that do not fit become the largest number, infinities only in formats of eight bits
}

// Round returns the format's code for v, which is not denormal. In formats without infinities, values that do not fit
// become NaN, or the largest number if there is no NaN either.
func (f *SmallFormat) Round(v float64, r SmallRounding) uint32 {
	bits := math.Float64bits(v)
	sign := uint32(bits>>63) << (f.Bits() - 1)
	switch {
	case v != v:
		return f.Nan(sign)
	case math.IsInf(v, 0):
		r.Saturate = r.Saturate && f.Bits() < 16 // true infinities of halves stay
		return f.tooLarge(sign, r)
	case v == 0:
		return f.zero(sign)
	}
	exponent, fraction := int(bits>>52&0x7ff)-1023, bits&(1<<52-1)|1<<52
	drop, low := 52-f.mantissa, 1-f.bias
	if exponent < low {
		drop += uint(min(low-exponent, 64))
		exponent = low - 1
	}
	kept := uint64(0)
	if r.Stochastic {
		point := fraction << (32 - min(drop, 32)) >> (max(drop, 32) - 32)
		kept = (point + uint64(r.Random)) >> 32
	} else if drop < 64 {
		half := uint64(1) << (drop - 1)
		kept = fraction >> drop
		if rest := fraction & (2*half - 1); rest > half || rest == half && kept&1 != 0 {
			kept++
		}
	}
	if exponent >= low {
		kept += uint64(exponent+f.bias-1) << f.mantissa
	}
	switch {
	case kept > uint64(f.largest()):
		return f.tooLarge(sign, r)
	case kept == 0:
		return f.zero(sign)
	}
	return sign | uint32(kept)
}

// of returns the number that stands for a single.
func (f *SmallFormat) of(x uint32, r SmallRounding) uint32 {
	if v := Float(x); v == v {
		return f.Round(float64(v), r)
	}
	return f.Nan(x >> 31 << (f.Bits() - 1))
}

// largest is the largest number.
func (f *SmallFormat) largest() uint32 {
	switch all := uint32(1)<<(f.Bits()-1) - 1; f.specials {
	case ieeeSpecials:
		return all>>f.mantissa<<f.mantissa - 1
	case lastNaN:
		return all - 1
	default:
		return all
	}
}

func (f *SmallFormat) zero(sign uint32) uint32 {
	if f.specials == minusZeroNaN {
		return 0
	}
	return sign
}

// Nan is the format's NaN; it has a sign, where the format has several NaNs. Formats without NaN have the largest number
// there, which the specifications leave open.
func (f *SmallFormat) Nan(sign uint32) uint32 {
	all := uint32(1)<<(f.Bits()-1) - 1
	switch f.specials {
	case minusZeroNaN:
		return all + 1
	case ieeeSpecials:
		return sign | all>>(f.mantissa-1)<<(f.mantissa-1)
	}
	return sign | all
}

func (f *SmallFormat) tooLarge(sign uint32, r SmallRounding) uint32 {
	switch {
	case r.Saturate || f.specials == noSpecials:
		return sign | f.largest()
	case f.specials == ieeeSpecials:
		return sign | (f.largest() + 1)
	}
	return f.Nan(sign)
}
