package alu

// Whole-wave kernels on halves: of one in the low part of each lane, with zeros
// above the result, or of the two of a packed lane.

// onLow2 and its like make a kernel of a function of one half, which may leave
// anything above its result.

func onLow2(f LaneFunc) Kernel2 {
	return func(d, a, b *Lanes) {
		for i := range d {
			d[i] = uint32(f(uint64(a[i]), uint64(b[i]), 0) & 0xffff)
		}
	}
}

// exchanged is a kernel with its sources exchanged.
func exchanged(k Kernel2) Kernel2 { return func(d, a, b *Lanes) { k(d, b, a) } }

func onLow3(f LaneFunc) Kernel3 {
	return func(d, a, b, c *Lanes) {
		for i := range d {
			d[i] = uint32(f(uint64(a[i]), uint64(b[i]), uint64(c[i])) & 0xffff)
		}
	}
}

func onBoth2(f LaneFunc) Kernel2 {
	return func(d, a, b *Lanes) {
		for i := range d {
			low, high := f(uint64(a[i]), uint64(b[i]), 0), f(uint64(a[i]>>16), uint64(b[i]>>16), 0)
			d[i] = uint32(low&0xffff | high<<16)
		}
	}
}

func onBoth3(f LaneFunc) Kernel3 {
	return func(d, a, b, c *Lanes) {
		for i := range d {
			low, high := f(uint64(a[i]), uint64(b[i]), uint64(c[i])), f(uint64(a[i]>>16), uint64(b[i]>>16), uint64(c[i]>>16))
			d[i] = uint32(low&0xffff | high<<16)
		}
	}
}

var (
	portableAddF16    = onLow2(onF16x2(func(a, b float32) float32 { return a + b }))
	portableSubF16    = onLow2(onF16x2(func(a, b float32) float32 { return a - b }))
	portableSubrevF16 = exchanged(portableSubF16)
	portableMulF16    = onLow2(onF16x2(func(a, b float32) float32 { return a * b }))
	portableMinF16    = onLow2(OrderF16.Least)
	portableMaxF16    = onLow2(OrderF16.Most)
	portableFmaF16    = onLow3(fma16)

	portablePkAddF16 = onBoth2(onF16x2(func(a, b float32) float32 { return a + b }))
	portablePkMulF16 = onBoth2(onF16x2(func(a, b float32) float32 { return a * b }))
	portablePkMinF16 = onBoth2(OrderF16.Least)
	portablePkMaxF16 = onBoth2(OrderF16.Most)
	portablePkFmaF16 = onBoth3(fma16)
)

func portableCvtF32F16(d, a *Lanes) {
	for i, x := range a {
		d[i] = uint32(FromSingle(Half(uint64(x))))
	}
}

// portableCvtF32HighF16 converts high halves.
func portableCvtF32HighF16(d, a *Lanes) {
	for i, x := range a {
		d[i] = uint32(FromSingle(Half(uint64(x >> 16))))
	}
}

// DenormalHalves are the bits that Dot2F32F16 takes from denormal halves to make them zeros.
const DenormalHalves = 0x7fff7fff

// portableDot2F32F16 adds two products of halves to a single with flipped bits, each step rounded to the nearest.
// Denormal singles are zeros on both sides. Denormal halves lose the bits of flush.
func portableDot2F32F16(d, a, b, c *Lanes, flush, flip uint32) {
	var pairs [2]Lanes
	for n, s := range []*Lanes{a, b} {
		for i, x := range s {
			for _, half := range []uint32{0x7fff, 0x7fff0000} {
				if x&half&0x7c007c00 == 0 {
					x &^= flush & half
				}
			}
			pairs[n][i] = x
		}
	}
	var x, y, sum Lanes
	portableFlushF32(&sum, c)
	portableAlterBits(&sum, 0, flip)
	portableCvtF32F16(&x, &pairs[0]) // not through variables: then x and y would be on the heap
	portableCvtF32F16(&y, &pairs[1])
	portableFmaF32(&sum, &x, &y, &sum)
	portableCvtF32HighF16(&x, &pairs[0])
	portableCvtF32HighF16(&y, &pairs[1])
	portableFmaF32(&sum, &x, &y, &sum)
	portableFlushF32(d, &sum)
}

func portableCvtF16F32(d, a *Lanes) {
	for i, x := range a {
		d[i] = uint32(fromHalf(Float(x)))
	}
}

// eachHalf makes a tester of a predicate on halves.
func eachHalf(f func(a, b float32) bool) Tester {
	return func(a, b *Lanes) (m uint64) {
		for i := range a {
			m |= AsBit(f(HalfTo32(uint16(a[i])), HalfTo32(uint16(b[i])))) << uint(i)
		}
		return m
	}
}

var (
	portableLessF16    = eachHalf(func(a, b float32) bool { return a < b })
	portableAtMostF16  = eachHalf(func(a, b float32) bool { return a <= b })
	portableEqualF16   = eachHalf(func(a, b float32) bool { return a == b })
	portableUnequalF16 = eachHalf(func(a, b float32) bool { return a < b || a > b })
	portableOrderedF16 = eachHalf(func(a, b float32) bool { return a == a && b == b })
)
