package gcn

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
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
func (m *multiplication) arithmetic(chip Chip) func(*multiplication, *matrixTemp) {
	switch {
	case m.a == entryF64:
		return (*multiplication).doubles
	case m.a == entryI8:
		return (*multiplication).integers
	case m.a == entryF32:
		return (*multiplication).singles
	case m.fused:
		return (*multiplication).fusedSums
	case chip == Gfx90a:
		return (*multiplication).flushedPairs
	}
	return (*multiplication).pairs
}

// multiply adds to d the products of entry k of A's rows with the columns in b, for register r.
func (m *multiplication) multiply(temp *matrixTemp, kernel alu.MatrixKernel, d, b *alu.Lanes, r, k int) {
	column := temp.a[k*m.rowsA : (k+1)*m.rowsA]
	if m.n >= 8 {
		places := &m.octets[r]
		for n := range temp.rows {
			temp.rows[n] = column[places[n]]
		}
		kernel(d, b, &temp.rows)
		return
	}
	m.rowsOfA(temp, &temp.x, r, k)
	if m.a == entryI8 {
		for l := range d {
			d[l] += temp.x[l] * b[l]
		}
		return
	}
	alu.FmaF32(d, &temp.x, b, d)
}

func (m *multiplication) singles(temp *matrixTemp)  { m.chain(temp, alu.MatrixF32) }
func (m *multiplication) integers(temp *matrixTemp) { m.chain(temp, alu.MatrixI32) }

// chain adds products to the result one after the other.
func (m *multiplication) chain(temp *matrixTemp, kernel alu.MatrixKernel) {
	for k := range m.depth {
		for r := range m.count {
			if !m.sameB[r] {
				m.columnsOfB(temp, &temp.y[0], r, k)
			}
			m.multiply(temp, kernel, &temp.d[r], &temp.y[0], r, k)
		}
	}
}

func (m *multiplication) doubles(temp *matrixTemp) {
	for r := range m.count {
		lo, hi := &temp.d[2*r], &temp.d[2*r+1]
		for l := range lo {
			p := m.places[r][l/m.n]
			sum := alu.Join(lo[l], hi[l]) ^ uint64(m.negate>>2&1)<<63
			for k := range m.k {
				a, b := temp.aw[k*m.rowsA+int(p.row)], temp.bw[k*m.rowsB+int(p.from)+l%m.n]
				sum = alu.DoubleOf(math.FMA(alu.Double(a), alu.Double(b), alu.Double(sum)), a, b, sum)
			}
			lo[l], hi[l] = uint32(sum), uint32(sum>>32)
		}
	}
}

// pairs adds as many products as a lane holds, two or four, pairwise.
func (m *multiplication) pairs(temp *matrixTemp) { m.pairwise(temp, false) }

// flushedPairs is pairs without denormals: those of A, B and C become +0, those of sums keep their sign.
func (m *multiplication) flushedPairs(temp *matrixTemp) {
	noDenormals(temp.a[:m.depth*m.rowsA], m.a)
	noDenormals(temp.b[:m.depth*m.rowsB], m.b)
	for r := range m.count {
		noDenormals(temp.d[r][:], entryF32)
	}
	m.pairwise(temp, true)
}

func (m *multiplication) pairwise(temp *matrixTemp, flush bool) {
	p := &temp.partial
	for k := 0; k < m.depth; k += m.perA {
		for r := range m.count {
			for n := range m.perA {
				if !m.sameB[r] {
					m.columnsOfB(temp, &temp.y[n], r, k+n)
				}
				p[n] = alu.Zeros
				m.multiply(temp, alu.MatrixF32, &p[n], &temp.y[n], r, k+n)
				if flush {
					alu.FlushDenorms(&p[n])
				}
			}
			if m.perA == 4 {
				sumInto(&p[2], &p[3], flush)
			}
			sumInto(&p[0], &p[1], flush)
			if m.perA == 4 {
				sumInto(&p[0], &p[2], flush)
			}
			sumInto(&temp.d[r], &p[0], flush)
		}
	}
}

func sumInto(d, a *alu.Lanes, flush bool) {
	alu.AddF32(d, d, a)
	if flush {
		alu.FlushDenorms(d)
	}
}

// noDenormals makes +0 of the singles that a format of entries has as denormals.
func noDenormals(x []uint32, of entry) {
	least := uint32(1-of.bias()+entryF32.bias()) << 23 // the format's least normal number
	for n, v := range x {
		if v&^(1<<31) < least {
			x[n] = 0
		}
	}
}
