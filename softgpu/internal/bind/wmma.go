package bind

import (
	"math"

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
	short             bool // results have 16 bits
	high, half        bool // half: one in a register, whose other half stays; high: in the upper half
	indexShift        uint
	fixed             uint32 // C, where that is a constant
}

// WMMA makes the meaning of a matrix instruction of RDNA.
func WMMA(s matrix.WMMA) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		old := i.Chip.Set() == encoding.GFX11
		m := &wmma{WMMA: s, places: s.PlacesOf(old, i.Wave32), a: i.Src[0], b: i.Src[1], c: i.Src[2], d: i.Dst, clamp: i.Clamp}
		m.short = s.D == matrix.EntryF16 || s.D == matrix.EntryBF16
		m.half = m.short && old
		if m.half {
			if i.OpSel&3 != 0 || i.OpSelHi != 7 {
				return nil
			}
			m.high = i.OpSel>>2&1 != 0
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
			if m.packs() {
				m.fixed |= m.fixed << 16
			}
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
	registers := t.D[:matrix.Side*matrix.Side/p.Lanes]
	m.loadC(w, t, registers)
	for r := range registers {
		for g := range p.Lanes / matrix.Side {
			m.row(t, (*[matrix.Side]uint32)(registers[r][g*matrix.Side:]), p.Row[r][g], g%p.Copies)
		}
	}
	m.store(w, t, registers)
}

// packs reports whether two entries of C share a register.
func (m *wmma) packs() bool { return m.short && !m.half && !m.WideC }

// loadC takes C as singles or integers, with its modifiers.
func (m *wmma) loadC(w *wave.Wave, t *matrix.MatrixTemp, to []alu.Lanes) {
	count := len(to)
	if m.packs() {
		count /= 2
	}
	from := RegistersOf(w, &m.c, count)
	if from == nil {
		t.X.Fill(m.fixed)
	}
	for r := range to {
		c, high := &t.X, m.high && from != nil
		switch {
		case from != nil && m.packs():
			c, high = &from[r/2], r%2 != 0
		case from != nil:
			c = &from[r]
		}
		if m.Integers() {
			to[r] = *c
			continue
		}
		matrix.Widen(&to[r], c, m.entryOfC(), high)
		if m.absC {
			alu.AndB32(&to[r], &to[r], &withoutSign)
		}
		if m.negC {
			alu.XorB32(&to[r], &to[r], &signs)
		}
	}
}

var (
	withoutSign, signs = alu.LanesOf(math.MaxInt32), alu.LanesOf(1 << 31)
	bitsOfHalves       = [2]alu.Lanes{alu.LanesOf(0x0000ffff), alu.LanesOf(0xffff0000)}
)

// store writes the result.
func (m *wmma) store(w *wave.Wave, t *matrix.MatrixTemp, from []alu.Lanes) {
	d := w.V[m.d.Reg:]
	switch {
	case m.half:
		replaced := &bitsOfHalves[0]
		if m.high {
			replaced = &bitsOfHalves[1]
		}
		for r := range from {
			matrix.Narrow(&t.X, &from[r], &from[r], m.D)
			alu.BfiB32(&d[r], replaced, &t.X, &d[r])
		}
	case m.short:
		for r := range from[:len(from)/2] {
			matrix.Narrow(&d[r], &from[2*r], &from[2*r+1], m.D)
		}
	default:
		copy(d, from)
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

// row computes a row of the result, of which lanes hold C.
func (m *wmma) row(t *matrix.MatrixTemp, lanes *[matrix.Side]uint32, i, copyOfB int) {
	depth := m.Depth()
	a, b := t.Da[i*depth:(i+1)*depth], t.Db[copyOfB*m.K*matrix.Side:]
	at := inOrder[:depth]
	if m.Sparse {
		at = t.At16[i*depth : (i+1)*depth]
	}
	if !m.Integers() {
		t.AddRow(lanes, a, b, at, m.Splits(), m.short)
		return
	}
	matrix.SumRow(&t.Sum, a, b, at)
	for j := range lanes {
		lanes[j] = m.whole(int64(t.Sum[j]), lanes[j])
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
