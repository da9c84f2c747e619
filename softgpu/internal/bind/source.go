package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// source is a bound operand of a vector instruction.
type source struct {
	kind alu.Kind
	from encoding.OperandKind // VReg, AReg; NoOperand: scalar or constant; Const: all lanes are in fixed
	reg  int
	s    scalar
	k    *alu.Pair

	denorm     uint32 // bits of MODE without which denormals are zeros
	modified   bool   // one of the below
	abs, neg   bool
	high, sext bool
	sel        uint8
	selected   bool
	perm       *permutation
	halved     *alu.Halves // of a packed operand whose halves do not stand where they belong
}

func bindSource(i *encoding.Inst, n int, k alu.Kind) source {
	o := &i.Src[n]
	s := source{kind: k, from: o.Kind, reg: int(o.Reg)}
	s.denorm, _ = k.Denormals()
	switch o.Kind {
	case encoding.VReg, encoding.AReg:
	case encoding.Const:
		s.k = new(alu.Pair)
		bits := constant(o, k)
		s.k[0].Fill(uint32(bits))
		s.k[1].Fill(uint32(bits >> 32))
	default:
		s.s, s.from = bindScalar(o, k), encoding.NoOperand
	}
	if i.Row.Form.Src[n].Mods == encoding.FloatMods {
		s.abs = i.Abs>>n&1 != 0
		s.neg = i.Neg>>n&1 != 0
	}
	if i.Enc != encoding.VOP3P && k.Short() {
		s.high = i.OpSel>>n&1 != 0
	}
	if i.Suffix == encoding.SDWA && n < 2 {
		s.sel = [2]uint8{i.Src0Sel, i.Src1Sel}[n]
		s.sext = i.Sext>>n&1 != 0
		s.selected = s.sel != alu.SelDword
	}
	if i.Suffix >= encoding.DPP && n == 0 {
		s.perm = BindDPP(i)
	}
	s.modified = s.abs || s.neg || s.high || s.selected || s.perm != nil
	return s
}

// raw returns the operand's registers before modifiers; temp holds operands that are not in registers.
func (s *source) raw(w *wave.Wave, temp *alu.Pair) (lo, hi *alu.Lanes) {
	switch s.from {
	case encoding.VReg:
		if s.kind.Wide() {
			return &w.V[s.reg], &w.V[s.reg+1]
		}
		return &w.V[s.reg], &alu.Zeros
	case encoding.AReg:
		if s.kind.Wide() {
			return &w.A[s.reg], &w.A[s.reg+1]
		}
		return &w.A[s.reg], &alu.Zeros
	case encoding.Const:
		return &s.k[0], &s.k[1]
	}
	if s.kind.Wide() {
		v := s.s.u64(w)
		temp[0].Fill(uint32(v))
		temp[1].Fill(uint32(v >> 32))
		return &temp[0], &temp[1]
	}
	temp[0].Fill(s.s.U32(w))
	return &temp[0], &alu.Zeros
}

// lanes returns the values of an operand of at most 32 bits, with modifiers.
func (s *source) lanes(w *wave.Wave, temp *alu.Pair) *alu.Lanes {
	if !s.modified && s.from == encoding.VReg && s.denorm&^w.Mode == 0 {
		return &w.V[s.reg]
	}
	lo, _ := s.halves(w, temp)
	return lo
}

// halves returns the low and high words of an operand, with modifiers.
func (s *source) halves(w *wave.Wave, temp *alu.Pair) (lo, hi *alu.Lanes) {
	lo, hi = s.raw(w, temp)
	flush := s.denorm&^w.Mode != 0
	if !s.modified && !flush {
		return lo, hi
	}
	if s.perm != nil {
		s.perm.Move(w, &temp[0], lo)
		if s.kind.Wide() {
			s.perm.Move(w, &temp[1], hi)
		}
	} else if lo != &temp[0] {
		temp[0] = *lo
		if s.kind.Wide() {
			temp[1] = *hi
		}
	}
	lo = &temp[0]
	if s.kind.Wide() {
		hi = &temp[1]
	}
	if s.selected {
		alu.SelectPart(lo, s.sel, s.sext)
	}
	if s.high {
		for i := range lo {
			lo[i] >>= 16
		}
	}
	if s.halved != nil {
		s.halved.Arrange(lo)
	}
	if s.abs || s.neg {
		s.sign(lo, hi)
	}
	if flush {
		alu.FlushDenormsOf(s.kind, lo, hi)
	}
	return lo, hi
}

func (s *source) sign(lo, hi *alu.Lanes) {
	bit := uint32(1) << 31
	if s.kind.Short() {
		bit = 1 << 15
	}
	var clear, flip uint32
	if s.abs {
		clear = bit
	}
	if s.neg {
		flip = bit
	}
	at := lo
	if s.kind.Wide() {
		at = hi
	}
	alu.AlterBits(at, clear, flip)
}
