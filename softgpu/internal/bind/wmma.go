package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// wmma is a matrix instruction of RDNA bound to its operands. Its sums are exact and rounded once, to the
// nearest, whatever MODE says. Chips add step by step: which order the steps have is not known. Denormal bfloats and
// singles are zeros on both sides, as measured on gfx1151.
type wmma struct {
	matrix.WMMA
	places            *matrix.WMMAPlaces
	a, b, c, d, index encoding.Operand
	signed            [2]bool
	flip              [2]uint32 // bits of A's and B's registers that are changed
	clamp             bool
	negC, absC        bool
	high              uint // where 16 bits of the result are in a register
	packed, half      bool // results of 16 bits: two in a register, or one that leaves the other half alone
	indexShift        uint
	fixed             uint32 // C, where that is a constant
}

// WMMA makes the meaning of a matrix instruction of RDNA.
func WMMA(s matrix.WMMA) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		old := i.Chip.Set() == encoding.GFX11
		m := &wmma{WMMA: s, places: s.PlacesOf(old, i.Wave32), a: i.Src[0], b: i.Src[1], c: i.Src[2], d: i.Dst, clamp: i.Clamp}
		short := s.D == matrix.EntryF16 || s.D == matrix.EntryBF16
		m.packed, m.half = short && !old && !s.WideC, short && old
		if m.half {
			if i.OpSel&3 != 0 || i.OpSelHi != 7 {
				return nil
			}
			m.high = uint(i.OpSel>>2&1) * 16
		}
		for n := range m.flip {
			switch {
			case s.Integers():
				m.signed[n] = i.Neg>>n&1 != 0
			case s.A == matrix.EntryF32:
				m.flip[n] = uint32(i.Neg>>n&1) << 31
			default:
				m.flip[n] = uint32(i.Neg>>n&1)<<15 | uint32(i.NegHi>>n&1)<<31
			}
		}
		m.negC, m.absC = i.Neg>>2&1 != 0, i.NegHi>>2&1 != 0
		if s.Sparse && s.New && i.OpSel&1 != 0 {
			return nil // the index fills its register
		}
		if s.Sparse {
			m.index, m.c, m.negC, m.absC = i.Src[2], i.Dst, false, false
			m.indexShift = uint(i.OpSel) * 2 * uint(len(m.places.A))
		}
		if m.c.Kind == encoding.Const {
			m.fixed = uint32(constant(&m.c, kindOfC(m.entryOfC())))
			if m.packed {
				m.fixed |= m.fixed << 16
			}
			m.fixed <<= m.high
		}
		return m.step
	}
}

// entryOfC is the format of C.
func (m *wmma) entryOfC() matrix.Entry {
	if m.WideC {
		return matrix.EntryF32
	}
	return m.D
}

func kindOfC(e matrix.Entry) alu.Kind {
	switch e {
	case matrix.EntryF16:
		return alu.F16
	case matrix.EntryBF16:
		return alu.Bf16
	case matrix.EntryF32:
		return alu.F32
	}
	return alu.U32
}

// inOrder are the rows of B of a dense A.
var inOrder = func() (all [matrix.MostDepth]uint8) {
	for k := range all {
		all[k] = uint8(k)
	}
	return all
}()

func (m *wmma) step(w *wave.Wave) {
	if w.Matrix == nil {
		w.Matrix = new(matrix.MatrixTemp)
	}
	t, p := w.Matrix, m.places
	matrix.LoadWMMA(&t.Da, &t.X, RegistersOf(w, &m.a, int(m.a.Width)), m.A, p.A, m.signed[0], m.flip[0])
	matrix.LoadWMMA(&t.Db, &t.X, RegistersOf(w, &m.b, int(m.b.Width)), m.B, p.B, m.signed[1], m.flip[1])
	if m.Sparse {
		m.loadIndex(RegistersOf(w, &m.index, int(m.index.Width)), t)
	}
	count := matrix.Side * matrix.Side / p.Lanes
	if m.packed {
		count /= 2
	}
	if c := RegistersOf(w, &m.c, count); c != nil {
		copy(t.D[:count], c)
	} else {
		for r := range count {
			t.D[r].Fill(m.fixed)
		}
	}
	exact := !m.Splits() && m.Exact(t.Da[:matrix.Side*m.Depth()], t.Db[:m.K*matrix.Side*p.Copies])
	for r := range count {
		for g := range p.Lanes / matrix.Side {
			lanes := t.D[r][g*matrix.Side : (g+1)*matrix.Side]
			if m.packed {
				m.row(t, (*[matrix.Side]uint32)(lanes), p.Packed[r][g][0], 0, 0, exact)
				m.row(t, (*[matrix.Side]uint32)(lanes), p.Packed[r][g][1], 0, 16, exact)
			} else {
				m.row(t, (*[matrix.Side]uint32)(lanes), p.Row[r][g], g%p.Copies, m.high, exact)
			}
		}
	}
	if m.WideC {
		for r := range count / 2 {
			for l := range t.D[r] {
				w.V[int(m.d.Reg)+r][l] = t.D[2*r][l]&0xffff | t.D[2*r+1][l]<<16
			}
		}
		return
	}
	for r, d := range RegistersOf(w, &m.d, count) {
		if !m.half {
			w.V[int(m.d.Reg)+r] = t.D[r]
			continue
		}
		keep := uint32(0xffff0000) >> m.high
		for l := range d {
			w.V[int(m.d.Reg)+r][l] = d[l]&keep | t.D[r][l]&^keep
		}
	}
}

// loadIndex finds for each entry of a sparse A the row of B that it is multiplied with.
func (m *wmma) loadIndex(index []alu.Lanes, t *matrix.MatrixTemp) {
	depth := m.Depth()
	if m.New { // the lower half of the wave tells the first half of each row
		for to := range matrix.Side * depth {
			k, n := to%depth, to%(depth/2)
			lane := to/depth + k/(depth/2)*matrix.Side
			t.At16[to] = uint8(k/2*4) + uint8(index[n/16][lane]>>(n%16*2)&3)
		}
		return
	}
	for n, runs := range m.places.A {
		for _, r := range runs {
			r.Each(func(lane, to int) {
				t.At16[to] = uint8(to%depth/2*4) + uint8(index[0][lane]>>(m.indexShift+2*uint(n))&3)
			})
		}
	}
}

// row computes a row of the result, of which lanes hold C, at some bit of theirs.
func (m *wmma) row(t *matrix.MatrixTemp, lanes *[matrix.Side]uint32, i, copyOfB int, shift uint, exact bool) {
	depth := m.Depth()
	a, b := t.Da[i*depth:(i+1)*depth], t.Db[copyOfB*m.K*matrix.Side:]
	at := inOrder[:depth]
	if m.Sparse {
		at = t.At16[i*depth : (i+1)*depth]
	}
	var sum [matrix.Side]float64
	split := !exact && m.Splits()
	switch {
	case exact:
		matrix.SumRow(&sum, a, b, at)
	case split:
		alu.SplitProducts(&t.High, &t.Low, a, b, at)
	}
	switch {
	case m.Integers():
		for j := range lanes {
			lanes[j] = m.whole(int64(sum[j]), lanes[j])
		}
		return
	case exact && m.D == matrix.EntryF32 && !m.negC && !m.absC:
		matrix.AddSingles(lanes, &sum)
		return
	}
	columns := uint32(1<<matrix.Side - 1)
	if split && m.D == matrix.EntryF32 && !m.negC && !m.absC {
		if columns = matrix.AddSplitSingles(lanes, &t.High, &t.Low); columns == 0 {
			return
		}
		split = false
	}
	keep := ^uint32(0)
	if m.D != matrix.EntryF32 {
		keep = 0xffff
	}
	for j, x := range lanes {
		if columns>>j&1 == 0 {
			continue
		}
		c, known := m.addend(x>>shift), exact
		d := c
		switch {
		case exact:
			d = matrix.AddExact(sum[j], c)
		case split:
			d, known = matrix.AddSplit(t.High[j], t.Low[j], c)
		}
		if !known {
			var terms [matrix.MostDepth + 1]float64
			for k := range a {
				terms[k] = a[k] * b[int(at[k])*matrix.Side+j]
			}
			terms[depth] = c
			d = matrix.SumExact(terms[:depth+1])
		}
		lanes[j] = x&^(keep<<shift) | matrix.RoundWMMA(d, m.D)<<shift
	}
}

// whole adds an integer to C.
func (m *wmma) whole(sum int64, c uint32) uint32 {
	sum += int64(int32(c))
	if m.clamp {
		sum = min(max(sum, -1<<31), 1<<31-1)
	}
	return uint32(sum)
}

// addend is an entry of C.
func (m *wmma) addend(x uint32) float64 {
	var c float64
	switch m.entryOfC() {
	case matrix.EntryF16:
		c = float64(alu.HalfTo32(uint16(x)))
	case matrix.EntryBF16:
		c = float64(alu.Float(matrix.Flushed(x << 16)))
	default:
		c = float64(alu.Float(matrix.Flushed(x)))
	}
	if m.absC && (c < 0 || c == 0) {
		c = 0 - c
	}
	if m.negC {
		c = -c
	}
	return c
}

// DotShort makes a meaning of the sum of two products and a third number, all of 16 bits: v_dot2_f16_f16 and
// v_dot2_bf16_bf16. It is exact, and rounded once to the nearest, as far as anybody has said. The modifiers of
// a pair are both halves'. Denormal bfloats are zeros on both sides.
func DotShort(e matrix.Entry) encoding.Meaning {
	in, out := alu.Pf16, alu.F16
	value := func(x uint64) float64 { return float64(alu.HalfTo32(uint16(x))) }
	if e == matrix.EntryBF16 {
		in, out = alu.Pbf16, alu.Bf16
		value = func(x uint64) float64 { return float64(alu.Float(matrix.Flushed(uint32(x) << 16))) }
	}
	return func(i *encoding.Inst) encoding.Step {
		c := *i
		c.Neg, c.Abs = i.Neg&4, i.Abs&4
		v := bindVector(&c, out, in, in, out)
		for n := range v.src {
			v.src[n].denorm = 0
		}
		v.denorm = 0
		v.seal()
		var clear, flip [2]uint64
		for n := range clear {
			clear[n], flip[n] = uint64(i.Abs>>n&1)*0x80008000, uint64(i.Neg>>n&1)*0x80008000
		}
		return v.StepLanes(func(a, b, c uint64) uint64 {
			a, b = a&^clear[0]^flip[0], b&^clear[1]^flip[1]
			terms := [3]float64{value(a) * value(b), value(a>>16) * value(b>>16), value(c)}
			return uint64(matrix.RoundWMMA(matrix.SumExact(terms[:]), e))
		})
	}
}
