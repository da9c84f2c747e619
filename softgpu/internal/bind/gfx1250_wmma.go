package bind

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// mixedWMMA is v_wmma_f32_16x16x128_f8f6f4 bound to its operands. Sums are as of other matrix instructions: exact, and
// rounded once.
type mixedWMMA struct {
	factors [2]encoding.Operand
	formats [2]matrix.Entry
	scales  [2]source // of 32 entries each, a byte for each 32 columns of A or rows of B; none: 1
	scaled  bool
	row     [2]uint8 // which half of the wave has the scales

	c, d       encoding.Operand
	fixed      uint32
	negC, absC bool
}

// noScale is the scale that stands for NaN.
const noScale = 255

// WMMAMixed binds v_wmma_f32_16x16x128_f8f6f4, without scales or with those of 32 entries that are powers of two. What
// lanes have scales of 16 entries, and what other formats' are, is not known well enough.
func WMMAMixed(i *encoding.Inst) encoding.Step {
	m := &mixedWMMA{factors: [2]encoding.Operand{i.Src[0], i.Src[1]}, c: i.Src[2], d: i.Dst, negC: i.Neg>>2&1 != 0, absC: i.NegHi>>2&1 != 0}
	for n, format := range [2]uint8{i.CBSZ, i.BLGP} {
		if int(format) >= len(matrix.MatrixFormats) {
			return nil
		}
		m.formats[n] = matrix.MatrixFormats[format]
	}
	if i.Enc == encoding.VOP3PX {
		if i.Scale16 || i.ScaleFormat != [2]uint8{} {
			return nil
		}
		m.scaled, m.row = true, i.ScaleRow
		for n := range m.scales {
			if i.Scale[n].Kind != encoding.VReg {
				return nil // what scalar registers and constants mean for each block is not known
			}
			m.scales[n] = source{kind: alu.U32, from: encoding.VReg, reg: int(i.Scale[n].Reg)}
		}
	}
	if m.c.Kind == encoding.Const {
		m.fixed = uint32(constant(&m.c, alu.F32))
	}
	return m.step
}

// Depth of the instruction, and the entries that share a scale.
const (
	mixedDepth = 128
	scaleBlock = 32
)

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

// load takes a factor apart: entry k of line n is at n*mixedDepth+k.
func (m *mixedWMMA) load(w *wave.Wave, to *[matrix.Side * matrix.MostDepth]float64, n int) {
	e := m.formats[n]
	bits := e.Bits()
	regs := RegistersOf(w, &m.factors[n], int(m.factors[n].Width))
	values := e.Numbers()
	for k := range mixedDepth {
		half, entry := mixedPlace(k, bits)
		f := matrix.FieldsOf(regs, entry, uint(bits))
		for line := range matrix.Side {
			to[line*mixedDepth+k] = values[f.Of(uint8(16*half+line))&(1<<bits-1)]
		}
	}
	if !m.scaled {
		return
	}
	scales := &w.V[m.scales[n].reg]
	for line := range matrix.Side {
		word := scales[16*int(m.row[n])+line]
		for block := range mixedDepth / scaleBlock {
			scale := math.Ldexp(1, int(word>>(8*block)&255)-127)
			if word>>(8*block)&255 == noScale {
				scale = math.NaN()
			}
			for k := range scaleBlock {
				to[line*mixedDepth+block*scaleBlock+k] *= scale
			}
		}
	}
}

func (m *mixedWMMA) step(w *wave.Wave) {
	if w.Matrix == nil {
		w.Matrix = new(matrix.MatrixTemp)
	}
	t := w.Matrix
	m.load(w, &t.Da, 0)
	m.load(w, &t.Db, 1)
	if c := RegistersOf(w, &m.c, 8); c != nil {
		copy(t.D[:8], c)
	} else {
		for r := range 8 {
			t.D[r].Fill(m.fixed)
		}
	}
	var terms [mixedDepth + 1]float64
	for i := range matrix.Side {
		a := t.Da[i*mixedDepth : (i+1)*mixedDepth]
		for j := range matrix.Side {
			for k, x := range t.Db[j*mixedDepth : (j+1)*mixedDepth] {
				terms[k] = a[k] * x
			}
			at := &t.D[i%8][i/8*16+j]
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
	copy(w.V[m.d.Reg:], t.D[:8])
}
