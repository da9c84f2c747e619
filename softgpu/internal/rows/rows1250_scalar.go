package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// What scalar instructions of GFX12.5 have different.

func rows1250SOPK() change {
	return change{renamed: map[string]string{"s_call_b64": "s_call_i64"}}
}

func rows1250SOP1() change {
	return change{
		renamed: map[string]string{"s_getpc_b64": "s_get_pc_i64", "s_setpc_b64": "s_set_pc_i64", "s_swappc_b64": "s_swap_pc_i64", "s_rfe_b64": "s_rfe_i64"},
		more: []encoding.Row{
			{Op: 0x06, Name: "s_get_shader_cycles_u64", Form: &sop12, Do: bind.MemTime},
			{Op: 0x4b, Name: "s_add_pc_i64", Form: &sop1_Wide, Do: bind.AddPC},
			{Op: 0x57, Name: "s_wakeup_barrier", Form: &sop1Barrier, Do: nil},
		},
	}
}

func rows1250SOPP() change {
	hex := func(op uint16, name string, do encoding.Meaning) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &soppHex, Do: do}
	}
	dec := func(op uint16, name string, do encoding.Meaning) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &soppDec, Do: do}
	}
	return change{
		without: []string{"s_setkill", "s_waitcnt", "s_wait_event", "s_wait_samplecnt", "s_wait_bvhcnt", "s_wait_expcnt"},
		more: []encoding.Row{
			dec(0x04, "s_monitor_sleep", gfx9ByName()["s_sleep"].Do), dec(0x06, "s_set_vgpr_msb", bind.Nothing),
			dec(0x3e, "s_setprio_inc_wg", bind.Nothing),
			hex(0x45, "s_wait_xcnt", bind.Nothing), hex(0x4a, "s_wait_asynccnt", bind.Nothing), hex(0x4b, "s_wait_tensorcnt", bind.Nothing),
		},
	}
}
