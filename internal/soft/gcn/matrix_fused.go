package gcn

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

func (m *matrix) fusedSums(room *matrixRoom) {
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
	f := fusion{up: productBits - m.a.fraction() - m.b.fraction(), halves: m.a.bits() == 8 && !m.mixed, small: m.mixed}
	var b [scaledBlock]scaled
	for r := range m.count {
		d := &room.d[r]
		for l := range d {
			p := m.places[r][l/m.n]
			rowA, column := int(p.row), int(p.from)+l%m.n
			as := room.fa[rowA*m.depth : (rowA+1)*m.depth]
			bs := room.fb[column*m.k : (column+1)*m.k]
			sum := d[l]
			for k := 0; k < m.depth; k += group {
				if room.odd {
					if x := m.plainSum(room, rowA, column, k, group) + float64(float(sum)); math.IsInf(x, 0) || x != x {
						sum = math.Float32bits(float32(x))
					}
				}
				if sum&0x7f800000 == 0x7f800000 {
					continue
				}
				factors := bs[k:min(k+group, len(bs))]
				if m.sparse {
					for n := range group {
						b[n] = bs[room.at[rowA*m.depth+k+n]]
					}
					factors = b[:group]
				}
				if m.scaled {
					if f.scale = m.scaleOf(room, rowA, column, k/scaledBlock); f.scale == scaleNaN {
						sum = nanF32
						continue
					}
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
	nanF32      = 0x7fc00000
)

// scaleOf is the exponent of the product of two scales, for block n of a row of
// A and a column of B. A scale is an exponent with a bias of 127, or 0xff for NaN
// (E8M0: OCP Microscaling Formats Specification 1.0, 5.4).
func (m *matrix) scaleOf(room *matrixRoom, row, column, n int) int32 {
	a, b := room.scales[0][n*m.rowsA+row], room.scales[1][n*m.rowsB+column]
	if a == math.MaxUint8 || b == math.MaxUint8 {
		return scaleNaN
	}
	return int32(a) + int32(b) - 2*127
}

// plainSum tells infinities and NaNs among a group's products.
func (m *matrix) plainSum(room *matrixRoom, row, column, k, group int) (sum float64) {
	for s := k; s < k+group; s++ {
		rowB := s
		if m.sparse {
			rowB = int(room.at[row*m.depth+s])
		}
		sum += float64(float(room.a[s*m.rowsA+row])) * float64(float(room.b[rowB*m.rowsB+column]))
	}
	return sum
}

// fusion adds groups of products to singles.
type fusion struct {
	up     uint  // from the fraction of a product to productBits
	halves bool  // even and odd products by themselves
	small  bool  // products fit a single by far
	scale  int32 // added to the exponent of products
}

// toZero and toLess shift right, the one truncating.
func toZero(x int64, by int32) int64 {
	if by > 62 {
		return 0
	}
	return (x + x>>63&(1<<by-1)) >> by
}

func toLess(x int64, by int32) int64 { return x >> min(by, 63) }

// products adds those of every step-th pair from the first on.
func (f *fusion) products(a, b []scaled, first, step int) (sum int64, top int32) {
	top = math.MinInt32
	for n := first; n < len(a); n += step {
		top = max(top, a[n].exp+b[n].exp)
	}
	for n := first; n < len(a); n += step {
		p := int64(a[n].sig) * int64(b[n].sig) << f.up
		sum += toZero(p, top-a[n].exp-b[n].exp)
	}
	return sum, top
}

func (f *fusion) add(a, b []scaled, c uint32) uint32 {
	b = b[:len(a)]
	third := entryF32.scaled(c)
	least := int32(math.MinInt32)
	var sum int64
	var top int32
	if f.halves {
		even, topEven := f.products(a, b, 0, 2)
		odd, topOdd := f.products(a, b, 1, 2)
		top = max(topEven, topOdd)
		sum = toLess(even, top-topEven) + toLess(odd, top-topOdd)
		least = max(top, third.exp) - productBits - 1
	} else {
		sum, top = f.products(a, b, 0, 1)
		if top >= 127 && !f.small {
			if inf := overflow(a, b, f.up); inf != 0 {
				return inf
			}
		}
	}
	top += f.scale
	to := max(top, third.exp)
	sum = toLess(sum<<(sumBits-productBits), to-top)
	if third.exp >= least {
		sum += toLess(int64(third.sig)<<1, to-third.exp) << (sumBits - productBits)
	}
	scale := math.Float64frombits(uint64(to-sumBits+1023) << 52)
	return math.Float32bits(float32(float64(sum) * scale))
}

// overflow is the sum where products do not fit a single: an infinity, NaN for both; else 0.
func overflow(a, b []scaled, up uint) uint32 {
	const positive, negative, both = 0x7f800000, 0xff800000, 0x7fc00000
	inf := uint32(0)
	for n := range a {
		x := float64(int64(a[n].sig)*int64(b[n].sig)) * math.Ldexp(1, int(a[n].exp+b[n].exp)-productBits+int(up))
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
