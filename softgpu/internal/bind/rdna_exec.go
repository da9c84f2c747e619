package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// SaveExec32 is SaveExec for the lower half.
func SaveExec32(f func(a, exec uint64) uint64, keepNew bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d, a := i.Dst.Reg&wave.AllScalars, bindScalar(&i.Src[0], alu.U32)
		return func(w *wave.Wave) {
			old := w.S[wave.ExecLo]
			now := uint32(f(uint64(a.U32(w)), uint64(old)))
			if keepNew {
				old = now
			}
			w.S[d&wave.AllScalars] = old
			w.S[wave.ExecLo] = now
			w.SetSCC(now != 0)
		}
	}
}
