package bind

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// mixedWMMA is v_wmma_f32_16x16x128_f8f6f4, or v_wmma_f32_32x16x128_f4, bound to its operands. Sums are as of other
// matrix instructions: exact, and rounded once.
type mixedWMMA struct {
	factors [2]encoding.Operand
	formats [2]matrix.Entry
	parts   int    // of 16 rows of A and the result, which follow each other in registers
	scales  [2]int // registers of bytes, one for each block of columns of A or rows of B
	block   int    // entries that share a scale; 0: there are none
	row     [2]int // the first lane that has scales

	c, d       encoding.Operand
	fixed      uint32
	negC, absC bool
}

// noScale is the scale that stands for NaN.
const noScale = 255

// WMMAMixed binds v_wmma_f32_16x16x128_f8f6f4, without scales or with those that are powers of two. What scales of other
// formats are is not known well enough.
func WMMAMixed(i *encoding.Inst) encoding.Step {
	m := newMixedWMMA(i, 1)
	for n, format := range [2]uint8{i.CBSZ, i.BLGP} {
		if int(format) >= len(matrix.MatrixFormats) {
			return nil
		}
		m.formats[n] = matrix.MatrixFormats[format]
	}
	return m.bind(i)
}

// WMMAFour binds v_wmma_f32_32x16x128_f4. All lanes have scales of A: lane n that of row n.
func WMMAFour(i *encoding.Inst) encoding.Step {
	if i.ScaleRow[0] != 0 {
		return nil
	}
	m := newMixedWMMA(i, 2)
	m.formats = [2]matrix.Entry{matrix.EntryE2M1, matrix.EntryE2M1}
	return m.bind(i)
}

func newMixedWMMA(i *encoding.Inst, parts int) *mixedWMMA {
	return &mixedWMMA{factors: [2]encoding.Operand{i.Src[0], i.Src[1]}, c: i.Src[2], d: i.Dst, parts: parts, negC: i.Neg>>2&1 != 0, absC: i.NegHi>>2&1 != 0}
}

func (m *mixedWMMA) bind(i *encoding.Inst) encoding.Step {
	if i.Enc == encoding.VOP3PX {
		if i.ScaleFormat != [2]uint8{} {
			return nil
		}
		if m.block = 32; i.Scale16 {
			m.block = 16
		}
		for n := range m.scales {
			if i.Scale[n].Kind != encoding.VReg {
				return nil // what scalar registers and constants mean for each block is not known
			}
			m.scales[n], m.row[n] = int(i.Scale[n].Reg), 16*int(i.ScaleRow[n])
		}
	}
	if m.c.Kind == encoding.Const {
		m.fixed = uint32(constant(&m.c, alu.F32))
	}
	return m.step
}

// mixedDepth is the depth of the instructions.
const mixedDepth = 128

// place returns which half of the wave has column k of a row of A, or row k of a column of B, and as which of its
// entries.
func mixedPlace(k, bits int) (half, entry int) {
	switch bits {
	case 8: // in groups of 16
		return k / 16 % 2, k/32*16 + k%16
	default: // in groups of 32
		return k / 32 % 2, k/64*32 + k%32
	}
}

// load takes a factor apart, of A a part: entry k of line n is at n*mixedDepth+k.
func (m *mixedWMMA) load(w *wave.Wave, to *[matrix.Side * matrix.MostDepth]float64, n, part int) {
	e := m.formats[n]
	bits := e.Bits()
	regs := RegistersOf(w, &m.factors[n], int(m.factors[n].Width))[8*part:]
	values := e.Numbers()
	for k := range mixedDepth {
		half, entry := mixedPlace(k, bits)
		f := matrix.FieldsOf(regs, entry, uint(bits))
		for line := range matrix.Side {
			to[line*mixedDepth+k] = values[f.Of(uint8(16*half+line))&(1<<bits-1)]
		}
	}
	if m.block == 0 {
		return
	}
	for line := range matrix.Side {
		lane := m.row[n] + 16*part + line
		for block := range mixedDepth / m.block {
			byte := w.V[m.scales[n]+block/4][lane] >> (8 * (block % 4)) & 255
			scale := math.Ldexp(1, int(byte)-127)
			if byte == noScale {
				scale = math.NaN()
			}
			for k := range m.block {
				to[line*mixedDepth+block*m.block+k] *= scale
			}
		}
	}
}

func (m *mixedWMMA) step(w *wave.Wave) {
	if w.Matrix == nil {
		w.Matrix = new(matrix.MatrixTemp)
	}
	t := w.Matrix
	registers := 8 * m.parts
	if c := RegistersOf(w, &m.c, registers); c != nil {
		copy(t.D[:registers], c)
	} else {
		for r := range registers {
			t.D[r].Fill(m.fixed)
		}
	}
	m.load(w, &t.Db, 1, 0)
	for part := range m.parts {
		m.load(w, &t.Da, 0, part)
		m.multiply(t, t.D[8*part:][:8])
	}
	copy(w.V[m.d.Reg:], t.D[:registers])
}

// multiply adds the products of 16 rows of A to d.
func (m *mixedWMMA) multiply(t *matrix.MatrixTemp, d []alu.Lanes) {
	var terms [mixedDepth + 1]float64
	for i := range matrix.Side {
		a := t.Da[i*mixedDepth : (i+1)*mixedDepth]
		for j := range matrix.Side {
			for k, x := range t.Db[j*mixedDepth : (j+1)*mixedDepth] {
				terms[k] = a[k] * x
			}
			at := &d[i%8][i/8*16+j]
			c := float64(alu.Float(matrix.Flushed(*at)))
			if m.absC {
				c = math.Abs(c)
			}
			if m.negC {
				c = -c
			}
			terms[mixedDepth] = c
			*at = matrix.RoundWMMA(matrix.SumExact(terms[:]), matrix.EntryF32)
		}
	}
}
