package gcn

import "math"

// bfloatOf is the bfloat next to a single; NaNs stay what they are, quiet.
func bfloatOf(a uint64) uint64 {
	if orderF32.isNaN(a) {
		return (a | quiet32) >> 16 & 0xffff
	}
	return uint64(bfloat16.round(single(a), smallRounding{}))
}

func cvtF32Bf16(a, _, _ uint64) uint64 { return a << 16 }

func pkBf16Lane(a, b, _ uint64) uint64 { return bfloatOf(a) | bfloatOf(b)<<16 }

// pkF16Lane rounds to the nearest whatever MODE says; halves may overflow.
func pkF16Lane(a, b, _ uint64) uint64 {
	return uint64(halfFrom64(single(a))) | uint64(halfFrom64(single(b)))<<16
}

func portableCvtPkBf16F32(d, a, b *Lanes) { bits2(d, a, b, pkBf16Lane) }
func portableCvtPkF16F32(d, a, b *Lanes)  { bits2(d, a, b, pkF16Lane) }

// halfSR and bfloatSR are what v_cvt_sr rounds to.
var (
	halfSR   = byteFormat{ocp: &smallF16}
	bfloatSR = byteFormat{ocp: &bfloat16}
)

// dot2F32Bf16 adds two products of bfloats and a single. Products are exact but
// for their range; the order of sums, each rounded, is the manual's, and so is that denormals
// are zeros on both sides, whatever MODE says.
func dot2F32Bf16(i *Inst) Step { return dotBf16(i, false) }

// dot2cF32Bf16 adds the products to the single one after the other.
func dot2cF32Bf16(i *Inst) Step { return dotBf16(i, true) }

func dotBf16(i *Inst, inTurn bool) Step {
	v := bindPacked(i, pbf16, 2)
	for n := range 2 {
		if h := bindHalves(i, n, true); h != (halves{high: 16}) {
			v.src[n].halved, v.src[n].modified = &h, true
		}
	}
	v.out, v.omod, v.src[2] = f32, i.Omod, bindSource(i, 2, u32)
	v.seal()
	flip := uint32(i.Neg>>2&1) << 31
	return v.stepTemp(func(temp *[4]Pair, d, a, b, c *Lanes) {
		low, high, y, sum := &temp[0][1], &temp[1][1], &temp[2][1], &temp[3][1]
		lshlrevB32(low, &sixteens, a)
		lshlrevB32(y, &sixteens, b)
		flushedProduct(low, low, y)
		andB32(high, a, &highHalves)
		andB32(y, b, &highHalves)
		flushedProduct(high, high, y)
		*sum = *c
		if flip != 0 {
			alterBits(sum, 0, flip)
		}
		flushF32(sum, sum)
		if inTurn {
			addF32(sum, sum, low)
			addF32(sum, sum, high)
		} else {
			addF32(low, low, high)
			addF32(sum, low, sum)
		}
		flushF32(d, sum)
	})
}

// flushedProduct multiplies singles, of which denormals are zeros.
func flushedProduct(d, a, b *Lanes) {
	flushF32(a, a)
	flushF32(b, b)
	mulF32(d, a, b)
}

// smallest and largest are IEEE 754-2019's minimum and maximum: a NaN among the
// operands is the result, quiet.

func (o *order) smallest(a, b, _ uint64) uint64 {
	if o.isNaN(a) || o.isNaN(b) {
		return o.nanOf(a, b, 0)
	}
	return o.least(a, b, 0)
}

func (o *order) largest(a, b, _ uint64) uint64 {
	if o.isNaN(a) || o.isNaN(b) {
		return o.nanOf(a, b, 0)
	}
	return o.most(a, b, 0)
}

// Such of three singles.
var (
	smallest3F32 = threeF32(picks3(minF32), of3(orderF32.smallest))
	largest3F32  = threeF32(picks3(maxF32), of3(orderF32.largest))
)

func threeF32(numbers tempKernel3, any laneFunc) tempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		if orderedF32(a, b)&orderedF32(c, c) != full {
			bits3(d, a, b, c, any)
			return
		}
		numbers(temp, d, a, b, c)
	}
}

// Such of three, on both halves.
var (
	pkSmallest3F16 = threePairs(picks3(pkMinF16), onBoth3(of3(orderF16.smallest)))
	pkLargest3F16  = threePairs(picks3(pkMaxF16), onBoth3(of3(orderF16.largest)))
)

func threePairs(numbers tempKernel3, any kernel3) tempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		x, y, z := &temp[0][1], &temp[1][1], &temp[2][1]
		lshrrevB32(x, &sixteens, a)
		lshrrevB32(y, &sixteens, b)
		lshrrevB32(z, &sixteens, c)
		if orderedF16(a, b)&orderedF16(c, x)&orderedF16(y, z) != full {
			any(d, a, b, c)
			return
		}
		numbers(temp, d, a, b, c)
	}
}

// ashrPk makes a kernel that shifts two numbers right and limits them to a byte each.
func ashrPk(low, high int32) tempKernel3 {
	least, most, bytes := lanesOf(uint32(low)), lanesOf(uint32(high)), lanesOf(math.MaxUint8)
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		y := &temp[0][1]
		for _, half := range [2]struct{ to, from *Lanes }{{d, a}, {y, b}} {
			ashrrevI32(half.to, c, half.from)
			maxI32(half.to, half.to, &least)
			minI32(half.to, half.to, &most)
		}
		andB32(d, d, &bytes)
		lshlOrB32(d, y, &shifts[8], d)
	}
}
