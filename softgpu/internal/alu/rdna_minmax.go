package alu

// Minima and maxima of IEEE 754-2019: minimumNumber, where a NaN of any kind gives way to a number, and
// minimum, where a NaN is the result.

// leastNumber and mostNumber are minimumNumber and maximumNumber.

func (o *Order) leastNumber(a, b, _ uint64) uint64 { return o.number(o.Least, a, b) }
func (o *Order) mostNumber(a, b, _ uint64) uint64  { return o.number(o.Most, a, b) }

func (o *Order) number(pick LaneFunc, a, b uint64) uint64 {
	switch {
	case o.IsNaN(a) && o.IsNaN(b):
		return a | o.quiet
	case o.IsNaN(a):
		return b
	case o.IsNaN(b):
		return a
	}
	return pick(a, b, 0)
}

// unlessNaN is a kernel for numbers, and a function for lanes of which one is a NaN.
func unlessNaN(ordered Tester, numbers Kernel2, any LaneFunc) Kernel2 {
	return func(d, a, b *Lanes) {
		if ordered(a, b) != Full {
			Bits2(d, a, b, any)
			return
		}
		numbers(d, a, b)
	}
}

// Of singles.
var (
	LeastNumberF32 = unlessNaN(OrderedF32, MinF32, OrderF32.leastNumber)
	MostNumberF32  = unlessNaN(OrderedF32, MaxF32, OrderF32.mostNumber)
	SmallestF32    = unlessNaN(OrderedF32, MinF32, OrderF32.smallest)
	LargestF32     = unlessNaN(OrderedF32, MaxF32, OrderF32.largest)
)

// Of halves, in low ones.
var (
	LeastNumberF16 = lowHalves(OrderF16.leastNumber)
	MostNumberF16  = lowHalves(OrderF16.mostNumber)
	SmallestF16    = lowHalves(OrderF16.smallest)
	LargestF16     = lowHalves(OrderF16.largest)
)

// Of both halves.
var (
	PkLeastNumberF16 = bothHalves(OrderF16.leastNumber)
	PkMostNumberF16  = bothHalves(OrderF16.mostNumber)
	PkSmallestF16    = bothHalves(OrderF16.smallest)
	PkLargestF16     = bothHalves(OrderF16.largest)
)

func lowHalves(f LaneFunc) Kernel2 {
	return func(d, a, b *Lanes) {
		for l := range d {
			d[l] = uint32(f(uint64(a[l]&0xffff), uint64(b[l]&0xffff), 0)) & 0xffff
		}
	}
}

func bothHalves(f LaneFunc) Kernel2 {
	return func(d, a, b *Lanes) {
		for l := range d {
			x, y := a[l], b[l]
			d[l] = uint32(f(uint64(x&0xffff), uint64(y&0xffff), 0))&0xffff | uint32(f(uint64(x>>16), uint64(y>>16), 0))<<16
		}
	}
}

// Of doubles.
var (
	LeastNumberF64 = unlessNaNWide(MinF64, OrderF64.leastNumber)
	MostNumberF64  = unlessNaNWide(MaxF64, OrderF64.mostNumber)
	SmallestF64    = unlessNaNWide(MinF64, OrderF64.smallest)
	LargestF64     = unlessNaNWide(MaxF64, OrderF64.largest)
)

func unlessNaNWide(numbers WideKernel2, any LaneFunc) WideKernel2 {
	return func(dl, dh, al, ah, bl, bh *Lanes) {
		for l := range al {
			if OrderF64.IsNaN(Join(al[l], ah[l])) || OrderF64.IsNaN(Join(bl[l], bh[l])) {
				for l := range dl {
					r := any(Join(al[l], ah[l]), Join(bl[l], bh[l]), 0)
					dl[l], dh[l] = uint32(r), uint32(r>>32)
				}
				return
			}
		}
		numbers(dl, dh, al, ah, bl, bh)
	}
}

// MedianNumber is the median of three numbers, the least of them where there is a NaN.
func (o *Order) MedianNumber(least, most Kernel2) TempKernel3 {
	one, numbers := o.Middle(o.leastNumber, o.mostNumber), PicksMiddle3(least, most)
	abs, inf := uint32(1<<(63-o.up)-1), uint32(o.inf)
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		for l := range a {
			if max(a[l]&abs, b[l]&abs, c[l]&abs) > inf {
				x := &temp[0][1]
				for l := range x {
					x[l] = uint32(one(uint64(a[l]), uint64(b[l]), uint64(c[l])))
				}
				*d = *x
				return
			}
		}
		numbers(temp, d, a, b, c)
	}
}
