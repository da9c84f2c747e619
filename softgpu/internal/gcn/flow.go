package gcn

import (
	"strings"
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Instructions that change where a wave goes on, or whether.

// nothing is the meaning of what has no effect here: waits, caches, priorities.
func nothing(*Inst) Step { return func(*Wave) {} }

// status makes a meaning that only tells whoever runs the wave something.
func status(s Status) Meaning {
	return func(*Inst) Step { return func(w *Wave) { w.Status = s } }
}

// branch goes to the target if the condition holds. A target is relative to the next instruction.
func branch(taken func(w *Wave) bool) Meaning {
	return func(i *Inst) Step {
		by := uint32(int32(int16(i.Imm)))
		return func(w *Wave) {
			if taken(w) {
				w.PC += by
			}
		}
	}
}

func always(*Wave) bool        { return true }
func sccClear(w *Wave) bool    { return w.SCC == 0 }
func sccSet(w *Wave) bool      { return w.SCC != 0 }
func vccZero(w *Wave) bool     { return w.Vcc() == 0 }
func vccNonzero(w *Wave) bool  { return w.Vcc() != 0 }
func execZero(w *Wave) bool    { return w.S[ExecLo]|w.S[ExecHi] == 0 }
func execNonzero(w *Wave) bool { return w.S[ExecLo]|w.S[ExecHi] != 0 }

// next is the device address of the next instruction.
func (w *Wave) next() uint64 { return w.TextBase + uint64(w.PC)*4 }

// jump goes on at a device address.
func (w *Wave) jump(to uint64) {
	at := to - w.TextBase
	if at&3 != 0 || at>>2 >= nowhere>>1 {
		w.PC, w.away, w.elsewhere = nowhere, true, to
		return
	}
	w.PC = uint32(at >> 2)
}

// nowhere is the program counter of a wave that goes to a place too far to be counted.
const nowhere = 1<<32 - 1

// GoesTo takes the device address where a wave goes on; whoever runs it sets TextBase
// and PC for that. Program counters count both ways from TextBase: branches go back as well.
func (w *Wave) GoesTo() uint64 {
	if w.away {
		w.away = false
		return w.elsewhere
	}
	return w.TextBase + uint64(int64(int32(w.PC))*4)
}

func getPC(i *Inst) Step {
	d := int(i.Dst.Reg)
	return func(w *Wave) { w.setS64(d, w.next()) }
}

func setPC(i *Inst) Step {
	a := bindScalar(&i.Src[0], alu.U64)
	return func(w *Wave) { w.jump(a.u64(w)) }
}

func swapPC(i *Inst) Step {
	d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U64)
	return func(w *Wave) {
		to := a.u64(w)
		w.setS64(d, w.next())
		w.jump(to)
	}
}

// call is s_call_b64: a relative branch that keeps the return address.
func call(i *Inst) Step {
	d, by := int(i.Dst.Reg), uint32(int32(int16(i.Imm)))
	return func(w *Wave) {
		w.setS64(d, w.next())
		w.PC += by
	}
}

// trap stops the wave as the trap handler would. Without a debugger, that one
// returns from a trap for it (LLVM's AMDGPUUsage, "Trap Handler ABI").
func trap(i *Inst) Step {
	reason := "trap"
	switch i.Imm & 0xff {
	case 2:
		reason = "trap: abort or failed assertion"
	case 3:
		return func(*Wave) {}
	}
	return func(w *Wave) { w.fail(reason, -1, 0) }
}

// Hardware registers that tell programs something. Of where a wave runs and
// what it was given they read zeros, the first of everything, as they do of
// registers that do not exist.
const (
	hwMode     = 1
	hwStatus   = 2
	hwMemBases = 15

	hwFlatScratchLo = 20 // of RDNA
	hwFlatScratchHi = 21
)

// statusOf is the STATUS register: SCC, whether EXEC and VCC are zero, and that the wave is valid.
func statusOf(w *Wave) uint32 {
	return w.SCC | uint32(alu.AsBit(w.Exec() == 0))<<9 | uint32(alu.AsBit(w.Vcc() == 0))<<10 | 1<<16
}

func hwreg(i *Inst) (reg, at, width uint32) {
	x := uint32(i.Imm)
	return x & 63, x >> 6 & 31, x>>11&31 + 1
}

func getReg(i *Inst) Step {
	d := i.Dst.Reg & allScalars
	reg, at, width := hwreg(i)
	return func(w *Wave) {
		var v uint32
		switch reg {
		case hwMode:
			v = w.Mode
		case hwStatus:
			v = statusOf(w)
		case hwMemBases:
			v = uint32(w.PrivateBase>>48) | uint32(w.SharedBase>>48)<<16
		case hwFlatScratchLo, hwFlatScratchHi:
			v = w.S[FlatScratch11+reg-hwFlatScratchLo] // 0 on GFX9
		}
		w.S[d] = uint32(uint64(v) >> at & (1<<width - 1))
	}
}

// setReg writes a field of MODE from a register, or the literal of the imm32
// form. What programs may write in other registers has no effect here.
func setReg(i *Inst) Step {
	reg, at, width := hwreg(i)
	if reg != hwMode {
		return func(*Wave) {}
	}
	src := bindScalar(sourceOf(i), alu.U32)
	return func(w *Wave) {
		mask := uint32((uint64(1)<<width - 1) << at)
		w.setMode(w.Mode&^mask | src.u32(w)<<at&mask)
	}
}

// setMode writes MODE.
func (w *Wave) setMode(to uint32) {
	switch {
	case UnsupportedMode(to) != "":
		w.fail("s_setreg: "+UnsupportedMode(to), -1, 0)
	case (to^w.Mode)&gprIndex != 0:
		w.fail("s_setreg: register indexing is switched by s_set_gpr_idx_on and _off only", -1, 0)
	case UsualMode(to) != UsualMode(w.Mode):
		w.Mode, w.Status = to, Rebound
	default:
		w.Mode = to
	}
}

func sourceOf(i *Inst) *Operand {
	if i.Src[0].Kind == NoOperand {
		return &i.Dst
	}
	return &i.Src[0]
}

// memTime reads a counter: nanoseconds here.
func memTime(i *Inst) Step {
	d := int(i.Dst.Reg)
	return func(w *Wave) { w.setS64(d, uint64(time.Since(epoch))) }
}

var epoch = time.Now()

// Target is the offset in the text to which a branch goes; ok is false for other instructions.
func (i *Inst) Target() (off uint32, ok bool) {
	if i.Row == nil || i.Row.Do == nil {
		return 0, false
	}
	switch n := i.Row.kin(); {
	case n == "s_branch", n == "s_call_b64", strings.HasPrefix(n, "s_cbranch_"):
		return i.Offset + uint32(i.Size) + 4*uint32(int32(int16(i.Imm))), true
	}
	return 0, false
}
