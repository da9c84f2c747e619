package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Barriers of GFX12.5 with a number. A wave may signal any; it waits for the one that it has joined. (LLVM's "AMDGPU
// Execution Synchronization".)

// OfNamed reports whether an instruction is for a barrier with a number: one in M0, or a constant.
func OfNamed(i *encoding.Inst) bool {
	if i.Chip.Set() != encoding.GFX1250 {
		return false
	}
	number := uint32(uint16(i.Imm))
	if i.Enc == encoding.SOP1 {
		if i.Src[0].Kind == encoding.SReg {
			return i.Src[0].Reg == wave.M0
		}
		if i.Src[0].Kind != encoding.Const {
			return false
		}
		number = uint32(i.Src[0].Value)
	}
	return number <= wave.MostNamed
}

// NumberOfBarrier returns what finds the number of the barrier in M0, or the constant.
func NumberOfBarrier(i *encoding.Inst) func(w *wave.Wave) uint32 {
	if i.Src[0].Kind == encoding.SReg {
		return func(w *wave.Wave) uint32 { return w.S[wave.M0] & 31 }
	}
	number := uint32(i.Src[0].Value)
	return func(*wave.Wave) uint32 { return number }
}

// expectedOf returns the number of arrivals in M0 that a barrier is to expect.
func expectedOf(w *wave.Wave) uint32 { return w.S[wave.M0] >> 16 & 0x7f }

// InitBarrier is s_barrier_init.
func InitBarrier(i *encoding.Inst) encoding.Step {
	if !OfNamed(i) {
		return nil
	}
	number := NumberOfBarrier(i)
	return func(w *wave.Wave) { w.InitBarrier(number(w), expectedOf(w)) }
}

// JoinBarrier is s_barrier_join.
func JoinBarrier(i *encoding.Inst) encoding.Step {
	if !OfNamed(i) {
		return nil
	}
	number := NumberOfBarrier(i)
	return func(w *wave.Wave) { w.JoinNamed(number(w)) }
}

// signalNamed is s_barrier_signal for such a barrier. M0, where it has the number, may change how many are expected.
func signalNamed(i *encoding.Inst, first bool) encoding.Step {
	number, inM0 := NumberOfBarrier(i), i.Src[0].Kind == encoding.SReg
	return func(w *wave.Wave) {
		expected := uint32(0)
		if inM0 {
			expected = expectedOf(w)
		}
		if was := w.Signal(number(w), expected); first {
			w.SetSCC(was)
		}
	}
}

// waitNamed is s_barrier_wait with the number of such a barrier: whatever it is, unless 0, the wave waits for the one
// that it has joined.
func waitNamed(i *encoding.Inst) encoding.Step {
	if uint16(i.Imm) == 0 {
		return Nothing(i)
	}
	words := uint32(i.Size) / 4
	return func(w *wave.Wave) { w.WaitNamed(words) }
}
