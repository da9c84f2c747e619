package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

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
	shape
	rowsA, rowsB int // rows of A and columns of B, of all blocks
	perA, perB   int // entries in each lane
	depth        int // products in one entry of the result: k, half of it where A is sparse
	wide         int // registers of an entry of the result
	count        int // registers of the result, or pairs
	groups       int // of n lanes, each with one row of the result

	srcA, srcB, srcC, dst Operand
	index                 Operand // of a sparse A
	indexShift            uint
	cbsz, abid            uint8
	negate                uint8      // bit 0 for A, 1 for B, 2 for C: doubles
	fromB                 *[64]uint8 // lanes that B is taken from
	lanesA, lanesB        *lanePlaces
	places                [32][16]place
	octets                [32][8]uint8 // rows of A, for each eight lanes
	sameB                 [32]bool     // B's lanes are those of the register before
	fused                 bool         // sums in fixed point: from gfx942 on
	mixed                 bool         // the formats of A and B are the instruction's: sums of 32 products
	scaled                bool         // which have scales
	srcScale              [2]Operand
	scaleShift            [2]uint // to the byte of a scale
	sum                   func(*multiplication, *matrixTemp)
}

// place is where a group of lanes of the result takes its factors from.
type place struct {
	row  uint8 // of A
	from uint8 // first column of B
}

// matrixTemp holds a wave's temporaries of one matrix instruction.
type matrixTemp struct {
	a, b   [2048]uint32 // entries by column of A and row of B: singles, whatever they were, or integers
	at     [1024]uint8  // sparse: the row of B for entry s of row i of A, at i*depth+s
	aw, bw [64]uint64   // entries that are doubles
	fa, fb [2048]factor
	odd    bool         // among fa or fb is an infinity or NaN
	scales [2][64]uint8 // of A and B: of 32 columns of row r, the nth such block, at n*rows+r

	d       [32]alu.Lanes // C, then D
	x       alu.Lanes
	y       [4]alu.Lanes
	rows    [8]uint32
	partial [4]alu.Lanes
}

// mfma makes the meaning of a matrix instruction.
func mfma(s shape) Meaning {
	return func(i *Inst) Step {
		m := bindMatrix(s, i)
		if m == nil {
			return nil
		}
		return m.step
	}
}

// formatsOf returns s with the formats of A and B as the chip has them, and as
// the instruction says where that does; false for those that do not exist.
func formatsOf(s shape, i *Inst) (shape, bool) {
	if s.a == entryMixed {
		if max(int(i.CBSZ), int(i.BLGP)) >= len(matrixFormats) {
			return s, false
		}
		s.a, s.b = matrixFormats[i.CBSZ], matrixFormats[i.BLGP]
	} else if i.Chip.atLeast(Gfx950) {
		s.a, s.b = s.a.ocp(), s.b.ocp()
	}
	return s, true
}

// bindMatrix returns nil for modifiers that the instruction does not have.
func bindMatrix(s shape, i *Inst) *multiplication {
	mixed := s.a == entryMixed
	s, ok := formatsOf(s, i)
	if !ok {
		return nil
	}
	m := &multiplication{mixed: mixed, scaled: i.Enc == VOP3PX, srcScale: i.Scale, shape: s, srcA: i.Src[0], srcB: i.Src[1], srcC: i.Src[2], dst: i.Dst}
	m.rowsA, m.rowsB = s.m*s.blocks, s.n*s.blocks
	m.depth = s.k
	if s.sparse {
		m.depth /= 2
		m.index, m.srcC = i.Src[2], i.Dst
	}
	m.perA, m.perB = m.depth*m.rowsA/64, s.k*m.rowsB/64
	m.lanesA, m.lanesB = lanePlacesOf(m.rowsA, m.perA, m.a.bits()), lanePlacesOf(m.rowsB, m.perB, m.b.bits())
	m.wide = 1
	if s.a == entryF64 {
		m.wide = 2
	}
	m.count, m.groups = s.m*s.n*s.blocks/64, 64/s.n
	for n := range m.scaleShift {
		m.scaleShift[n] = 8 * (uint(i.OpSel>>n&1) | uint(i.OpSelHi>>n&1)<<1)
	}
	m.fused = i.Chip.atLeast(Gfx942) && m.a != entryF64 && m.a != entryF32 && m.a != entryI8
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
func (m *multiplication) modifiers(i *Inst) bool {
	blgp := i.BLGP
	switch {
	case m.mixed:
		blgp = 0
	case m.sparse:
		if i.CBSZ == 0 && m.perA < 16 {
			m.indexShift = uint(i.ABID) * uint(m.perA) * 2
		}
		if blgp != 0 || m.indexShift > 31 {
			return false
		}
	case 1<<i.CBSZ > m.blocks || int(i.ABID) >= 1<<i.CBSZ:
		return false
	case m.a == entryF64 && i.Chip.atLeast(Gfx942):
		m.negate, blgp = blgp, 0
	case m.a == entryF64, m.fused && m.blocks == 1, m.a == entryI8 && i.Chip.atLeast(Gfx942) && m.blocks == 1:
		if blgp != 0 {
			return false
		}
	}
	if !m.sparse && !m.mixed {
		m.cbsz, m.abid = i.CBSZ, i.ABID
	}
	if m.fromB = &everyLane; blgp != 0 {
		m.fromB = new([64]uint8)
		for l := range m.fromB {
			m.fromB[l] = uint8(laneGroup(blgp, l))
		}
	}
	return true
}

// laneGroup is the lane that lane l of B is taken from: BLGP broadcasts one
// half or one quarter of the lanes, or rotates them by a quarter.
func laneGroup(blgp uint8, l int) int {
	switch blgp {
	case 0:
		return l
	case 1, 2:
		return l%32 + int(blgp-1)*32
	case 3:
		return (l + 16) % 64
	}
	return l%16 + int(blgp-4)*16
}

// placeAll finds the factors of each register of the result. CBSZ and ABID make
// block ABID of each 1<<CBSZ blocks of A stand for all of them.
func (m *multiplication) placeAll() {
	height := 4
	if m.wide == 2 {
		height = 1
	}
	together := max(1, height*64/(m.m*m.n)) // blocks in one register
	perBlock := max(1, m.m*m.n/64)
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
			m.places[r][g] = place{row: uint8((b&^mask+int(m.abid))*m.m + i), from: uint8(b * m.n)}
		}
		for n := range m.octets[r] {
			m.octets[r][n] = m.places[r][n*8/m.n].row
		}
		m.sameB[r] = r > 0 && !m.sparse && sameColumns(&m.places[r], &m.places[r-1])
	}
}

func sameColumns(x, y *[16]place) bool {
	for g := range x {
		if x[g].from != y[g].from {
			return false
		}
	}
	return true
}

// layout tells which column of A, or row of B, entries of lanes belong to, with
// per entries of that many bits in each lane.
type layout struct{ rows, chunk int }

func layoutOf(rows, per, bits int) layout {
	if bits < 8 || bits > 16 {
		return layout{rows, per}
	}
	return layout{rows, min(per, 128/bits)}
}

// column is the one of entry n of lane 0, to which ofLane adds what others have.
func (y layout) column(n int) int { return n/y.chunk*y.chunk*(64/y.rows) + n%y.chunk }
func (y layout) ofLane(l int) int { return l / y.rows * y.chunk }

// registersOf returns the registers of an operand; nil for a constant.
func registersOf(w *Wave, o *Operand, n int) []alu.Lanes {
	at := int(o.Reg)
	switch o.Kind {
	case VReg:
		return w.V[at : at+n]
	case AReg:
		return w.A[at : at+n]
	}
	return nil
}

func (m *multiplication) step(w *Wave) {
	if w.matrix == nil {
		w.matrix = new(matrixTemp)
	}
	temp := w.matrix
	m.load(w, temp)
	n := m.count * m.wide
	if c := registersOf(w, &m.srcC, n); c != nil {
		copy(temp.d[:n], c)
	} else {
		m.constantC(temp)
	}
	m.sum(m, temp)
	copy(registersOf(w, &m.dst, n), temp.d[:n])
}

func (m *multiplication) constantC(temp *matrixTemp) {
	k := alu.F32
	if m.wide == 2 {
		k = alu.F64
	}
	bits := constant(&m.srcC, k)
	for n := range m.count * m.wide {
		temp.d[n].Fill(uint32(bits >> (n % m.wide * 32)))
	}
}

// rowsOfA spreads entry k of A's rows over the lanes of register r of the result.
func (m *multiplication) rowsOfA(temp *matrixTemp, d *alu.Lanes, r, k int) {
	column := temp.a[k*m.rowsA : (k+1)*m.rowsA]
	for g := range m.groups {
		x := column[m.places[r][g].row]
		lanes := d[g*m.n : (g+1)*m.n]
		for l := range lanes {
			lanes[l] = x
		}
	}
}

// columnsOfB likewise, with the rows of B that a sparse A asks for.
func (m *multiplication) columnsOfB(temp *matrixTemp, d *alu.Lanes, r, k int) {
	for g := range m.groups {
		p := m.places[r][g]
		row := k
		if m.sparse {
			row = int(temp.at[int(p.row)*m.depth+k])
		}
		from := row*m.rowsB + int(p.from)
		copy(d[g*m.n:(g+1)*m.n], temp.b[from:from+m.n])
	}
}
