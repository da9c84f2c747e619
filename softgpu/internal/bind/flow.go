package bind

import (
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Instructions that change where a wave goes on, or whether.

// Nothing is the meaning of instructions without an effect here: waits, caches, priorities.
func Nothing(*encoding.Inst) encoding.Step { return func(*wave.Wave) {} }

// Status makes a meaning that only tells the wave's executor something.
func Status(s wave.Status) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return asLast(i, func(w *wave.Wave) { w.Status = s }, s) }
}

// Barrier is s_barrier: the wave arrives, and waits for the others.
func Barrier(i *encoding.Inst) encoding.Step {
	return asLast(i, func(w *wave.Wave) {
		w.Arrive()
		w.Status = wave.AtBarrier
	}, wave.AtBarrier)
}

// asLast notes that step may end a run, which executes it after its ops.
func asLast(i *encoding.Inst, step encoding.Step, then wave.Status) encoding.Step {
	if i.AsPart != nil && alu.HasRuns {
		*i.AsPart = encoding.Part{Step: step, Always: true, Then: then}
	}
	return step
}

// Branch goes to the target if the condition holds. A target is relative to the next instruction.
func Branch(taken func(w *wave.Wave) bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		by := uint32(int32(int16(i.Imm)))
		return func(w *wave.Wave) {
			if taken(w) {
				w.PC += by
			}
		}
	}
}

// GetPC binds s_getpc_b64.
func GetPC(i *encoding.Inst) encoding.Step {
	d := int(i.Dst.Reg)
	return func(w *wave.Wave) { w.SetS64(d, w.Next()) }
}

// SetPC binds s_setpc_b64.
func SetPC(i *encoding.Inst) encoding.Step {
	a := bindScalar(&i.Src[0], alu.U64)
	return func(w *wave.Wave) { w.Jump(a.u64(w)) }
}

// SwapPC binds s_swappc_b64.
func SwapPC(i *encoding.Inst) encoding.Step {
	d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U64)
	return func(w *wave.Wave) {
		to := a.u64(w)
		w.SetS64(d, w.Next())
		w.Jump(to)
	}
}

// Call is s_call_b64: a relative branch that keeps the return address.
func Call(i *encoding.Inst) encoding.Step {
	d, by := int(i.Dst.Reg), uint32(int32(int16(i.Imm)))
	return func(w *wave.Wave) {
		w.SetS64(d, w.Next())
		w.PC += by
	}
}

// Trap stops the wave as the trap handler does. The debugger's trap has no effect without a debugger (LLVM's
// AMDGPUUsage, "Trap Handler ABI").
func Trap(i *encoding.Inst) encoding.Step {
	reason := "trap"
	switch i.Imm & 0xff {
	case 2:
		reason = "trap: abort or failed assertion"
	case 3:
		return func(*wave.Wave) {}
	}
	return func(w *wave.Wave) { w.Fail(reason, -1, 0) }
}

// Halt is s_sethalt. Compilers for GFX11 put it after a trap; without a debugger no wave goes on after it.
func Halt(i *encoding.Inst) encoding.Step {
	if i.Imm&1 == 0 {
		return func(*wave.Wave) {}
	}
	return func(w *wave.Wave) { w.Fail("halted (s_sethalt)", -1, 0) }
}

// CodeEnd is s_code_end, which fills memory after a kernel's code.
func CodeEnd(*encoding.Inst) encoding.Step {
	return func(w *wave.Wave) { w.Fail("past the end of the code (s_code_end)", -1, 0) }
}

func hwreg(i *encoding.Inst) (reg, at, width uint32) {
	x := uint32(i.Imm)
	return x & 63, x >> 6 & 31, x>>11&31 + 1
}

// GetReg binds s_getreg_b32.
func GetReg(i *encoding.Inst) encoding.Step {
	d := i.Dst.Reg & wave.AllScalars
	reg, at, width := hwreg(i)
	high := i.Mode()
	if cycles := cyclesIn(i.Chip, reg); cycles != nil {
		return func(w *wave.Wave) { w.S[d] = uint32(uint64(cycles()) >> at & (1<<width - 1)) }
	}
	return func(w *wave.Wave) {
		var v uint32
		switch reg {
		case wave.HwMode:
			v = w.Mode | high
		case wave.HwStatus:
			v = wave.StatusOf(w)
		case wave.HwMemBases:
			v = uint32(w.PrivateBase>>48) | uint32(w.SharedBase>>48)<<16
		case wave.HwFlatScratchLo, wave.HwFlatScratchHi:
			v = w.S[wave.FlatScratch11+reg-wave.HwFlatScratchLo] // 0 on GFX9
		}
		w.S[d] = uint32(uint64(v) >> at & (1<<width - 1))
	}
}

// cyclesIn returns what reads a hardware register with a part of the counter that MemTime reads; nil for other
// registers. LLVM takes clocks of RDNA3 and RDNA4 from there.
func cyclesIn(chip encoding.Chip, reg uint32) func() uint32 {
	set := chip.Set()
	switch late := set == encoding.GFX12 || set == encoding.GFX1250; {
	case reg == wave.HwCyclesLo && late:
		return func() uint32 { return uint32(time.Since(wave.Epoch)) }
	case reg == wave.HwCyclesHi && late:
		return func() uint32 { return uint32(time.Since(wave.Epoch) >> 32) }
	case reg == wave.HwCyclesLo && chip.RDNA():
		return func() uint32 { return uint32(time.Since(wave.Epoch)) & (1<<20 - 1) }
	}
	return nil
}

// SetReg writes a field of MODE, or of GFX10's flat_scratch, from a register, or the literal
// of the imm32 form. What programs may write in other registers has no effect here.
func SetReg(i *encoding.Inst) encoding.Step {
	reg, at, width := hwreg(i)
	src, mask := bindScalar(sourceOf(i), alu.U32), uint32((uint64(1)<<width-1)<<at)
	if reg == wave.HwMode && i.Chip.RDNA() {
		mask &^= wave.ModeOfGFX9
	}
	if reg == wave.HwMode && i.Chip.Set() == encoding.GFX1250 {
		return setModeBesideHighBits(i, src, at, mask)
	}
	switch {
	case reg == wave.HwMode:
		return func(w *wave.Wave) { w.SetMode(w.Mode&^mask | src.U32(w)<<at&mask) }
	case (reg == wave.HwFlatScratchLo || reg == wave.HwFlatScratchHi) && i.Chip.Set() == encoding.GFX10:
		d := wave.FlatScratch11 + reg - wave.HwFlatScratchLo
		return func(w *wave.Wave) { w.S[d] = w.S[d]&^mask | src.U32(w)<<at&mask }
	}
	return func(*wave.Wave) {}
}

// setModeBesideHighBits writes a field of MODE but for the high bits of registers, which are followed in the text: a write
// that could change them in another way is not executed.
func setModeBesideHighBits(i *encoding.Inst, src scalar, at, mask uint32) encoding.Step {
	rest, literal := mask&^encoding.HighBitsField, i.Src[0].Kind == encoding.Const
	set := func(w *wave.Wave) { w.SetMode(w.Mode&^rest | src.U32(w)<<at&rest) }
	switch high := i.Mode(); {
	case literal:
		return set
	case i.Chip.AnyWriteSetsHighBits():
		return func(w *wave.Wave) {
			if src.U32(w)&encoding.HighBitsField != high {
				w.Fail("s_setreg_b32 that changes the high bits of vector registers to bits 19:12 of its source", -1, 0)
				return
			}
			set(w)
		}
	case mask != rest:
		return nil
	}
	return set
}

func sourceOf(i *encoding.Inst) *encoding.Operand {
	if i.Src[0].Kind == encoding.NoOperand {
		return &i.Dst
	}
	return &i.Src[0]
}

// MemTime reads a counter: nanoseconds here.
func MemTime(i *encoding.Inst) encoding.Step {
	d := int(i.Dst.Reg)
	return func(w *wave.Wave) { w.SetS64(d, uint64(time.Since(wave.Epoch))) }
}
