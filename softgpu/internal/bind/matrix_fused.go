package bind

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

func (m *multiplication) fusedSums(temp *matrix.MatrixTemp) {
	group := min(8, m.depth)
	switch m.A {
	case matrix.EntryXF32:
		group = 4
	case matrix.EntryFP8, matrix.EntryBF8, matrix.EntryE4M3, matrix.EntryE5M2:
		group = min(16, m.depth)
	}
	if m.mixed {
		group = matrix.ScaledBlock
	}
	f := matrix.Fusion{Halves: m.A.Bits() == 8 && !m.mixed, Small: m.mixed}
	var b [matrix.ScaledBlock]matrix.Factor
	for r := range m.count {
		d := &temp.D[r]
		for l := range d {
			p := m.places[r][l/m.N]
			rowA, column := int(p.Row), int(p.From)+l%m.N
			as := temp.Fa[rowA*m.depth : (rowA+1)*m.depth]
			bs := temp.Fb[column*m.K : (column+1)*m.K]
			sum := d[l]
			for k := 0; k < m.depth; k += group {
				if m.scaled {
					if f.Scale = m.scaleOf(temp, rowA, column, k/matrix.ScaledBlock); f.Scale == matrix.ScaleNaN {
						sum = alu.NanF32
					}
				}
				if temp.Odd {
					if x := m.plainSum(temp, rowA, column, k, group) + float64(alu.Float(sum)); math.IsInf(x, 0) || x != x {
						sum = math.Float32bits(float32(x))
					}
				}
				if sum&0x7f800000 == 0x7f800000 {
					continue
				}
				factors := bs[k:min(k+group, len(bs))]
				if m.Sparse {
					for n := range group {
						b[n] = bs[temp.At[rowA*m.depth+k+n]]
					}
					factors = b[:group]
				}
				sum = f.Add(as[k:k+group], factors, sum)
			}
			d[l] = sum
		}
	}
}

// scaleOf is the exponent of the product of two scales, for block n of a row of
// A and a column of B. A scale is an exponent with a bias of 127, or 0xff for NaN
// (E8M0: OCP Microscaling Formats Specification 1.0, 5.4).
func (m *multiplication) scaleOf(temp *matrix.MatrixTemp, row, column, n int) int {
	a, b := temp.Scales[0][n*m.rowsA+row], temp.Scales[1][n*m.rowsB+column]
	if a == math.MaxUint8 || b == math.MaxUint8 {
		return matrix.ScaleNaN
	}
	return int(a) + int(b) - 2*127
}

// plainSum tells infinities and NaNs among a group's products.
func (m *multiplication) plainSum(temp *matrix.MatrixTemp, row, column, k, group int) (sum float64) {
	for s := k; s < k+group; s++ {
		rowB := s
		if m.Sparse {
			rowB = int(temp.At[row*m.depth+s])
		}
		sum += float64(alu.Float(temp.A[s*m.rowsA+row])) * float64(alu.Float(temp.B[rowB*m.rowsB+column]))
	}
	return sum
}
