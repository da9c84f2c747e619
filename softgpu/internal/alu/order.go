package alu

// Order compares the numbers of a format by their bits. Bits above them in an operand do not count. -0 is
// below +0.
type Order struct {
	inf, quiet uint64 // the infinity, and the bit that makes a NaN a quiet one
	up         uint   // places between the sign and the top of 64 bits
}

// Orders of halves, singles and doubles.
var (
	OrderF16 = &Order{0x7c00, quiet16, 48}
	OrderF32 = &Order{0x7f800000, Quiet32, 32}
	OrderF64 = &Order{0x7ff << 52, quiet64, 0}
)

// IsNaN reports whether x is a NaN.
func (o *Order) IsNaN(x uint64) bool { return x<<(o.up+1) > o.inf<<(o.up+1) }

// rank maps a number to an integer.
func (o *Order) rank(x uint64) int64 {
	x <<= o.up
	return int64(x ^ uint64(int64(x)>>63)>>1)
}

// least and most are minimum and maximum in IEEE mode: a signalling NaN comes
// out quiet, a quiet one gives way to a number.

// Least is the lesser of a and b.
func (o *Order) Least(a, b, _ uint64) uint64 {
	switch {
	case o.IsNaN(a) || o.IsNaN(b):
		return o.ofNaNs(a, b)
	case o.rank(b) < o.rank(a):
		return b
	}
	return a
}

// Most is the greater of a and b.
func (o *Order) Most(a, b, _ uint64) uint64 {
	switch {
	case o.IsNaN(a) || o.IsNaN(b):
		return o.ofNaNs(a, b)
	case o.rank(b) > o.rank(a):
		return b
	}
	return a
}

// ofNaNs is the result where one of two is a NaN, or both are.
func (o *Order) ofNaNs(a, b uint64) uint64 {
	switch {
	case o.IsNaN(a) && a&o.quiet == 0:
		return a | o.quiet
	case o.IsNaN(b) && b&o.quiet == 0:
		return b | o.quiet
	case o.IsNaN(a):
		return b
	}
	return a
}

// tolerant is least or most outside of IEEE mode: a NaN of any kind gives way.
func (o *Order) tolerant(pick LaneFunc) LaneFunc {
	return func(a, b, _ uint64) uint64 {
		r := a
		switch {
		case o.IsNaN(a):
			r = b
		case !o.IsNaN(b):
			r = pick(a, b, 0)
		}
		return r << o.up >> o.up
	}
}

// Of3 makes least or most of three.
func Of3(pick LaneFunc) LaneFunc { return TwoOf(pick, pick) }

// TwoOf picks first of two, and then of the result and a third.
func TwoOf(first, then LaneFunc) LaneFunc {
	return func(a, b, c uint64) uint64 { return then(first(a, b, 0), c, 0) }
}

// Middle is the median of three; with a NaN among them, the least.
func (o *Order) Middle(least, most LaneFunc) LaneFunc {
	return func(a, b, c uint64) uint64 {
		if o.IsNaN(a) || o.IsNaN(b) || o.IsNaN(c) {
			return Of3(least)(a, b, c)
		}
		return most(least(a, b, 0), least(most(a, b, 0), c, 0), 0)
	}
}

// Picks3 makes least or most of three of a kernel for two.
func Picks3(pick Kernel2) TempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		pick(&temp[0][1], a, b)
		pick(d, &temp[0][1], c)
	}
}

// PicksMiddle3 makes the median of three, none of them a NaN.
func PicksMiddle3(least, most Kernel2) TempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		x := &temp[0][1]
		most(x, a, b)
		least(x, x, c)
		least(d, a, b)
		most(d, d, x)
	}
}

// PicksMiddle is middle, of kernels for least and most of two; ordered finds NaNs.
func (o *Order) PicksMiddle(least, most Kernel2, ordered Tester) TempKernel3 {
	one, numbers := o.Middle(o.Least, o.Most), PicksMiddle3(least, most)
	abs, inf := uint32(1<<(63-o.up)-1), uint32(o.inf)
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		numbers(temp, d, a, b, c)
		if ordered(a, b)&ordered(c, c) == Full {
			return
		}
		for l := range d {
			if max(a[l]&abs, b[l]&abs, c[l]&abs) > inf {
				d[l] = uint32(one(uint64(a[l]), uint64(b[l]), uint64(c[l])))
			}
		}
	}
}

// LowWords is a kernel for words whose sources are the low halves.
func LowWords(k TempKernel3) TempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		x, y, z := &temp[1][1], &temp[2][1], &temp[3][1]
		AndB32(x, a, &LowHalves)
		AndB32(y, b, &LowHalves)
		AndB32(z, c, &LowHalves)
		k(temp, d, x, y, z)
	}
}
