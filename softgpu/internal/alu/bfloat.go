package alu

import "math"

// bfloatOf is the bfloat next to a single; NaNs stay NaNs, quiet.
func bfloatOf(a uint64) uint64 {
	if OrderF32.IsNaN(a) {
		return (a | Quiet32) >> 16 & 0xffff
	}
	return uint64(Bfloat16.Round(Single(a), SmallRounding{}))
}

// CvtF32Bf16 computes v_cvt_f32_bf16.
func CvtF32Bf16(a, _, _ uint64) uint64 { return a << 16 }

func pkBf16Lane(a, b, _ uint64) uint64 { return bfloatOf(a) | bfloatOf(b)<<16 }

// pkF16Lane rounds to the nearest whatever MODE says; halves may overflow.
func pkF16Lane(a, b, _ uint64) uint64 {
	return uint64(HalfFrom64(Single(a))) | uint64(HalfFrom64(Single(b)))<<16
}

func portableCvtPkBf16F32(d, a, b *Lanes) { Bits2(d, a, b, pkBf16Lane) }
func portableCvtPkF16F32(d, a, b *Lanes)  { Bits2(d, a, b, pkF16Lane) }

// FlushedProduct multiplies singles, of which denormals are zeros.
func FlushedProduct(d, a, b *Lanes) {
	FlushF32(a, a)
	FlushF32(b, b)
	MulF32(d, a, b)
}

// smallest and largest are IEEE 754-2019's minimum and maximum: a NaN among the
// operands is the result, quiet.

func (o *Order) smallest(a, b, _ uint64) uint64 {
	if o.IsNaN(a) || o.IsNaN(b) {
		return o.nanOf(a, b, 0)
	}
	return o.Least(a, b, 0)
}

func (o *Order) largest(a, b, _ uint64) uint64 {
	if o.IsNaN(a) || o.IsNaN(b) {
		return o.nanOf(a, b, 0)
	}
	return o.Most(a, b, 0)
}

// Such of three singles.
var (
	Smallest3F32 = threeF32(Picks3(MinF32), Of3(OrderF32.smallest))
	Largest3F32  = threeF32(Picks3(MaxF32), Of3(OrderF32.largest))
)

func threeF32(numbers TempKernel3, any LaneFunc) TempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		if OrderedF32(a, b)&OrderedF32(c, c) != Full {
			Bits3(d, a, b, c, any)
			return
		}
		numbers(temp, d, a, b, c)
	}
}

// Such of three, on both halves.
var (
	PkSmallest3F16 = threePairs(Picks3(PkMinF16), onBoth3(Of3(OrderF16.smallest)))
	PkLargest3F16  = threePairs(Picks3(PkMaxF16), onBoth3(Of3(OrderF16.largest)))
)

func threePairs(numbers TempKernel3, any Kernel3) TempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		x, y, z := &temp[0][1], &temp[1][1], &temp[2][1]
		LshrrevB32(x, &Sixteens, a)
		LshrrevB32(y, &Sixteens, b)
		LshrrevB32(z, &Sixteens, c)
		if OrderedF16(a, b)&OrderedF16(c, x)&OrderedF16(y, z) != Full {
			any(d, a, b, c)
			return
		}
		numbers(temp, d, a, b, c)
	}
}

// AshrPk makes a kernel that shifts two numbers right and limits them to a byte each.
func AshrPk(low, high int32) TempKernel3 {
	least, most, bytes := LanesOf(uint32(low)), LanesOf(uint32(high)), LanesOf(math.MaxUint8)
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		y := &temp[0][1]
		for _, half := range [2]struct{ to, from *Lanes }{{d, a}, {y, b}} {
			AshrrevI32(half.to, c, half.from)
			MaxI32(half.to, half.to, &least)
			MinI32(half.to, half.to, &most)
		}
		AndB32(d, d, &bytes)
		LshlOrB32(d, y, &Shifts[8], d)
	}
}
