package gcn

// order compares the numbers of a format by their bits; what is above them in
// an operand does not count. -0 is below +0.
type order struct {
	inf, quiet uint64 // the infinity, and the bit that makes a NaN a quiet one
	up         uint   // places between the sign and the top of 64 bits
}

// Orders of halves, singles and doubles.
var (
	orderF16 = &order{0x7c00, quiet16, 48}
	orderF32 = &order{0x7f800000, quiet32, 32}
	orderF64 = &order{0x7ff << 52, quiet64, 0}
)

func (o *order) isNaN(x uint64) bool { return x<<(o.up+1) > o.inf<<(o.up+1) }

// rank maps a number to an integer.
func (o *order) rank(x uint64) int64 {
	x <<= o.up
	return int64(x ^ uint64(int64(x)>>63)>>1)
}

// least and most are minimum and maximum in IEEE mode: a signalling NaN comes
// out quiet, a quiet one gives way to a number.

func (o *order) least(a, b, _ uint64) uint64 {
	switch {
	case o.isNaN(a) || o.isNaN(b):
		return o.ofNaNs(a, b)
	case o.rank(b) < o.rank(a):
		return b
	}
	return a
}

func (o *order) most(a, b, _ uint64) uint64 {
	switch {
	case o.isNaN(a) || o.isNaN(b):
		return o.ofNaNs(a, b)
	case o.rank(b) > o.rank(a):
		return b
	}
	return a
}

// ofNaNs is the result where one of two is a NaN, or both are.
func (o *order) ofNaNs(a, b uint64) uint64 {
	switch {
	case o.isNaN(a) && a&o.quiet == 0:
		return a | o.quiet
	case o.isNaN(b) && b&o.quiet == 0:
		return b | o.quiet
	case o.isNaN(a):
		return b
	}
	return a
}

// tolerant is least or most outside of IEEE mode: a NaN of any kind gives way.
func (o *order) tolerant(pick laneFunc) laneFunc {
	return func(a, b, _ uint64) uint64 {
		r := a
		switch {
		case o.isNaN(a):
			r = b
		case !o.isNaN(b):
			r = pick(a, b, 0)
		}
		return r << o.up >> o.up
	}
}

// of3 makes least or most of three.
func of3(pick laneFunc) laneFunc {
	return func(a, b, c uint64) uint64 { return pick(pick(a, b, 0), c, 0) }
}

// middle is the median of three; with a NaN among them, the least.
func (o *order) middle(least, most laneFunc) laneFunc {
	return func(a, b, c uint64) uint64 {
		if o.isNaN(a) || o.isNaN(b) || o.isNaN(c) {
			return of3(least)(a, b, c)
		}
		return most(least(a, b, 0), least(most(a, b, 0), c, 0), 0)
	}
}

// picks3 makes least or most of three of a kernel for two.
func picks3(pick kernel2) tempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		pick(&temp[0][1], a, b)
		pick(d, &temp[0][1], c)
	}
}

// picksMiddle3 makes the median of three, none of them a NaN.
func picksMiddle3(least, most kernel2) tempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		x := &temp[0][1]
		most(x, a, b)
		least(x, x, c)
		least(d, a, b)
		most(d, d, x)
	}
}

// picksMiddle is middle, of kernels for least and most of two; ordered finds NaNs.
func (o *order) picksMiddle(least, most kernel2, ordered tester) tempKernel3 {
	one, numbers := o.middle(o.least, o.most), picksMiddle3(least, most)
	abs, inf := uint32(1<<(63-o.up)-1), uint32(o.inf)
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		numbers(temp, d, a, b, c)
		if ordered(a, b)&ordered(c, c) == full {
			return
		}
		for l := range d {
			if max(a[l]&abs, b[l]&abs, c[l]&abs) > inf {
				d[l] = uint32(one(uint64(a[l]), uint64(b[l]), uint64(c[l])))
			}
		}
	}
}

// lowWords is a kernel for words whose sources are what the low halves hold.
func lowWords(k tempKernel3) tempKernel3 {
	return func(temp *[4]Pair, d, a, b, c *Lanes) {
		x, y, z := &temp[1][1], &temp[2][1], &temp[3][1]
		andB32(x, a, &lowHalves)
		andB32(y, b, &lowHalves)
		andB32(z, c, &lowHalves)
		k(temp, d, x, y, z)
	}
}

func picksF32(k tempKernel3) Meaning { return waveTemp(k, f32, f32, f32, f32) }

// preserveTemp is preserve for a kernel that needs temporaries.
func preserveTemp(k tempKernel3, d, a, b, c kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, d, a, b, c)
		v.preserve = true
		v.seal()
		return v.stepTemp(k)
	}
}

// picksF16, picksI16 and picksU16 leave the other half of the destination alone.
func picksF16(k tempKernel3) Meaning { return preserveTemp(k, f16, f16, f16, f16) }
func picksI16(k tempKernel3) Meaning { return preserveTemp(k, i16, i16, i16, i16) }
func picksU16(k tempKernel3) Meaning { return preserveTemp(lowWords(k), u16, u16, u16, u16) }

func picksPairs(k tempKernel3) Meaning {
	return func(i *Inst) Step { return bindPacked(i, pf16, 3).stepTemp(k) }
}
