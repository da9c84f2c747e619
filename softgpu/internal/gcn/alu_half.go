package gcn

// Whole-wave kernels on halves: of one in the low part of each lane, with zeros
// above the result, or of the two of a packed lane.

// onLow2 and its like make a kernel of a function of one half, which may leave
// anything above its result.

func onLow2(f laneFunc) kernel2 {
	return func(d, a, b *Lanes) {
		for i := range d {
			d[i] = uint32(f(uint64(a[i]), uint64(b[i]), 0) & 0xffff)
		}
	}
}

// exchanged is a kernel with its sources exchanged.
func exchanged(k kernel2) kernel2 { return func(d, a, b *Lanes) { k(d, b, a) } }

func onLow3(f laneFunc) kernel3 {
	return func(d, a, b, c *Lanes) {
		for i := range d {
			d[i] = uint32(f(uint64(a[i]), uint64(b[i]), uint64(c[i])) & 0xffff)
		}
	}
}

func onBoth2(f laneFunc) kernel2 {
	return func(d, a, b *Lanes) {
		for i := range d {
			low, high := f(uint64(a[i]), uint64(b[i]), 0), f(uint64(a[i]>>16), uint64(b[i]>>16), 0)
			d[i] = uint32(low&0xffff | high<<16)
		}
	}
}

func onBoth3(f laneFunc) kernel3 {
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
	portableMinF16    = onLow2(orderF16.least)
	portableMaxF16    = onLow2(orderF16.most)
	portableFmaF16    = onLow3(fma16)

	portablePkAddF16 = onBoth2(onF16x2(func(a, b float32) float32 { return a + b }))
	portablePkMulF16 = onBoth2(onF16x2(func(a, b float32) float32 { return a * b }))
	portablePkMinF16 = onBoth2(orderF16.least)
	portablePkMaxF16 = onBoth2(orderF16.most)
	portablePkFmaF16 = onBoth3(fma16)
)

func portableCvtF32F16(d, a *Lanes) {
	for i, x := range a {
		d[i] = uint32(fromSingle(half(uint64(x))))
	}
}

func portableCvtF16F32(d, a *Lanes) {
	for i, x := range a {
		d[i] = uint32(fromHalf(float(x)))
	}
}

// eachHalf makes a tester of a predicate on halves.
func eachHalf(f func(a, b float32) bool) tester {
	return func(a, b *Lanes) (m uint64) {
		for i := range a {
			m |= asBit(f(halfTo32(uint16(a[i])), halfTo32(uint16(b[i])))) << uint(i)
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

// binaryF16 and ternaryF16 make meanings of kernels on low halves.

func binaryF16(k kernel2) Meaning  { return wave2(k, f16, f16, f16) }
func ternaryF16(k kernel3) Meaning { return wave3(k, f16, f16, f16, f16) }

func pairsF16x2(k kernel2) Meaning {
	return func(i *Inst) Step { return bindPacked(i, pf16, 2).step2(k) }
}

func pairsF16x3(k kernel3) Meaning {
	return func(i *Inst) Step { return bindPacked(i, pf16, 3).step3(k) }
}
