package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// What vector instructions of GFX12.5 have different: integers of 64 bits, bfloats, conversions of many numbers with a
// scale, and pairs of instructions with three sources each.

func rows1250VOP2() change {
	wide := func(k alu.WideKernel2) encoding.Meaning { return bind.BinaryWide(k, alu.U64, alu.U64, alu.U64) }
	return change{more: []encoding.Row{
		{Op: 0x17, Name: "v_fmac_f64"},
		{Op: 0x23, Name: "v_fmamk_f64", Form: &vopF64_F64KF64E32, Do: bind.WaveWide(alu.FmaF64, alu.F64, alu.F64, alu.F64, alu.F64)},
		{Op: 0x24, Name: "v_fmaak_f64", Form: &vopF64_F64F64KE32, Do: bind.WaveWide(alu.FmaF64, alu.F64, alu.F64, alu.F64, alu.F64)},
		{Op: 0x28, Name: "v_add_nc_u64", Form: &vopB64_B64B64_C, Do: wide(alu.AddU64)},
		{Op: 0x29, Name: "v_sub_nc_u64", Form: &vopB64_B64B64_C, Do: wide(alu.SubU64)},
		{Op: 0x2a, Name: "v_mul_u64", Form: &vopB64_B64B64, Do: wide(alu.MulU64)},
	}}
}

func rows1250VOP1() change {
	bf16 := func(op uint16, name string, do encoding.Meaning) encoding.Row {
		return encoding.Row{Op: op, Name: "v_" + name + "_bf16", Form: &vopBF16_BF16m_CO, Do: do}
	}
	return change{
		without: []string{"v_mov_b16", "v_swap_b16"},
		more: []encoding.Row{
			{Op: 0x1d, Name: "v_mov_b64"},
			{Op: 0x1e, Name: "v_tanh_f32", Form: &vopF32_F32m_CO},
			{Op: 0x1f, Name: "v_tanh_f16", Form: &vopF16_F16m_CO},
			{Op: 0x49, Name: "v_permlane16_swap_b32"},
			bf16(0x4a, "tanh", nil),
			{Op: 0x4b, Name: "v_prng_b32"},
			{Op: 0x72, Name: "v_cvt_f32_bf16", Form: &vopF32_BF16m, Do: gfx9ByName()["v_cvt_f32_bf16"].Do},
			{Op: 0x73, Name: "v_sat_pk4_i4_i8", Form: &vopB16_B32},
			{Op: 0x74, Name: "v_sat_pk4_u4_u8", Form: &vopB16_B32},
			{Op: 0x75, Name: "v_cvt_pk_f16_fp8", Form: &vopPF16_Half},
			{Op: 0x76, Name: "v_cvt_pk_f16_bf8", Form: &vopPF16_Half},
			{Op: 0x77, Name: "v_cvt_f16_fp8", Form: &vopF16_Byte},
			{Op: 0x78, Name: "v_cvt_f16_bf8", Form: &vopF16_Byte},
			bf16(0x79, "rcp", nil), bf16(0x7a, "sqrt", nil), bf16(0x7b, "rsq", nil), bf16(0x7c, "log", nil), bf16(0x7d, "exp", nil),
			bf16(0x7e, "sin", nil), bf16(0x7f, "cos", nil),
		},
	}
}

func rows1250VOP3() change {
	three := func(op uint16, name string) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vopB32_B32B32B32_C}
	}
	up := func(op uint16, name string, f *encoding.Form) encoding.Row {
		return encoding.Row{Op: op, Name: "v_cvt_scale_" + name, Form: f}
	}
	down := func(op uint16, name string, f *encoding.Form) encoding.Row {
		return encoding.Row{Op: op, Name: "v_cvt_scalef32_" + name, Form: f}
	}
	wide := func(op uint16, name string, k alu.WideKernel2) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vopB64_B64B64, Do: bind.BinaryWide(k, alu.U64, alu.U64, alu.U64)}
	}
	return change{
		without: []string{"v_dot2_f16_f16", "v_dot2_bf16_bf16"},
		more: []encoding.Row{
			{Op: 0x233, Name: "v_bitop3_b16"},
			{Op: 0x234, Name: "v_bitop3_b32"},
			{Op: 0x235, Name: "v_mad_u32", Form: &vopB32_B32B32B32NoDPP, Do: bind.TernaryU32(alu.MadU32)},
			{Op: 0x23f, Name: "v_perm_pk16_b4_u4", Form: &vop2_B32B64B64},
			three(0x25e, "v_add_max_i32"), three(0x25f, "v_add_max_u32"), three(0x260, "v_add_min_i32"), three(0x261, "v_add_min_u32"),
			{Op: 0x242, Name: "v_perm_pk16_b6_u4", Form: &vop3_B32B64B64},
			{Op: 0x243, Name: "v_perm_pk16_b8_u4", Form: &vop4_B64B64B64},
			{Op: 0x252, Name: "v_lshl_add_u64", Form: &vopB64_B64B32B64, Do: gfx9ByName()["v_lshl_add_u64"].Do},
			{Op: 0x270, Name: "v_permlane_bcast_b32", Form: &vopPermlaneBy},
			{Op: 0x271, Name: "v_permlane_up_b32", Form: &vopPermlaneBy},
			{Op: 0x272, Name: "v_permlane_down_b32", Form: &vopPermlaneBy},
			{Op: 0x273, Name: "v_permlane_xor_b32", Form: &vopPermlaneBy},
			{Op: 0x290, Name: "v_ashr_pk_i8_i32"},
			{Op: 0x291, Name: "v_ashr_pk_u8_i32"},
			down(0x297, "sr_pk8_fp4_f32", &vop1_8RandomScale), down(0x298, "sr_pk8_fp8_f32", &vop2_8RandomScale), down(0x299, "sr_pk8_bf8_f32", &vop2_8RandomScale),
			up(0x29f, "pk8_f16_fp4", &vop4_1Scale), up(0x2a0, "pk8_bf16_fp4", &vop4_1Scale), up(0x2a1, "pk8_f32_fp4", &vop8_1Scale),
			up(0x2a8, "pk8_f16_fp8", &vop4_2Scale), up(0x2a9, "pk8_bf16_fp8", &vop4_2Scale), up(0x2aa, "pk8_f32_fp8", &vop8_2Scale),
			up(0x2ab, "pk8_f16_bf8", &vop4_2Scale), up(0x2ac, "pk8_bf16_bf8", &vop4_2Scale), up(0x2ad, "pk8_f32_bf8", &vop8_2Scale),
			down(0x2b0, "pk8_fp4_f32", &vop1_8Scale), down(0x2b3, "pk8_fp4_f16", &vop1_4Scale), down(0x2b4, "pk8_fp8_bf16", &vop2_4Scale),
			down(0x2b5, "pk8_bf8_bf16", &vop2_4Scale), down(0x2b8, "pk8_fp4_bf16", &vop1_4Scale), down(0x2b9, "sr_pk8_fp4_f16", &vop1_4RandomScale),
			down(0x2bc, "sr_pk8_fp4_bf16", &vop1_4RandomScale), down(0x2bf, "sr_pk8_fp8_f16", &vop2_4RandomScale), down(0x2c0, "sr_pk8_fp8_bf16", &vop2_4RandomScale),
			down(0x2c1, "sr_pk8_bf8_f16", &vop2_4RandomScale), down(0x2c2, "sr_pk8_bf8_bf16", &vop2_4RandomScale), down(0x2c3, "pk8_fp8_f32", &vop2_8Scale),
			down(0x2c4, "pk8_fp8_f16", &vop2_4Scale), down(0x2c5, "pk8_bf8_f32", &vop2_8Scale), down(0x2c6, "pk8_bf8_f16", &vop2_4Scale),
			up(0x2c7, "pk16_f16_fp6", &vop8_3Scale), up(0x2c8, "pk16_bf16_fp6", &vop8_3Scale), up(0x2c9, "pk16_f32_fp6", &vop16_3Scale),
			up(0x2ca, "pk16_f16_bf6", &vop8_3Scale), up(0x2cb, "pk16_bf16_bf6", &vop8_3Scale), up(0x2cc, "pk16_f32_bf6", &vop16_3Scale),
			down(0x2cd, "pk16_fp6_f32", &vop3_16Scale), down(0x2ce, "pk16_bf6_f32", &vop3_16Scale), down(0x2cf, "pk16_fp6_f16", &vop3_8Scale),
			down(0x2d0, "pk16_bf6_f16", &vop3_8Scale), down(0x2d1, "pk16_fp6_bf16", &vop3_8Scale), down(0x2d2, "pk16_bf6_bf16", &vop3_8Scale),
			down(0x2d3, "sr_pk16_fp6_f32", &vop3_16RandomScale), down(0x2d4, "sr_pk16_bf6_f32", &vop3_16RandomScale), down(0x2d5, "sr_pk16_fp6_f16", &vop3_8RandomScale),
			down(0x2d6, "sr_pk16_bf6_f16", &vop3_8RandomScale), down(0x2d7, "sr_pk16_fp6_bf16", &vop3_8RandomScale), down(0x2d8, "sr_pk16_bf6_bf16", &vop3_8RandomScale),
			{Op: 0x2fa, Name: "v_mad_nc_u64_u32", Form: &vopB64_B32B32B64_C, Do: bind.MadNarrow(alu.MadU64U32, alu.U64)},
			{Op: 0x2fb, Name: "v_mad_nc_i64_i32", Form: &vopB64_B32B32B64_C, Do: bind.MadNarrow(alu.MadI64I32, alu.U64)},
			{Op: 0x314, Name: "v_permlane_idx_gen_b32", Form: &vopPermlaneIndex},
			wide(0x318, "v_min_u64", alu.MinU64), wide(0x319, "v_max_u64", alu.MaxU64), wide(0x31a, "v_min_i64", alu.MinI64), wide(0x31b, "v_max_i64", alu.MaxI64),
			{Op: 0x36d, Name: "v_cvt_pk_bf16_f32"},
			{Op: 0x36e, Name: "v_cvt_sr_pk_bf16_f32", Form: &vopPBF16_F32mF32mB32_CO},
			{Op: 0x36f, Name: "v_cvt_pk_f16_f32"},
			{Op: 0x370, Name: "v_cvt_sr_pk_f16_f32", Form: &vopPF16_F32mF32mB32_CO},
			{Op: 0x372, Name: "v_cvt_pk_fp8_f16", Form: &vopHalf_PF16m_C},
			{Op: 0x373, Name: "v_cvt_pk_bf8_f16", Form: &vopHalf_PF16m_C},
			{Op: 0x374, Name: "v_cvt_sr_fp8_f16", Form: &vopByte_F16mB32},
			{Op: 0x375, Name: "v_cvt_sr_bf8_f16", Form: &vopByte_F16mB32},
		},
	}
}

func rows1250VOP3P() change {
	bf16 := func(op uint16, name string, sources int) encoding.Row {
		f := &vop3pPBF16_PBF16PBF16_CO
		if sources == 3 {
			f = &vop3pPBF16_PBF16PBF16PBF16_CO
		}
		return encoding.Row{Op: op, Name: name, Form: f}
	}
	ints := func(op uint16, name string) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vop3pPB16_PB16PB16PB16_Plain}
	}
	halves := func(op uint16, name string, do encoding.Meaning) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vop3pPF16_PF16PF16PF16_CO, Do: do}
	}
	return change{
		without: []string{"v_dot2_f32_f16", "v_dot2_f32_bf16", "v_dot4_f32_fp8_bf8", "v_dot4_f32_bf8_fp8", "v_dot4_f32_fp8_fp8", "v_dot4_f32_bf8_bf8"},
		more: []encoding.Row{
			bf16(0x11, "v_pk_fma_bf16", 3), bf16(0x23, "v_pk_add_bf16", 2), bf16(0x2a, "v_pk_mul_bf16", 2), bf16(0x2b, "v_pk_min_num_bf16", 2), bf16(0x2c, "v_pk_max_num_bf16", 2),
			ints(0x14, "v_pk_add_max_i16"), ints(0x15, "v_pk_add_max_u16"), ints(0x2d, "v_pk_add_min_i16"), ints(0x2e, "v_pk_add_min_u16"),
			ints(0x2f, "v_pk_max3_i16"), ints(0x30, "v_pk_max3_u16"), ints(0x31, "v_pk_min3_i16"), ints(0x32, "v_pk_min3_u16"),
			{Op: 0x1f, Name: "v_pk_fma_f32"}, {Op: 0x28, Name: "v_pk_mul_f32"}, {Op: 0x29, Name: "v_pk_add_f32"},
			{Op: 0x36, Name: "v_pk_minimum3_f16"}, {Op: 0x37, Name: "v_pk_maximum3_f16"},
			halves(0x38, "v_pk_min3_num_f16", nil), halves(0x39, "v_pk_max3_num_f16", nil),
			{Op: 0x3d, Name: "v_fma_mix_f32_bf16", Form: &vop3pF32_F32F32F32_COMixB}, {Op: 0x3e, Name: "v_fma_mixlo_bf16", Form: &vop3pBF16_F32F32F32_COMix},
			{Op: 0x3f, Name: "v_fma_mixhi_bf16", Form: &vop3pBF16_F32F32F32_COMix},
		},
	}
}
