package wave

import (
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Always tells whether s_branch branches.
func Always(*Wave) bool { return true }

// SccClear tells whether s_cbranch_scc0 branches.
func SccClear(w *Wave) bool { return w.SCC == 0 }

// SccSet tells whether s_cbranch_scc1 branches.
func SccSet(w *Wave) bool { return w.SCC != 0 }

// VccZero tells whether s_cbranch_vccz branches.
func VccZero(w *Wave) bool { return w.Vcc() == 0 }

// VccNonzero tells whether s_cbranch_vccnz branches.
func VccNonzero(w *Wave) bool { return w.Vcc() != 0 }

// ExecZero tells whether s_cbranch_execz branches.
func ExecZero(w *Wave) bool { return w.S[ExecLo]|w.S[ExecHi] == 0 }

// ExecNonzero tells whether s_cbranch_execnz branches.
func ExecNonzero(w *Wave) bool { return w.S[ExecLo]|w.S[ExecHi] != 0 }

// Next is the device address of the next instruction.
func (w *Wave) Next() uint64 { return w.TextBase + uint64(w.PC)*4 }

// Jump goes on at a device address.
func (w *Wave) Jump(to uint64) {
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

// Hardware registers that tell programs something. Of where a wave runs and
// what it was given they read zeros, the first of everything, as they do of
// registers that do not exist.
const (
	HwMode     = 1
	HwStatus   = 2
	HwMemBases = 15

	HwFlatScratchLo = 20 // of RDNA
	HwFlatScratchHi = 21
)

// StatusOf is the STATUS register: SCC, whether EXEC and VCC are zero, and that the wave is valid.
func StatusOf(w *Wave) uint32 {
	return w.SCC | uint32(alu.AsBit(w.Exec() == 0))<<9 | uint32(alu.AsBit(w.Vcc() == 0))<<10 | 1<<16
}

// SetMode writes MODE.
func (w *Wave) SetMode(to uint32) {
	switch {
	case UnsupportedMode(to) != "":
		w.Fail("s_setreg: "+UnsupportedMode(to), -1, 0)
	case (to^w.Mode)&GPRIndex != 0:
		w.Fail("s_setreg: register indexing is switched by s_set_gpr_idx_on and _off only", -1, 0)
	case UsualMode(to) != UsualMode(w.Mode):
		w.Mode, w.Status = to, Rebound
	default:
		w.Mode = to
	}
}

// Epoch is where clocks begin.
var Epoch = time.Now()
