package encoding

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// name prints the mnemonic; that of a matrix instruction with scales tells how many entries share one.
func (p *printer) name() {
	name := p.inst.Row.Name
	if p.inst.Enc == VOP3PX && p.set == GFX1250 {
		kind := "v_wmma_scale_"
		if p.inst.Scale16 {
			kind = "v_wmma_scale16_"
		}
		p.text(kind)
		name = name[len("v_wmma_"):]
	}
	p.text(name)
}

// literal64 prints a literal of 64 bits, marked where it could be a shorter one.
func (p *printer) literal64(o *Operand, s *Slot) {
	v := uint64(o.High)<<32 | uint64(o.Value)
	if s.Class == LitK && o.Value == 0 {
		p.hex(uint64(o.High))
		return
	}
	short := v <= math.MaxUint32 || int64(v) >= minInline && int64(v) < 0
	for _, f := range inlineFloats {
		short = short || math.Float64bits(float64(math.Float32frombits(f))) == v
	}
	if short {
		p.text("lit64(")
		p.hex(v)
		p.text(")")
		return
	}
	p.hex(v)
}

// vopd3 prints the second instruction of a pair.
func (p *printer) vopd3() {
	p.bitop3()
	y := p.inst.Second
	if y == nil {
		return
	}
	p.text(" :: ")
	second := printer{b: p.b, inst: y, set: p.set, form: y.Row.Form}
	second.text(y.Row.Name)
	second.operands()
	second.bitop3()
	p.b = second.b
}

// bitop3 prints a truth table, unless it is 0.
func (p *printer) bitop3() {
	if p.form.Has(TruthTable) && p.inst.Extra != 0 {
		p.text(" bitop3:")
		p.digits(p.inst.Extra)
	}
}

var matrixFormats = [8]string{1: "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6", "MATRIX_FMT_FP4"}

var scaleFormats = [4]string{1: "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"}

var scaleRows = [2]string{1: "MATRIX_SCALE_ROW1"}

// choice prints a field of a matrix instruction by its name, or as a number where it has none.
func (p *printer) choice(label string, n uint8, names []string) {
	if n == 0 {
		return
	}
	p.flag(true, label)
	p.text(":")
	if names[n] != "" {
		p.text(names[n])
		return
	}
	p.number(int64(n))
}

// wmma1250 prints the modifiers of the matrix instructions that GFX12.5 adds.
func (p *printer) wmma1250() {
	i, f := p.inst, p.form
	if f.Has(Sparse) {
		p.labelled("index_key", int64(i.OpSel&1))
	}
	if f.Has(MatrixFormats) {
		p.choice("matrix_a_fmt", i.CBSZ, matrixFormats[:])
		p.choice("matrix_b_fmt", i.BLGP, matrixFormats[:])
	}
	if i.Enc == VOP3PX {
		p.scaleFields()
	}
	p.reuse()
	p.bits("neg_lo", i.Neg, 0, 3)
	p.bits("neg_hi", i.NegHi, 0, 3)
	p.flag(i.Clamp, "clamp")
}

// omitted reports whether source n is one of a tensor's that are not printed: both of the second two are null.
func (p *printer) omitted(n int) bool {
	i := p.inst
	return i.Enc == VTENSOR && n >= 2 && i.Src[2].Reg == wave.NullRead && i.Src[3].Reg == wave.NullRead
}

func (p *printer) scaleFields() {
	i := p.inst
	p.choice("matrix_a_scale", i.ScaleRow[0], scaleRows[:])
	p.choice("matrix_b_scale", i.ScaleRow[1], scaleRows[:])
	p.choice("matrix_a_scale_fmt", i.ScaleFormat[0], scaleFormats[:])
	p.choice("matrix_b_scale_fmt", i.ScaleFormat[1], scaleFormats[:])
}

func (p *printer) reuse() {
	p.flag(p.inst.Reuse&1 != 0, "matrix_a_reuse")
	p.flag(p.inst.Reuse&2 != 0, "matrix_b_reuse")
}

// scales1250 prints how the scales of a matrix instruction that does not follow are spelt.
func (p *printer) scales1250() {
	p.scaleFields()
	p.reuse()
}

// hwregNames1250 are the hardware registers that GFX12.5 adds.
var hwregNames1250 = [64]string{28: "IB_STS2", 33: "XNACK_STATE_PRIV", 34: "XNACK_MASK"}
