package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Loops that execute a block for each half of a wave of 64 that has active lanes, the lower one first. A scalar register
// keeps the other half of EXEC. docs/soft.md says which of this is not confirmed. What they do in waves of 32 no document
// says.

// subvector binds a step that may jump.
func subvector(i *encoding.Inst, jumps func(w *wave.Wave, other *uint32, low, high uint32) bool) encoding.Step {
	if i.Wave32 {
		return nil
	}
	d, by := i.Dst.Reg&wave.AllScalars, uint32(int32(int16(i.Imm)))
	return func(w *wave.Wave) {
		if exec := w.Exec(); jumps(w, &w.S[d], uint32(exec), uint32(exec>>32)) {
			w.PC += by
		}
	}
}

// SubvectorBegin is s_subvector_loop_begin: it jumps past the loop if no lane is active.
func SubvectorBegin(i *encoding.Inst) encoding.Step {
	return subvector(i, func(w *wave.Wave, other *uint32, low, high uint32) bool {
		switch {
		case low|high == 0:
			return true
		case low == 0:
			*other = low
		default:
			*other = high
			w.SetExec(uint64(low))
		}
		return false
	})
}

// SubvectorEnd is s_subvector_loop_end: it jumps back for the upper half, after which EXEC is whole again.
func SubvectorEnd(i *encoding.Inst) encoding.Step {
	return subvector(i, func(w *wave.Wave, other *uint32, low, high uint32) bool {
		kept := *other
		switch {
		case high != 0:
			w.SetExec(uint64(kept) | uint64(high)<<32)
		case kept != 0:
			*other = low
			w.SetExec(uint64(kept) << 32)
			return true
		}
		return false
	})
}
