package rows

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// In a wave of 32 the upper half of EXEC has no lanes, and stays 0 whatever is written there.

// writesUpperExec reports whether an instruction may set bits of it.
func writesUpperExec(i *encoding.Inst) bool {
	if o := &i.Dst; o.Kind == encoding.SReg && o.Reg <= wave.ExecHi && o.Reg+uint16(max(o.Width, 1)) > wave.ExecHi {
		return true
	}
	name := i.Row.Kin()
	return i.Enc == encoding.SOP1 && (strings.HasSuffix(name, "saveexec_b64") || strings.HasSuffix(name, "wrexec_b64"))
}

// bindLowerExec is Bind for such an instruction.
func bindLowerExec(i *encoding.Inst, modes bool) encoding.Step {
	whole := *i
	whole.Wave32 = false
	step := Bind(&whole, modes)
	if step == nil {
		return nil
	}
	return func(w *wave.Wave) {
		step(w)
		w.S[wave.ExecHi] = 0
	}
}
