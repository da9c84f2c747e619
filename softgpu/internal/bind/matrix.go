package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Matrix instructions work on the whole wave, whatever EXEC says. Where an
// entry sits (AMD's matrix instruction calculator has the same for every
// shape): with p = k*rows/64 entries of a row in each lane, lane x holds row
// x%rows of A, all blocks below each other, from column x/rows*p on, one entry
// above the other in its registers; B likewise with columns for rows. Register
// r of the result holds, in each group of n lanes, one row of one block; rows
// follow each other in fours through the registers (one by one where entries
// are doubles), then through the groups of lanes, then through the registers
// again. Where entries of 8 and 16 bits take more than four registers (gfx950),
// the first four hold columns of the first half of k in this way, the others of
// the second half (CDNA4 ISA, 7.1.5.1 and 7.5.1.3; of a sparse A of four
// registers the manual does not tell the order: it is taken to be the usual one).

// multiplication is a matrix instruction bound to its operands.
type multiplication struct {
	matrix.Shape
	rowsA, rowsB int // rows of A and columns of B, of all blocks
	perA, perB   int // entries in each lane
	depth        int // products in one entry of the result: k, half of it where A is sparse
	wide         int // registers of an entry of the result
	count        int // registers of the result, or pairs
	groups       int // of n lanes, each with one row of the result

	srcA, srcB, srcC, dst encoding.Operand
	index                 encoding.Operand // of a sparse A
	indexShift            uint
	cbsz, abid            uint8
	negate                uint8      // bit 0 for A, 1 for B, 2 for C: doubles
	fromB                 *[64]uint8 // lanes that B is taken from
	lanesA, lanesB        *matrix.LanePlaces
	places                [32][16]matrix.Place
	octets                [32][8]uint8 // rows of A, for each eight lanes
	sameB                 [32]bool     // B's lanes are those of the register before
	fused                 bool         // sums in fixed point: from gfx942 on
	mixed                 bool         // the formats of A and B are the instruction's: sums of 32 products
	scaled                bool         // which have scales
	srcScale              [2]encoding.Operand
	scaleShift            [2]uint // to the byte of a scale
	sum                   func(*multiplication, *matrix.MatrixTemp)
}

// MFMA makes the meaning of a matrix instruction.
func MFMA(s matrix.Shape) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		m := bindMatrix(s, i)
		if m == nil {
			return nil
		}
		return m.step
	}
}

// formatsOf returns s with the formats of A and B as the chip has them, and as
// the instruction says where that does; false for those that do not exist.
func formatsOf(s matrix.Shape, i *encoding.Inst) (matrix.Shape, bool) {
	if s.A == matrix.EntryMixed {
		if max(int(i.CBSZ), int(i.BLGP)) >= len(matrix.MatrixFormats) {
			return s, false
		}
		s.A, s.B = matrix.MatrixFormats[i.CBSZ], matrix.MatrixFormats[i.BLGP]
	} else if i.Chip.AtLeast(encoding.Gfx950) {
		s.A, s.B = s.A.Ocp(), s.B.Ocp()
	}
	return s, true
}

// bindMatrix returns nil for modifiers that the instruction does not have.
func bindMatrix(s matrix.Shape, i *encoding.Inst) *multiplication {
	mixed := s.A == matrix.EntryMixed
	s, ok := formatsOf(s, i)
	if !ok {
		return nil
	}
	m := &multiplication{mixed: mixed, scaled: i.Enc == encoding.VOP3PX, srcScale: i.Scale, Shape: s, srcA: i.Src[0], srcB: i.Src[1], srcC: i.Src[2], dst: i.Dst}
	m.rowsA, m.rowsB = s.M*s.Blocks, s.N*s.Blocks
	m.depth = s.K
	if s.Sparse {
		m.depth /= 2
		m.index, m.srcC = i.Src[2], i.Dst
	}
	m.perA, m.perB = m.depth*m.rowsA/64, s.K*m.rowsB/64
	m.lanesA, m.lanesB = matrix.LanePlacesOf(m.rowsA, m.perA, m.A.Bits()), matrix.LanePlacesOf(m.rowsB, m.perB, m.B.Bits())
	m.wide = 1
	if s.A == matrix.EntryF64 {
		m.wide = 2
	}
	m.count, m.groups = s.M*s.N*s.Blocks/64, 64/s.N
	for n := range m.scaleShift {
		m.scaleShift[n] = 8 * (uint(i.OpSel>>n&1) | uint(i.OpSelHi>>n&1)<<1)
	}
	m.fused = i.Chip.AtLeast(encoding.Gfx942) && m.A != matrix.EntryF64 && m.A != matrix.EntryF32 && m.A != matrix.EntryI8
	if !m.modifiers(i) {
		return nil
	}
	m.placeAll()
	m.sum = m.arithmetic(i.Chip)
	return m
}

// modifiers binds CBSZ, ABID and BLGP as far as instructions have them: blocks
// of A are broadcast where there are several, lanes of B but for doubles and,
// from gfx942 on, formats of 16 bits and less in one block and xf32.
func (m *multiplication) modifiers(i *encoding.Inst) bool {
	blgp := i.BLGP
	switch {
	case m.mixed:
		blgp = 0
	case m.Sparse:
		if i.CBSZ == 0 && m.perA < 16 {
			m.indexShift = uint(i.ABID) * uint(m.perA) * 2
		}
		if blgp != 0 || m.indexShift > 31 {
			return false
		}
	case 1<<i.CBSZ > m.Blocks || int(i.ABID) >= 1<<i.CBSZ:
		return false
	case m.A == matrix.EntryF64 && i.Chip.AtLeast(encoding.Gfx942):
		m.negate, blgp = blgp, 0
	case m.A == matrix.EntryF64, m.fused && m.Blocks == 1, m.A == matrix.EntryI8 && i.Chip.AtLeast(encoding.Gfx942) && m.Blocks == 1:
		if blgp != 0 {
			return false
		}
	}
	if !m.Sparse && !m.mixed {
		m.cbsz, m.abid = i.CBSZ, i.ABID
	}
	if m.fromB = &matrix.EveryLane; blgp != 0 {
		m.fromB = new([64]uint8)
		for l := range m.fromB {
			m.fromB[l] = uint8(matrix.LaneGroup(blgp, l))
		}
	}
	return true
}

// placeAll finds the factors of each register of the result. CBSZ and ABID make
// block ABID of each 1<<CBSZ blocks of A stand for all of them.
func (m *multiplication) placeAll() {
	height := 4
	if m.wide == 2 {
		height = 1
	}
	together := max(1, height*64/(m.M*m.N)) // blocks in one register
	perBlock := max(1, m.M*m.N/64)
	if together > 1 {
		perBlock = m.count
	}
	bands := m.groups / together
	for r := range m.count {
		block, at := r/perBlock, r%perBlock
		for g := range m.groups {
			b := block + g%together
			i := at/height*height*bands + g/together*height + at%height
			mask := 1<<m.cbsz - 1
			m.places[r][g] = matrix.Place{Row: uint8((b&^mask+int(m.abid))*m.M + i), From: uint8(b * m.N)}
		}
		for n := range m.octets[r] {
			m.octets[r][n] = m.places[r][n*8/m.N].Row
		}
		m.sameB[r] = r > 0 && !m.Sparse && matrix.SameColumns(&m.places[r], &m.places[r-1])
	}
}

// RegistersOf returns the registers of an operand; nil for a constant.
func RegistersOf(w *wave.Wave, o *encoding.Operand, n int) []alu.Lanes {
	at := int(o.Reg)
	switch o.Kind {
	case encoding.VReg:
		return w.V[at : at+n]
	case encoding.AReg:
		return w.A[at : at+n]
	}
	return nil
}

func (m *multiplication) step(w *wave.Wave) {
	if w.Matrix == nil {
		w.Matrix = new(matrix.MatrixTemp)
	}
	temp := w.Matrix
	m.load(w, temp)
	n := m.count * m.wide
	if c := RegistersOf(w, &m.srcC, n); c != nil {
		copy(temp.D[:n], c)
	} else {
		m.constantC(temp)
	}
	m.sum(m, temp)
	copy(RegistersOf(w, &m.dst, n), temp.D[:n])
}

func (m *multiplication) constantC(temp *matrix.MatrixTemp) {
	k := alu.F32
	if m.wide == 2 {
		k = alu.F64
	}
	bits := constant(&m.srcC, k)
	for n := range m.count * m.wide {
		temp.D[n].Fill(uint32(bits >> (n % m.wide * 32)))
	}
}

// rowsOfA spreads entry k of A's rows over the lanes of register r of the result.
func (m *multiplication) rowsOfA(temp *matrix.MatrixTemp, d *alu.Lanes, r, k int) {
	column := temp.A[k*m.rowsA : (k+1)*m.rowsA]
	for g := range m.groups {
		x := column[m.places[r][g].Row]
		lanes := d[g*m.N : (g+1)*m.N]
		for l := range lanes {
			lanes[l] = x
		}
	}
}

// columnsOfB likewise, with the rows of B that a sparse A asks for.
func (m *multiplication) columnsOfB(temp *matrix.MatrixTemp, d *alu.Lanes, r, k int) {
	for g := range m.groups {
		p := m.places[r][g]
		row := k
		if m.Sparse {
			row = int(temp.At[int(p.Row)*m.depth+k])
		}
		from := row*m.rowsB + int(p.From)
		copy(d[g*m.N:(g+1)*m.N], temp.B[from:from+m.N])
	}
}
