package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// GWSMeaning makes a meaning of what an instruction does to its resource, with a number of its first
// active lane's. arrive reports whether the wave has to wait; then ready is asked until it says
// that it need not any more. The resource's lock is held.
//
// The instructions are those of the Vega ISA, "GWS operations". There the number of a barrier is
// how many waves it waits for, less one, each wave's for the next time.
func GWSMeaning(arrive func(r *wave.GWSResource, w *wave.GWSWait, number int64) (waits bool), ready func(r *wave.GWSResource, w *wave.GWSWait) bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		offset, words := uint32(i.Imm), uint32(i.Size)/4
		var data wave.Registers
		if i.Src[0].Kind == encoding.VReg || i.Src[0].Kind == encoding.AReg {
			data = BindRegisters(&i.Src[0])
		}
		return func(w *wave.Wave) {
			if w.GwsOf == nil {
				w.Fail("global wave sync in a launch that is not cooperative", -1, 0)
				return
			}
			number := int64(0)
			if data.Count != 0 {
				number = int64(data.Of(w, 0)[bits.TrailingZeros64(w.Exec())&63])
			}
			w.GwsOf.Mu.Lock()
			defer w.GwsOf.Mu.Unlock()
			r := &w.GwsOf.Resources[(w.S[wave.M0]>>16+offset)&63]
			if w.Gws.Waits {
				w.Gws.Waits = !ready(r, &w.Gws)
			} else {
				w.Gws.Waits = arrive(r, &w.Gws, number)
			}
			if w.Gws.Waits {
				w.PC -= words
				w.Status = wave.Yielded
			}
		}
	}
}
