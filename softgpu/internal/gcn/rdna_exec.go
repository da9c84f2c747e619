package gcn

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// In a wave of 32 the upper half of EXEC has no lanes, and stays 0 whatever is written there.

// writesUpperExec reports whether an instruction may set bits of it.
func writesUpperExec(i *Inst) bool {
	if o := &i.Dst; o.Kind == SReg && o.Reg <= ExecHi && o.Reg+uint16(max(o.Width, 1)) > ExecHi {
		return true
	}
	name := i.Row.kin()
	return i.Enc == SOP1 && (strings.HasSuffix(name, "saveexec_b64") || strings.HasSuffix(name, "wrexec_b64"))
}

// bindLowerExec is Bind for such an instruction.
func bindLowerExec(i *Inst, modes bool) Step {
	whole := *i
	whole.Wave32 = false
	step := Bind(&whole, modes)
	if step == nil {
		return nil
	}
	return func(w *Wave) {
		step(w)
		w.S[ExecHi] = 0
	}
}

// saveExec32 is saveExec for the lower half.
func saveExec32(f func(a, exec uint64) uint64, keepNew bool) Meaning {
	return func(i *Inst) Step {
		d, a := i.Dst.Reg&allScalars, bindScalar(&i.Src[0], alu.U32)
		return func(w *Wave) {
			old := w.S[ExecLo]
			now := uint32(f(uint64(a.u32(w)), uint64(old)))
			if keepNew {
				old = now
			}
			w.S[d&allScalars] = old
			w.S[ExecLo] = now
			w.setSCC(now != 0)
		}
	}
}
