package bind

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// How products are added up is not in AMD's manuals, but has been measured: the
// chips round to nearest, whatever MODE says, and
//   - singles and doubles are a chain of fused multiply-adds in the order of k;
//   - halves and bfloats on gfx908 and gfx90a are multiplied and added pairwise,
//     as many as a lane holds, and their sum is added to the result so far, each
//     sum rounded to a single; gfx90a takes denormals for zeros in all of that,
//     those of halves before they become singles, in which they are none;
//   - on gfx942 they are added in fixed point: see fused.
//
// Integers are exact, modulo 2^32.
func (m *multiplication) arithmetic(chip encoding.Chip) func(*multiplication, *matrix.MatrixTemp) {
	switch {
	case m.A == matrix.EntryF64:
		return (*multiplication).doubles
	case m.A == matrix.EntryI8:
		return (*multiplication).integers
	case m.A == matrix.EntryF32:
		return (*multiplication).singles
	case m.fused:
		return (*multiplication).fusedSums
	case chip == encoding.Gfx90a:
		return (*multiplication).flushedPairs
	}
	return (*multiplication).pairs
}

// multiply adds to d the products of entry k of A's rows with the columns in b, for register r.
func (m *multiplication) multiply(temp *matrix.MatrixTemp, kernel alu.MatrixKernel, d, b *alu.Lanes, r, k int) {
	column := temp.A[k*m.rowsA : (k+1)*m.rowsA]
	if m.N >= 8 {
		places := &m.octets[r]
		for n := range temp.Rows {
			temp.Rows[n] = column[places[n]]
		}
		kernel(d, b, &temp.Rows)
		return
	}
	m.rowsOfA(temp, &temp.X, r, k)
	if m.A == matrix.EntryI8 {
		for l := range d {
			d[l] += temp.X[l] * b[l]
		}
		return
	}
	alu.FmaF32(d, &temp.X, b, d)
}

func (m *multiplication) singles(temp *matrix.MatrixTemp)  { m.chain(temp, alu.MatrixF32) }
func (m *multiplication) integers(temp *matrix.MatrixTemp) { m.chain(temp, alu.MatrixI32) }

// chain adds products to the result one after the other.
func (m *multiplication) chain(temp *matrix.MatrixTemp, kernel alu.MatrixKernel) {
	for k := range m.depth {
		for r := range m.count {
			if !m.sameB[r] {
				m.columnsOfB(temp, &temp.Y[0], r, k)
			}
			m.multiply(temp, kernel, &temp.D[r], &temp.Y[0], r, k)
		}
	}
}

func (m *multiplication) doubles(temp *matrix.MatrixTemp) {
	for r := range m.count {
		lo, hi := &temp.D[2*r], &temp.D[2*r+1]
		for l := range lo {
			p := m.places[r][l/m.N]
			sum := alu.Join(lo[l], hi[l]) ^ uint64(m.negate>>2&1)<<63
			for k := range m.K {
				a, b := temp.Aw[k*m.rowsA+int(p.Row)], temp.Bw[k*m.rowsB+int(p.From)+l%m.N]
				sum = alu.DoubleOf(math.FMA(alu.Double(a), alu.Double(b), alu.Double(sum)), a, b, sum)
			}
			lo[l], hi[l] = uint32(sum), uint32(sum>>32)
		}
	}
}

// pairs adds as many products as a lane holds, two or four, pairwise.
func (m *multiplication) pairs(temp *matrix.MatrixTemp) { m.pairwise(temp, false) }

// flushedPairs is pairs without denormals: those of A, B and C become +0, and those of sums become zeros of their sign.
func (m *multiplication) flushedPairs(temp *matrix.MatrixTemp) {
	matrix.NoDenormals(temp.A[:m.depth*m.rowsA], m.A)
	matrix.NoDenormals(temp.B[:m.depth*m.rowsB], m.B)
	for r := range m.count {
		matrix.NoDenormals(temp.D[r][:], matrix.EntryF32)
	}
	m.pairwise(temp, true)
}

func (m *multiplication) pairwise(temp *matrix.MatrixTemp, flush bool) {
	p := &temp.Partial
	for k := 0; k < m.depth; k += m.perA {
		for r := range m.count {
			for n := range m.perA {
				if !m.sameB[r] {
					m.columnsOfB(temp, &temp.Y[n], r, k+n)
				}
				p[n] = alu.Zeros
				m.multiply(temp, alu.MatrixF32, &p[n], &temp.Y[n], r, k+n)
				if flush {
					alu.FlushDenorms(&p[n])
				}
			}
			if m.perA == 4 {
				matrix.SumInto(&p[2], &p[3], flush)
			}
			matrix.SumInto(&p[0], &p[1], flush)
			if m.perA == 4 {
				matrix.SumInto(&p[0], &p[2], flush)
			}
			matrix.SumInto(&temp.D[r], &p[0], flush)
		}
	}
}
