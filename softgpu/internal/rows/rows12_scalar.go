package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// What scalar instructions of GFX12 have different.

func rows12SOP2() change {
	pick := func(op uint16, name string, row encoding.Row, f *encoding.Form, k alu.Kind) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: f, Do: twinOf(row, k, false, false)}
	}
	return change{
		without: []string{"s_min_f32", "s_max_f32", "s_min_f16", "s_max_f16"},
		renamed: map[string]string{
			"s_add_u32": "s_add_co_u32", "s_sub_u32": "s_sub_co_u32", "s_add_i32": "s_add_co_i32", "s_sub_i32": "s_sub_co_i32",
			"s_addc_u32": "s_add_co_ci_u32", "s_subb_u32": "s_sub_co_ci_u32",
		},
		more: []encoding.Row{
			pick(0x42, "s_min_num_f32", leastNumberF32, &sop2F32, alu.F32),
			pick(0x43, "s_max_num_f32", mostNumberF32, &sop2F32, alu.F32),
			pick(0x4b, "s_min_num_f16", leastNumberF16, &sop2F16, alu.F16),
			pick(0x4c, "s_max_num_f16", mostNumberF16, &sop2F16, alu.F16),
			pick(0x4f, "s_minimum_f32", smallestF32, &sop2F32, alu.F32),
			pick(0x50, "s_maximum_f32", largestF32, &sop2F32, alu.F32),
			pick(0x51, "s_minimum_f16", smallestF16, &sop2F16, alu.F16),
			pick(0x52, "s_maximum_f16", largestF16, &sop2F16, alu.F16),
			{Op: 0x53, Name: "s_add_nc_u64", Form: &sop22_22, Do: bind.Sop2wide(func(_ *wave.Wave, a, b uint64) uint64 { return a + b }, alu.U64, alu.U64)},
			{Op: 0x54, Name: "s_sub_nc_u64", Form: &sop22_22, Do: bind.Sop2wide(func(_ *wave.Wave, a, b uint64) uint64 { return a - b }, alu.U64, alu.U64)},
			{Op: 0x55, Name: "s_mul_u64", Form: &sop22_22, Do: bind.Sop2wide(func(_ *wave.Wave, a, b uint64) uint64 { return a * b }, alu.U64, alu.U64)},
		},
	}
}

func rows12SOPK() change {
	return change{
		without: []string{
			"s_cmpk_eq_i32", "s_cmpk_lg_i32", "s_cmpk_gt_i32", "s_cmpk_ge_i32", "s_cmpk_lt_i32", "s_cmpk_le_i32", "s_cmpk_eq_u32", "s_cmpk_lg_u32",
			"s_cmpk_gt_u32", "s_cmpk_ge_u32", "s_cmpk_lt_u32", "s_cmpk_le_u32", "s_subvector_loop_begin", "s_subvector_loop_end",
			"s_waitcnt_vscnt", "s_waitcnt_vmcnt", "s_waitcnt_expcnt", "s_waitcnt_lgkmcnt",
		},
		renamed: map[string]string{"s_addk_i32": "s_addk_co_i32"},
	}
}

func rows12SOP1() change {
	return change{more: []encoding.Row{
		{Op: 0x4e, Name: "s_barrier_signal", Form: &sop1Barrier, Do: bind.BarrierSignal(false)},
		{Op: 0x4f, Name: "s_barrier_signal_isfirst", Form: &sop1Barrier, Do: bind.BarrierSignal(true)},
		{Op: 0x50, Name: "s_get_barrier_state", Form: &sop11_Barrier, Do: bind.BarrierState},
		{Op: 0x51, Name: "s_barrier_init", Form: &sop1Barrier, Do: bind.InitBarrier},
		{Op: 0x52, Name: "s_barrier_join", Form: &sop1Barrier, Do: bind.JoinBarrier},
		{Op: 0x53, Name: "s_alloc_vgpr", Form: &sop1_1, Do: nil},
		{Op: 0x58, Name: "s_sleep_var", Form: &sop1_1, Do: gfx9ByName()["s_sleep"].Do},
	}}
}

func rows12SOPP() change {
	wait := func(op uint16, name string) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &soppHex, Do: bind.Nothing}
	}
	return change{
		without: []string{
			"s_set_inst_prefetch_distance", "s_cbranch_cdbgsys", "s_cbranch_cdbguser", "s_cbranch_cdbgsys_or_user", "s_cbranch_cdbgsys_and_user",
			"s_endpgm_ordered_ps_done", "s_barrier",
		},
		renamed: map[string]string{"s_waitcnt_depctr": "s_wait_alu"},
		more: []encoding.Row{
			{Op: 0x14, Name: "s_barrier_wait", Form: &soppDec, Do: bind.BarrierWait},
			{Op: 0x15, Name: "s_barrier_leave", Form: &soppZero, Do: nil},
			wait(0x40, "s_wait_loadcnt"), wait(0x41, "s_wait_storecnt"), wait(0x42, "s_wait_samplecnt"), wait(0x43, "s_wait_bvhcnt"), wait(0x44, "s_wait_expcnt"),
			wait(0x46, "s_wait_dscnt"), wait(0x47, "s_wait_kmcnt"), wait(0x48, "s_wait_loadcnt_dscnt"), wait(0x49, "s_wait_storecnt_dscnt"),
		},
	}
}

func rows12SMEM() change {
	small := func(op uint16, name string, size uint64, signed bool) []encoding.Row {
		return []encoding.Row{
			{Op: op, Name: "s_load_" + name, Form: &smemLoad1_2, Do: bind.ScalarLoadPart(size, signed, false)},
			{Op: op + 0x10, Name: "s_buffer_load_" + name, Form: &smemLoad1_4, Do: bind.ScalarLoadPart(size, signed, true)},
		}
	}
	c := change{
		without: []string{"s_gl1_inv"},
		moved: map[string]uint16{
			"s_buffer_load_b32": 0x10, "s_buffer_load_b64": 0x11, "s_buffer_load_b128": 0x12, "s_buffer_load_b256": 0x13, "s_buffer_load_b512": 0x14,
		},
		more: []encoding.Row{
			{Op: 0x05, Name: "s_load_b96", Form: &smemLoad3_2, Do: bind.ScalarLoad},
			{Op: 0x15, Name: "s_buffer_load_b96", Form: &smemLoad3_4, Do: bind.ScalarBufferLoad},
			{Op: 0x24, Name: "s_prefetch_inst", Form: &smemPrefetch, Do: bind.Nothing},
			{Op: 0x25, Name: "s_prefetch_inst_pc_rel", Form: &smemPrefetchPC, Do: bind.Nothing},
			{Op: 0x26, Name: "s_prefetch_data", Form: &smemPrefetch, Do: bind.Nothing},
			{Op: 0x27, Name: "s_buffer_prefetch_data", Form: &smemPrefetchBuffer, Do: bind.Nothing},
			{Op: 0x28, Name: "s_prefetch_data_pc_rel", Form: &smemPrefetchPC, Do: bind.Nothing},
		},
	}
	c.more = append(c.more, small(0x08, "i8", 1, true)...)
	c.more = append(c.more, small(0x09, "u8", 1, false)...)
	c.more = append(c.more, small(0x0a, "i16", 2, true)...)
	c.more = append(c.more, small(0x0b, "u16", 2, false)...)
	return c
}
