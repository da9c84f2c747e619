package alu

import "math"

// What arithmetic gives where no number comes out, the same on every processor
// and under every MODE: the first NaN among the sources, in the order of the
// operation, made quiet, with its sign and payload; where there is none, a quiet
// one that is negative and has no payload, as v_div_fixup gives. Operations that
// round twice are two operations. Minimum and maximum have rules of their own (order).

// nanOf is the result of an operation that has no number.
func (o *Order) nanOf(a, b, c uint64) uint64 {
	for _, x := range [...]uint64{a, b, c} {
		if o.IsNaN(x) {
			return x<<o.up>>o.up | o.quiet
		}
	}
	return o.inf<<o.up>>o.up | o.quiet | 1<<(63-o.up)
}

// nanOfTwo returns the NaN of two operations: p is the product of a and b, and c was added to it.
func (o *Order) nanOfTwo(p float32, a, b, c uint64) uint64 {
	if p != p {
		return o.nanOf(a, b, 0)
	}
	return o.nanOf(c, 0, 0)
}

// HalfOf and the like return the bits of the result of an operation on three sources.

// HalfOf returns the bits of a half that came out of an operation on three sources.
func HalfOf(r float64, a, b, c uint64) uint64 {
	if r != r {
		return OrderF16.nanOf(a, b, c)
	}
	return uint64(HalfFrom64(r))
}

// SingleOf returns the bits of a single that came out of an operation on three sources.
func SingleOf(r float32, a, b, c uint64) uint64 {
	if r != r {
		return OrderF32.nanOf(a, b, c)
	}
	return FromSingle(r)
}

// DoubleOf returns the bits of a double that came out of an operation on three sources.
func DoubleOf(r float64, a, b, c uint64) uint64 {
	if r != r {
		return OrderF64.nanOf(a, b, c)
	}
	return math.Float64bits(r)
}

// NanF32 is the quiet NaN without a sign or a fraction.
const NanF32 = 0x7fc00000
