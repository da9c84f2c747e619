package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// load takes A and B apart.
func (m *multiplication) load(w *wave.Wave, temp *matrix.MatrixTemp) {
	a, b := RegistersOf(w, &m.srcA, m.perA*m.A.Bits()/32), RegistersOf(w, &m.srcB, m.perB*m.B.Bits()/32)
	if m.scaled {
		m.loadScales(w, temp)
	}
	if m.Sparse {
		m.loadIndex(RegistersOf(w, &m.index, 1), temp)
	}
	if m.wide == 2 {
		for l := range temp.Aw {
			from := m.fromB[l]
			temp.Aw[l] = alu.Join(a[0][l], a[1][l]) ^ uint64(m.negate&1)<<63
			temp.Bw[l] = alu.Join(b[0][from], b[1][from]) ^ uint64(m.negate>>1&1)<<63
		}
		return
	}
	if m.fused {
		temp.Odd = false
		m.scale(temp, &temp.Fa, a, m.A, m.rowsA, m.perA, &matrix.EveryLane)
		m.scale(temp, &temp.Fb, b, m.B, m.rowsB, m.perB, m.fromB)
		if !temp.Odd {
			return
		}
	}
	matrix.LoadEntries(&temp.A, a, m.A, m.lanesA, m.perA, &matrix.EveryLane)
	matrix.LoadEntries(&temp.B, b, m.B, m.lanesB, m.perB, m.fromB)
}

func (m *multiplication) loadScales(w *wave.Wave, temp *matrix.MatrixTemp) {
	for n := range temp.Scales {
		for l, x := range RegistersOf(w, &m.srcScale[n], 1)[0] {
			temp.Scales[n][l] = uint8(x >> m.scaleShift[n])
		}
	}
}

// loadIndex finds for each entry of a sparse A the row of B that it is
// multiplied with: two bits for each, which of four; pairs come from the same four.
func (m *multiplication) loadIndex(regs []alu.Lanes, temp *matrix.MatrixTemp) {
	for l, bits := range regs[0] {
		row := l % m.rowsA
		bits >>= m.indexShift
		for n := range m.perA {
			s := l/m.rowsA*m.perA + n
			temp.At[row*m.depth+s] = uint8(s/2*4) + uint8(bits>>(2*n)&3)
		}
	}
}

// scale takes entries apart, in the order of rows of A, or columns of B.
func (m *multiplication) scale(temp *matrix.MatrixTemp, to *[2048]matrix.Factor, regs []alu.Lanes, e matrix.Entry, rows, per int, from *[64]uint8) {
	y, p, known := matrix.LayoutOf(rows, per, e.Bits()), e.Parts(), matrix.SmallParts[e]
	var places [64]int
	for l := range places {
		places[l] = y.OfLane(l) + l%rows*(per*64/rows)
	}
	for n := range per {
		x, first := matrix.FieldsOf(regs, n, uint(e.Bits())), y.Column(n)
		for l, lane := range from {
			x := x.Of(lane)
			temp.Odd = temp.Odd || e.Special(x)
			if known != nil {
				to[first+places[l]] = known[x&0xff]
			} else {
				to[first+places[l]] = p.Of(x).Factor(p.Fraction)
			}
		}
	}
}
