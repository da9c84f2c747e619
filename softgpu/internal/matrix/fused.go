package matrix

import "math"

// Sums of gfx942. The products of a group, eight of 16 bits (four of xf32, 16 of
// 8 bits), are aligned to the largest exponent among them, keep 24 fractional
// bits, truncated towards zero, and are added up exactly. That sum and the
// result so far are aligned to the larger exponent of both, towards minus
// infinity, with 31 and 24 fractional bits; their sum is rounded to the
// nearest single. Products of 8 bits are added in two halves, even and odd,
// first. Nothing is flushed.
//
// How gfx950 adds is not published. Its instructions are taken to do the same,
// and those whose formats CBSZ and BLGP tell to add groups of 32, which is what
// shares a scale, without halves; the scales are added to the group's exponent.
// What the sum with the result so far is rounded to may be infinite.
const (
	productBits = 24
	sumBits     = 31
)

// ScaledBlock is how many entries share a scale; ScaleNaN stands for one that is not a number.
const (
	ScaledBlock = 32
	ScaleNaN    = math.MaxInt32
)

// Fusion adds groups of products to singles.
type Fusion struct {
	Halves bool // even and odd products by themselves
	Small  bool // products fit a single by far
	Scale  int  // added to the exponent of products
}

func toLess(x int64, by int) int64 { return x >> (uint(min(by, 63)) & 63) }

// takeSingle takes a finite single apart.
func takeSingle(x uint32) (sig int64, exp int) {
	sig, exp = int64(x&(1<<23-1)), int(x>>23&0xff)
	if exp != 0 {
		sig |= 1 << 23
	} else {
		exp = 1
	}
	sign := -int64(x >> 31)
	return sig ^ sign - sign, exp - 127
}

// powerOf2 is 2^n, where that is a double without a fraction.
func powerOf2(n int) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// products adds up the products of a and b, each as a whole number, without the bits after
// productBits, which conversions cut off.
func products(a, b []Factor) (sum int64, top int) {
	b = b[:len(a)]
	top = math.MinInt32
	for n := range a {
		top = max(top, a[n].exp+b[n].exp)
	}
	by := powerOf2(productBits - top)
	for n := range a {
		sum += int64(a[n].value * b[n].value * by)
	}
	return sum, top
}

// evenAndOdd does so with the even and the odd ones by themselves.
func evenAndOdd(a, b []Factor) (sum [2]int64, top [2]int) {
	b = b[:len(a)]
	top = [2]int{math.MinInt32, math.MinInt32}
	for n := 1; n < len(a); n += 2 {
		top[0] = max(top[0], a[n-1].exp+b[n-1].exp)
		top[1] = max(top[1], a[n].exp+b[n].exp)
	}
	even, odd := powerOf2(productBits-top[0]), powerOf2(productBits-top[1])
	for n := 1; n < len(a); n += 2 {
		sum[0] += int64(a[n-1].value * b[n-1].value * even)
		sum[1] += int64(a[n].value * b[n].value * odd)
	}
	return sum, top
}

// Add adds the products of a and b to c.
func (f *Fusion) Add(a, b []Factor, c uint32) uint32 {
	b = b[:len(a)]
	third, of := takeSingle(c)
	least, top := math.MinInt, 0
	var sum int64
	if f.Halves {
		sums, tops := evenAndOdd(a, b)
		top = max(tops[0], tops[1])
		sum = toLess(sums[0], top-tops[0]) + toLess(sums[1], top-tops[1])
		least = max(top, of) - productBits - 1
	} else {
		sum, top = products(a, b)
		if top >= 127 && !f.Small {
			if inf := overflow(a, b); inf != 0 {
				return inf
			}
		}
	}
	top += f.Scale
	to := max(top, of)
	sum = toLess(sum<<(sumBits-productBits), to-top)
	if of >= least {
		sum += toLess(third<<1, to-of) << (sumBits - productBits)
	}
	return math.Float32bits(float32(float64(sum) * powerOf2(to-sumBits)))
}

// overflow is the sum where products do not fit a single: an infinity, NaN for both; else 0.
func overflow(a, b []Factor) uint32 {
	const positive, negative, both = 0x7f800000, 0xff800000, 0x7fc00000
	inf := uint32(0)
	for n := range a {
		x := a[n].value * b[n].value
		switch {
		case math.Abs(x) < 0x1p128:
		case inf == 0 && x > 0:
			inf = positive
		case inf == 0:
			inf = negative
		case (inf == positive) != (x > 0):
			inf = both
		}
	}
	return inf
}
