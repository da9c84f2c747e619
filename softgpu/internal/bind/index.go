package bind

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Register indexing: between s_set_gpr_idx_on and s_set_gpr_idx_off the numbers
// of vector registers are relative to M0. Hardware does that for all vector
// instructions; here v_mov_b32 alone does, the only one that compilers use so.

// Indexing follows register indexing through a program, in the order of its
// text, to find what it would get wrong, and the high bits of register numbers
// of GFX12.5. The zero value is the state outside.
type Indexing struct {
	on   bool
	high encoding.HighBits
}

// On reports whether registers are indexed after the last instruction.
func (x *Indexing) On() bool { return x.on }

// High reports whether register numbers have high bits after the last instruction.
func (x *Indexing) High() bool { return x.high != 0 }

// Raise gives the registers of the next instruction their high bits, before it is bound.
func (x *Indexing) Raise(i *encoding.Inst) { x.high.Raise(i) }

// Next takes the next instruction. The error says why it can not be run where
// registers are indexed or have high bits: it is a vector instruction that does
// not follow M0, or one that leaves the order of the text, so that others might be.
func (x *Indexing) Next(i *encoding.Inst) error {
	if x.high != 0 && (i.Enc == encoding.SOPP || i.Enc == encoding.SOPK || i.Enc == encoding.SOP1) && Ways[i.Row.Kin()] == elsewhere {
		return fmt.Errorf("instruction `%s` leaves while vector registers have high bits (s_set_vgpr_msb)", i)
	}
	x.high = x.high.After(i)
	if i.Enc == encoding.SOPC && i.Row.Kin() == "s_set_gpr_idx_on" {
		x.on = true
		return nil
	}
	if !x.on {
		return nil
	}
	switch i.Enc {
	case encoding.VOP1, encoding.VOP2, encoding.VOPC, encoding.VOP3, encoding.VOP3P, encoding.VINTRP:
		if n := i.Row.Kin(); n != "v_mov_b32" && n != "v_nop" {
			return fmt.Errorf("instruction `%s` uses registers indexed by m0 (s_set_gpr_idx_on), which v_mov_b32 alone does here", i)
		}
	case encoding.SOPP, encoding.SOPK, encoding.SOP1:
		switch way := Ways[i.Row.Kin()]; way {
		case indexingEnds:
			x.on = false
		case elsewhere:
			return fmt.Errorf("instruction `%s` leaves while registers are indexed by m0 (s_set_gpr_idx_on)", i)
		}
	}
	return nil
}

// way is where an instruction goes on, as far as register indexing cares.
type way uint8

// Where an instruction goes on.
const (
	Onward way = iota
	elsewhere
	indexingEnds
)

// Ways has the instructions that do not go on to the next one, of those that
// have a meaning.
var Ways = map[string]way{
	"s_set_gpr_idx_off":          indexingEnds,
	"s_endpgm":                   indexingEnds,
	"s_endpgm_saved":             indexingEnds,
	"s_endpgm_ordered_ps_done":   indexingEnds,
	"s_branch":                   elsewhere,
	"s_cbranch_scc0":             elsewhere,
	"s_cbranch_scc1":             elsewhere,
	"s_cbranch_vccz":             elsewhere,
	"s_cbranch_vccnz":            elsewhere,
	"s_cbranch_execz":            elsewhere,
	"s_cbranch_execnz":           elsewhere,
	"s_cbranch_cdbgsys":          elsewhere,
	"s_cbranch_cdbguser":         elsewhere,
	"s_cbranch_cdbgsys_or_user":  elsewhere,
	"s_cbranch_cdbgsys_and_user": elsewhere,
	"s_call_b64":                 elsewhere,
	"s_setpc_b64":                elsewhere,
	"s_swappc_b64":               elsewhere,
	"s_add_pc_i64":               elsewhere,
}

// SetGPRIndex is s_set_gpr_idx_on: which operands follow M0, and by how much.
func SetGPRIndex(i *encoding.Inst) encoding.Step {
	a, which := bindScalar(&i.Src[0], alu.U32), gprIndexMask(i)
	return func(w *wave.Wave) {
		w.Mode |= wave.GPRIndex
		w.S[wave.M0] = w.S[wave.M0]&^0xf0ff | a.U32(w)&0xff | which
	}
}

func gprIndexMask(i *encoding.Inst) uint32 {
	n := uint32(i.Imm)
	if i.Src[1].Kind != encoding.NoOperand {
		n = uint32(i.Src[1].Value)
	}
	return n & 15 << 12
}

// GPRIndexOff binds s_set_gpr_idx_off.
func GPRIndexOff(*encoding.Inst) encoding.Step {
	return func(w *wave.Wave) { w.Mode &^= wave.GPRIndex }
}

// GPRIndexMode binds s_set_gpr_idx_mode.
func GPRIndexMode(i *encoding.Inst) encoding.Step {
	which := uint32(i.Imm) & 15 << 12
	return func(w *wave.Wave) { w.S[wave.M0] = w.S[wave.M0]&^0xf000 | which }
}

// GPRIndexSet binds s_set_gpr_idx_idx.
func GPRIndexSet(i *encoding.Inst) encoding.Step {
	a := bindScalar(&i.Src[0], alu.U32)
	return func(w *wave.Wave) { w.S[wave.M0] = w.S[wave.M0]&^0xff | a.U32(w)&0xff }
}

// Which operands M0 indexes, in its bits 15:12.
const (
	indexSrc0 = 1 << 12
	indexDst  = 8 << 12
)

// moveIndexed is v_mov_b32 on indexed registers. A source out of range is v0, and an instruction with a destination out
// of range does nothing (Vega ISA, "Out-of-Range Behavior"): compilers index before they check the index.
func (v *valu) moveIndexed(w *wave.Wave) {
	by := int(w.S[wave.M0] & 0xff)
	x := *v
	if w.S[wave.M0]&indexSrc0 != 0 && x.src[0].from == encoding.VReg {
		if x.src[0].reg += by; x.src[0].reg >= len(w.V) {
			x.src[0].reg = 0
		}
	}
	if w.S[wave.M0]&indexDst != 0 {
		if x.dst += by; x.dst >= len(w.V) {
			return
		}
	}
	w.Temp[3][0] = *x.src[0].lanes(w, &w.Temp[0])
	x.finish(w, &w.Temp[3])
}

// ScalarRegisters is how many SGPRs can be indexed. The registers after them have
// names of their own, which indexes do not reach.
const ScalarRegisters = 102

// MoveScalarFrom is s_movrels: M0 is added to the number of the source. A source
// that does not exist is s0.
func MoveScalarFrom(wide bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d, from := int(i.Dst.Reg), uint64(i.Src[0].Reg)
		return func(w *wave.Wave) {
			at := from + uint64(w.S[wave.M0])
			if at >= ScalarRegisters {
				at = 0
			}
			if wide {
				w.SetS64(d, w.S64(int(at&^1)))
				return
			}
			w.S[d&wave.AllScalars] = w.S[at]
		}
	}
}

// MoveScalarTo is s_movreld: M0 is added to the number of the destination. One that
// does not exist is not written.
func MoveScalarTo(wide bool) encoding.Meaning {
	k := alu.U32
	if wide {
		k = alu.U64
	}
	return func(i *encoding.Inst) encoding.Step {
		to, a := uint64(i.Dst.Reg), bindScalar(&i.Src[0], k)
		return func(w *wave.Wave) {
			at := to + uint64(w.S[wave.M0])
			switch {
			case at >= ScalarRegisters:
			case wide:
				w.SetS64(int(at&^1), a.u64(w))
			default:
				w.S[at] = a.U32(w)
			}
		}
	}
}
