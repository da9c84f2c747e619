package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// Meanings of scalar instructions. Their functions return the result and set
// SCC through the wave where the instruction does.

func (w *Wave) setSCC(b bool) {
	w.SCC = 0
	if b {
		w.SCC = 1
	}
}

func sop2(f func(w *Wave, a, b uint32) uint32) Meaning {
	return func(i *Inst) Step {
		d := i.Dst.Reg & allScalars
		a, b := bindScalar(&i.Src[0], alu.U32), bindScalar(&i.Src[1], alu.U32)
		return func(w *Wave) { w.S[d&allScalars] = f(w, a.u32(w), b.u32(w)) }
	}
}

// sop2wide is for operands of 64 bits; b is narrow where the instruction says so.
func sop2wide(f func(w *Wave, a, b uint64) uint64, a, b alu.Kind) Meaning {
	return func(i *Inst) Step {
		d := int(i.Dst.Reg)
		x, y := bindScalar(&i.Src[0], a), bindScalar(&i.Src[1], b)
		if b.Wide() {
			return func(w *Wave) { w.setS64(d, f(w, x.u64(w), y.u64(w))) }
		}
		if a.Wide() {
			return func(w *Wave) { w.setS64(d, f(w, x.u64(w), uint64(y.u32(w)))) }
		}
		return func(w *Wave) { w.setS64(d, f(w, uint64(x.u32(w)), uint64(y.u32(w)))) }
	}
}

func sop1(f func(w *Wave, a uint32) uint32) Meaning {
	return func(i *Inst) Step {
		d := i.Dst.Reg & allScalars
		a := bindScalar(&i.Src[0], alu.U32)
		return func(w *Wave) { w.S[d&allScalars] = f(w, a.u32(w)) }
	}
}

func sop1wide(f func(w *Wave, a uint64) uint64) Meaning {
	return func(i *Inst) Step {
		d := int(i.Dst.Reg)
		a := bindScalar(&i.Src[0], alu.U64)
		return func(w *Wave) { w.setS64(d, f(w, a.u64(w))) }
	}
}

// sop1narrow is for a source of 64 bits and a result of 32.
func sop1narrow(f func(w *Wave, a uint64) uint32, t alu.Kind) Meaning {
	return func(i *Inst) Step {
		d := i.Dst.Reg & allScalars
		a := bindScalar(&i.Src[0], t)
		return func(w *Wave) { w.S[d&allScalars] = f(w, a.u64(w)) }
	}
}

// sopc compares into SCC.
func sopc(f func(a, b uint32) bool) Meaning {
	return func(i *Inst) Step {
		a, b := bindScalar(&i.Src[0], alu.U32), bindScalar(&i.Src[1], alu.U32)
		return func(w *Wave) { w.setSCC(f(a.u32(w), b.u32(w))) }
	}
}

func sopcWide(f func(a, b uint64) bool, b alu.Kind) Meaning {
	return func(i *Inst) Step {
		x, y := bindScalar(&i.Src[0], alu.U64), bindScalar(&i.Src[1], b)
		if b.Wide() {
			return func(w *Wave) { w.setSCC(f(x.u64(w), y.u64(w))) }
		}
		return func(w *Wave) { w.setSCC(f(x.u64(w), uint64(y.u32(w)))) }
	}
}

// sopkCompare compares a register with the immediate: the first operand of the instruction is read.
func sopkCompare(f func(a, b uint32) bool, unsigned bool) Meaning {
	return func(i *Inst) Step {
		a, k := sopkRegister(i), uint32(int32(int16(i.Imm)))
		if unsigned {
			k &= 0xffff
		}
		return func(w *Wave) { w.setSCC(f(w.S[a&allScalars], k)) }
	}
}

func sopkRegister(i *Inst) uint16 {
	if i.Dst.Kind == SReg {
		return i.Dst.Reg & allScalars
	}
	return i.Src[0].Reg & allScalars
}

// sopk computes with a register and the sign-extended immediate into the register.
func sopk(f func(w *Wave, d, k uint32) uint32) Meaning {
	return func(i *Inst) Step {
		d, k := sopkRegister(i), uint32(int32(int16(i.Imm)))
		return func(w *Wave) { w.S[d&allScalars] = f(w, w.S[d&allScalars], k) }
	}
}
