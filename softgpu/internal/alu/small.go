package alu

import "math"

// ScaleFactor is the power of two that the exponent of a single stands for, NaN
// for the largest (E8M0: OCP Microscaling Formats Specification 1.0, 5.4).
func ScaleFactor(x uint32) float64 {
	e := x >> 23 & 0xff
	if e == 0xff {
		return Single(NanF32)
	}
	return math.Ldexp(1, int(e)-127)
}

// Prng is the number that follows x in the sequence of v_prng_b32.
func Prng(x uint32) uint32 { return x<<1 ^ uint32(int32(x)>>31)&0xc5 }

func portablePrngB32(d, a *Lanes) { Each1(d, a, Prng) }
