package wave

import (
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Always is the condition of s_branch.
func Always(*Wave) bool { return true }

// SccClear is the condition of s_cbranch_scc0.
func SccClear(w *Wave) bool { return w.SCC == 0 }

// SccSet is the condition of s_cbranch_scc1.
func SccSet(w *Wave) bool { return w.SCC != 0 }

// VccZero is the condition of s_cbranch_vccz.
func VccZero(w *Wave) bool { return w.Vcc() == 0 }

// VccNonzero is the condition of s_cbranch_vccnz.
func VccNonzero(w *Wave) bool { return w.Vcc() != 0 }

// ExecZero is the condition of s_cbranch_execz.
func ExecZero(w *Wave) bool { return w.S[ExecLo]|w.S[ExecHi] == 0 }

// ExecNonzero is the condition of s_cbranch_execnz.
func ExecNonzero(w *Wave) bool { return w.S[ExecLo]|w.S[ExecHi] != 0 }

// Next returns the device address of the next instruction.
func (w *Wave) Next() uint64 { return w.TextBase + uint64(w.PC)*4 }

// Jump continues at a device address.
func (w *Wave) Jump(to uint64) {
	at := to - w.TextBase
	if at&3 != 0 || at>>2 >= nowhere>>1 {
		w.PC, w.away, w.elsewhere = nowhere, true, to
		return
	}
	w.PC = uint32(at >> 2)
}

// nowhere is the program counter of a wave that goes to an address too far for a program counter.
const nowhere = 1<<32 - 1

// GoesTo returns the device address at which a wave continues. The caller then sets TextBase and PC for it. Program
// counters may be before or after TextBase, since branches also go back.
func (w *Wave) GoesTo() uint64 {
	if w.away {
		w.away = false
		return w.elsewhere
	}
	return w.TextBase + uint64(int64(int32(w.PC))*4)
}

// Hardware registers with values for programs. Registers about the place where a wave runs and about its resources are
// zero, as are registers that do not exist.
const (
	HwMode     = 1
	HwStatus   = 2
	HwMemBases = 15

	HwFlatScratchLo = 20 // in RDNA
	HwFlatScratchHi = 21
	HwCyclesLo      = 29 // in RDNA; up to GFX11 the low 20 bits of the counter, and nothing else has it
	HwCyclesHi      = 30 // from GFX12 on
)

// StatusOf returns the STATUS register: SCC, whether EXEC and VCC are zero, and that the wave is valid.
func StatusOf(w *Wave) uint32 {
	return w.SCC | uint32(alu.AsBit(w.Exec() == 0))<<9 | uint32(alu.AsBit(w.Vcc() == 0))<<10 | 1<<16
}

// SetMode writes MODE.
func (w *Wave) SetMode(to uint32) {
	switch {
	case unsupportedMode(to) != "":
		w.Fail("s_setreg: "+unsupportedMode(to), -1, 0)
	case (to^w.Mode)&GPRIndex != 0:
		w.Fail("s_setreg: register indexing is switched by s_set_gpr_idx_on and _off only", -1, 0)
	case UsualMode(to) != UsualMode(w.Mode):
		w.Mode, w.Status = to, Rebound
	default:
		w.Mode = to
	}
}

// Epoch is the time at which clocks begin.
var Epoch = time.Now()
