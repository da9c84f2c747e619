package gcn

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

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

func (m *multiplication) fusedSums(temp *matrixTemp) {
	group := min(8, m.depth)
	switch m.a {
	case entryXF32:
		group = 4
	case entryFP8, entryBF8, entryE4M3, entryE5M2:
		group = min(16, m.depth)
	}
	if m.mixed {
		group = scaledBlock
	}
	f := fusion{halves: m.a.bits() == 8 && !m.mixed, small: m.mixed}
	var b [scaledBlock]factor
	for r := range m.count {
		d := &temp.d[r]
		for l := range d {
			p := m.places[r][l/m.n]
			rowA, column := int(p.row), int(p.from)+l%m.n
			as := temp.fa[rowA*m.depth : (rowA+1)*m.depth]
			bs := temp.fb[column*m.k : (column+1)*m.k]
			sum := d[l]
			for k := 0; k < m.depth; k += group {
				if m.scaled {
					if f.scale = m.scaleOf(temp, rowA, column, k/scaledBlock); f.scale == scaleNaN {
						sum = alu.NanF32
					}
				}
				if temp.odd {
					if x := m.plainSum(temp, rowA, column, k, group) + float64(alu.Float(sum)); math.IsInf(x, 0) || x != x {
						sum = math.Float32bits(float32(x))
					}
				}
				if sum&0x7f800000 == 0x7f800000 {
					continue
				}
				factors := bs[k:min(k+group, len(bs))]
				if m.sparse {
					for n := range group {
						b[n] = bs[temp.at[rowA*m.depth+k+n]]
					}
					factors = b[:group]
				}
				sum = f.add(as[k:k+group], factors, sum)
			}
			d[l] = sum
		}
	}
}

// scaledBlock is how many entries share a scale; scaleNaN stands for one that is not a number.
const (
	scaledBlock = 32
	scaleNaN    = math.MaxInt32
)

// scaleOf is the exponent of the product of two scales, for block n of a row of
// A and a column of B. A scale is an exponent with a bias of 127, or 0xff for NaN
// (E8M0: OCP Microscaling Formats Specification 1.0, 5.4).
func (m *multiplication) scaleOf(temp *matrixTemp, row, column, n int) int {
	a, b := temp.scales[0][n*m.rowsA+row], temp.scales[1][n*m.rowsB+column]
	if a == math.MaxUint8 || b == math.MaxUint8 {
		return scaleNaN
	}
	return int(a) + int(b) - 2*127
}

// plainSum tells infinities and NaNs among a group's products.
func (m *multiplication) plainSum(temp *matrixTemp, row, column, k, group int) (sum float64) {
	for s := k; s < k+group; s++ {
		rowB := s
		if m.sparse {
			rowB = int(temp.at[row*m.depth+s])
		}
		sum += float64(alu.Float(temp.a[s*m.rowsA+row])) * float64(alu.Float(temp.b[rowB*m.rowsB+column]))
	}
	return sum
}

// fusion adds groups of products to singles.
type fusion struct {
	halves bool // even and odd products by themselves
	small  bool // products fit a single by far
	scale  int  // added to the exponent of products
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

// products adds up those of a and b, each as a whole number, without what is
// behind productBits, which conversions cut off.
func products(a, b []factor) (sum int64, top int) {
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
func evenAndOdd(a, b []factor) (sum [2]int64, top [2]int) {
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

func (f *fusion) add(a, b []factor, c uint32) uint32 {
	b = b[:len(a)]
	third, of := takeSingle(c)
	least, top := math.MinInt, 0
	var sum int64
	if f.halves {
		sums, tops := evenAndOdd(a, b)
		top = max(tops[0], tops[1])
		sum = toLess(sums[0], top-tops[0]) + toLess(sums[1], top-tops[1])
		least = max(top, of) - productBits - 1
	} else {
		sum, top = products(a, b)
		if top >= 127 && !f.small {
			if inf := overflow(a, b); inf != 0 {
				return inf
			}
		}
	}
	top += f.scale
	to := max(top, of)
	sum = toLess(sum<<(sumBits-productBits), to-top)
	if of >= least {
		sum += toLess(third<<1, to-of) << (sumBits - productBits)
	}
	return math.Float32bits(float32(float64(sum) * powerOf2(to-sumBits)))
}

// overflow is the sum where products do not fit a single: an infinity, NaN for both; else 0.
func overflow(a, b []factor) uint32 {
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
