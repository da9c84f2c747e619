package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Sop2 binds s_or_b32 and its like.
func Sop2(f func(w *wave.Wave, a, b uint32) uint32) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d := i.Dst.Reg & wave.AllScalars
		a, b := bindScalar(&i.Src[0], alu.U32), bindScalar(&i.Src[1], alu.U32)
		return func(w *wave.Wave) { w.S[d&wave.AllScalars] = f(w, a.U32(w), b.U32(w)) }
	}
}

// Sop2wide is for operands of 64 bits; b is narrow where the instruction says so.
func Sop2wide(f func(w *wave.Wave, a, b uint64) uint64, a, b alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d := int(i.Dst.Reg)
		x, y := bindScalar(&i.Src[0], a), bindScalar(&i.Src[1], b)
		if b.Wide() {
			return func(w *wave.Wave) { w.SetS64(d, f(w, x.u64(w), y.u64(w))) }
		}
		if a.Wide() {
			return func(w *wave.Wave) { w.SetS64(d, f(w, x.u64(w), uint64(y.U32(w)))) }
		}
		return func(w *wave.Wave) { w.SetS64(d, f(w, uint64(x.U32(w)), uint64(y.U32(w)))) }
	}
}

// Sop1 binds s_not_b32 and its like.
func Sop1(f func(w *wave.Wave, a uint32) uint32) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d := i.Dst.Reg & wave.AllScalars
		a := bindScalar(&i.Src[0], alu.U32)
		return func(w *wave.Wave) { w.S[d&wave.AllScalars] = f(w, a.U32(w)) }
	}
}

// Sop1wide binds s_wqm_b64 and its like.
func Sop1wide(f func(w *wave.Wave, a uint64) uint64) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d := int(i.Dst.Reg)
		a := bindScalar(&i.Src[0], alu.U64)
		return func(w *wave.Wave) { w.SetS64(d, f(w, a.u64(w))) }
	}
}

// Sop1narrow is for a source of 64 bits and a result of 32.
func Sop1narrow(f func(w *wave.Wave, a uint64) uint32, t alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d := i.Dst.Reg & wave.AllScalars
		a := bindScalar(&i.Src[0], t)
		return func(w *wave.Wave) { w.S[d&wave.AllScalars] = f(w, a.u64(w)) }
	}
}

// Sopc compares into SCC.
func Sopc(f func(a, b uint32) bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		a, b := bindScalar(&i.Src[0], alu.U32), bindScalar(&i.Src[1], alu.U32)
		return func(w *wave.Wave) { w.SetSCC(f(a.U32(w), b.U32(w))) }
	}
}

// SopcWide binds s_cmp_eq_u64 and its like.
func SopcWide(f func(a, b uint64) bool, b alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		x, y := bindScalar(&i.Src[0], alu.U64), bindScalar(&i.Src[1], b)
		if b.Wide() {
			return func(w *wave.Wave) { w.SetSCC(f(x.u64(w), y.u64(w))) }
		}
		return func(w *wave.Wave) { w.SetSCC(f(x.u64(w), uint64(y.U32(w)))) }
	}
}

// SopkCompare compares a register with the immediate: the first operand of the instruction is read.
func SopkCompare(f func(a, b uint32) bool, unsigned bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		a, k := sopkRegister(i), uint32(int32(int16(i.Imm)))
		if unsigned {
			k &= 0xffff
		}
		return func(w *wave.Wave) { w.SetSCC(f(w.S[a&wave.AllScalars], k)) }
	}
}

func sopkRegister(i *encoding.Inst) uint16 {
	if i.Dst.Kind == encoding.SReg {
		return i.Dst.Reg & wave.AllScalars
	}
	return i.Src[0].Reg & wave.AllScalars
}

// Sopk computes with a register and the sign-extended immediate into the register.
func Sopk(f func(w *wave.Wave, d, k uint32) uint32) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d, k := sopkRegister(i), uint32(int32(int16(i.Imm)))
		return func(w *wave.Wave) { w.S[d&wave.AllScalars] = f(w, w.S[d&wave.AllScalars], k) }
	}
}
