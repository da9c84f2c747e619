package alu

import "math"

// MatrixKernel adds to each lane of d the product of b's and the row's entry:
// each eight lanes have one row.
type MatrixKernel func(d, b *Lanes, rows *[8]uint32)

// PortableMatrixF32 adds products of singles, each rounded once.
func PortableMatrixF32(d, b *Lanes, rows *[8]uint32) {
	for l := range d {
		a := rows[l/8]
		d[l] = uint32(SingleOf(fma32(Float(a), Float(b[l]), Float(d[l])), uint64(a), uint64(b[l]), uint64(d[l])))
	}
}

// PortableMatrixI32 adds products of integers.
func PortableMatrixI32(d, b *Lanes, rows *[8]uint32) {
	for l := range d {
		d[l] += rows[l/8] * b[l]
	}
}

// SplitKernel adds up products of a row's entries a with the rows of b, of 16 columns each, that at names: low has what is
// less than 2^-12 of each product, and high the rest. Both are exact for 128 products or fewer that are multiples of 2^-48
// and less than 2^32: those of halves, and of numbers of eight bits.
type SplitKernel func(high, low *[16]float64, a, b []float64, at []uint8)

// splitter rounds a number that is added to it to a multiple of 2^-12.
const splitter = 3 << 39

// PortableSplitProducts is a SplitKernel.
func PortableSplitProducts(high, low *[16]float64, a, b []float64, at []uint8) {
	*high, *low = [16]float64{}, [16]float64{}
	for k, x := range a {
		row := (*[16]float64)(b[int(at[k])*16:])
		for j, y := range row {
			p := float64(x * y) // not to be joined with the addition
			h := float64(p+splitter) - splitter
			high[j] += h
			low[j] += p - h
		}
	}
}

// AddSplitKernel adds singles to sums that a SplitKernel made. The results are rounded to odd: rounded to any shorter
// format, they give what the exact sums do. zeros are the columns where the sum is 0 and c is -0: their results are 0, and
// -0 is right if all products are.
type AddSplitKernel func(sum, high, low *[16]float64, c *[16]uint32) (zeros uint32)

// PortableAddSplit is an AddSplitKernel.
//
// A part that is left out in both additions is less than the last place of their result: the sum of the two parts is odd
// then, and not exact, so it decides which of two numbers the result is between.
func PortableAddSplit(sum, high, low *[16]float64, c *[16]uint32) (zeros uint32) {
	for j := range sum {
		x := float64(Float(c[j]))
		if whole := high[j] + x; whole-whole != 0 {
			sum[j] = whole
			continue
		}
		s, e := TwoSum(high[j], low[j])
		s, f := TwoSum(s, x)
		sum[j] = ToOdd(TwoSum(s, ToOdd(TwoSum(e, f))))
		if sum[j] == 0 && math.Signbit(x) {
			zeros |= 1 << j
		}
	}
	return zeros
}

// ProductsKernel adds up c and the products that a SplitKernel takes, whatever their exponents. The sums are rounded to
// odd, but for those of the columns unknown.
type ProductsKernel func(sum *[16]float64, c *[16]uint32, a, b []float64, at []uint8) (unknown uint32)

// PortableAddProducts is a ProductsKernel.
//
// A sum has two parts, and lost is what both leave out, at most. A sum of two parts that is not exact is odd, and stays the
// right one if lost is less than the part that its rounding leaves out.
func PortableAddProducts(sum *[16]float64, c *[16]uint32, a, b []float64, at []uint8) (unknown uint32) {
	var rest, lost [16]float64
	for j, x := range c {
		sum[j] = float64(Float(x))
	}
	for k, x := range a {
		row := (*[16]float64)(b[int(at[k])*16:])
		for j, y := range row {
			var e, l float64
			sum[j], e = TwoSum(sum[j], float64(x*y))
			rest[j], l = TwoSum(rest[j], e)
			lost[j] += math.Abs(l)
		}
	}
	for j, s := range sum {
		if s-s != 0 { // without an overflow the order does not matter
			continue
		}
		s, e := TwoSum(s, rest[j])
		if rest[j] != 0 { // a sum of zeros keeps its sign
			sum[j] = ToOdd(s, e)
		}
		if lost[j] != 0 && lost[j]+lost[j] >= math.Abs(e) {
			unknown |= 1 << j
		}
	}
	return unknown
}

// SinglesKernel makes singles of numbers that are rounded to odd. NaNs become 0x7fc00000.
type SinglesKernel func(d *[16]uint32, x *[16]float64)

// PortableNearestSingles is a SinglesKernel that rounds to the nearest. Denormals become zeros.
func PortableNearestSingles(d *[16]uint32, x *[16]float64) {
	for j, v := range x {
		if d[j] = math.Float32bits(flushed(float32(v))); v != v {
			d[j] = matrixNaN
		}
	}
}

// PortableOddSingles is a SinglesKernel that rounds to odd again: the bfloats and halves next to the results are those
// next to x. What rounds to a denormal bfloat becomes a zero.
func PortableOddSingles(d *[16]uint32, x *[16]float64) {
	for j, v := range x {
		b := math.Float64bits(v)
		sign, b := b&(1<<63), b&^(1<<63)
		switch {
		case v != v:
			d[j] = matrixNaN
			continue
		case b < tieBelowNormal:
			b = 0
		case b < leastNormal:
			b = leastNormal
		}
		b = (b | (b&cutForSingle + cutForSingle)) &^ cutForSingle
		d[j] = math.Float32bits(float32(math.Float64frombits(sign | b)))
	}
}

const (
	matrixNaN      = 0x7fc00000
	cutForSingle   = 1<<29 - 1           // bits of a double's fraction that a single's has no place for
	leastNormal    = (1023 - 126) << 52  // the least normal single or bfloat, as bits of a double
	tieBelowNormal = leastNormal - 1<<45 // between the greatest denormal bfloat and that
)
