package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// rowsSOPP are the instructions that steer the program: branches, waits, messages.
var rowsSOPP = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "s_nop", Form: &soppDec, Do: bind.Nothing},
		{Op: 0x01, Name: "s_endpgm", Form: &soppDecNonzero, Do: bind.Status(wave.Ended)},
		{Op: 0x02, Name: "s_branch", Form: &soppBranch, Do: bind.Branch(wave.Always)},
		{Op: 0x03, Name: "s_wakeup", Form: &soppZero, Do: bind.Nothing},
		{Op: 0x04, Name: "s_cbranch_scc0", Form: &soppBranch, Do: bind.Branch(wave.SccClear)},
		{Op: 0x05, Name: "s_cbranch_scc1", Form: &soppBranch, Do: bind.Branch(wave.SccSet)},
		{Op: 0x06, Name: "s_cbranch_vccz", Form: &soppBranch, Do: bind.Branch(wave.VccZero)},
		{Op: 0x07, Name: "s_cbranch_vccnz", Form: &soppBranch, Do: bind.Branch(wave.VccNonzero)},
		{Op: 0x08, Name: "s_cbranch_execz", Form: &soppBranch, Do: bind.Branch(wave.ExecZero)},
		{Op: 0x09, Name: "s_cbranch_execnz", Form: &soppBranch, Do: bind.Branch(wave.ExecNonzero)},
		{Op: 0x0a, Name: "s_barrier", Form: &soppZero, Do: bind.Barrier},
		{Op: 0x0b, Name: "s_setkill", Form: &soppDec, Do: nil},
		{Op: 0x0c, Name: "s_waitcnt", Form: &soppWaitcnt, Do: bind.Nothing},
		{Op: 0x0d, Name: "s_sethalt", Form: &soppDec, Do: bind.Halt},
		{Op: 0x0e, Name: "s_sleep", Form: &soppDec, Do: bind.Status(wave.Yielded)},
		{Op: 0x0f, Name: "s_setprio", Form: &soppDec, Do: bind.Nothing},
		{Op: 0x10, Name: "s_sendmsg", Form: &soppSendmsg, Do: bind.Nothing},
		{Op: 0x11, Name: "s_sendmsghalt", Form: &soppSendmsg, Do: nil},
		{Op: 0x12, Name: "s_trap", Form: &soppDec, Do: bind.Trap},
		{Op: 0x13, Name: "s_icache_inv", Form: &soppZero, Do: bind.Nothing},
		{Op: 0x14, Name: "s_incperflevel", Form: &soppDec, Do: bind.Nothing},
		{Op: 0x15, Name: "s_decperflevel", Form: &soppDec, Do: bind.Nothing},
		{Op: 0x16, Name: "s_ttracedata", Form: &soppZero, Do: bind.Nothing},
		{Op: 0x17, Name: "s_cbranch_cdbgsys", Form: &soppBranch, Do: bind.Nothing},
		{Op: 0x18, Name: "s_cbranch_cdbguser", Form: &soppBranch, Do: bind.Nothing},
		{Op: 0x19, Name: "s_cbranch_cdbgsys_or_user", Form: &soppBranch, Do: bind.Nothing},
		{Op: 0x1a, Name: "s_cbranch_cdbgsys_and_user", Form: &soppBranch, Do: bind.Nothing},
		{Op: 0x1b, Name: "s_endpgm_saved", Form: &soppZero, Do: bind.Status(wave.Ended)},
		{Op: 0x1c, Name: "s_set_gpr_idx_off", Form: &soppZero, Do: bind.GPRIndexOff},
		{Op: 0x1d, Name: "s_set_gpr_idx_mode", Form: &soppGprIdx, Do: bind.GPRIndexMode},
		{Op: 0x1e, Name: "s_endpgm_ordered_ps_done", Form: &soppZero, Do: nil},
	}
})
