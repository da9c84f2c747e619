package rows

import (
	"strconv"
	"strings"

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
	bf16 := func(op uint16, name string, f alu.LaneFunc) encoding.Row {
		return encoding.Row{Op: op, Name: "v_" + name + "_bf16", Form: &vopBF16_BF16m_CO, Do: bind.OnBF16(f), Fidelity: &unbounded}
	}
	return change{
		without: []string{"v_mov_b16", "v_swap_b16"},
		more: []encoding.Row{
			{Op: 0x1d, Name: "v_mov_b64"},
			{Op: 0x1e, Name: "v_tanh_f32", Form: &vopF32_F32m_CO, Do: bind.UnaryF32(alu.TanhF32), Fidelity: &unbounded},
			{Op: 0x1f, Name: "v_tanh_f16", Form: &vopF16_F16m_CO, Do: bind.LanesF16(alu.Tanh32), Fidelity: &unbounded},
			{Op: 0x49, Name: "v_permlane16_swap_b32"},
			bf16(0x4a, "tanh", alu.TanhBF16),
			{Op: 0x4b, Name: "v_prng_b32"},
			{Op: 0x72, Name: "v_cvt_f32_bf16", Form: &vopF32_BF16m, Do: gfx9ByName()["v_cvt_f32_bf16"].Do},
			{Op: 0x73, Name: "v_sat_pk4_i4_i8", Form: &vopB16_B32, Do: bind.Lanewise(alu.SatPk4(true), alu.U16, alu.U32)},
			{Op: 0x74, Name: "v_sat_pk4_u4_u8", Form: &vopB16_B32, Do: bind.Lanewise(alu.SatPk4(false), alu.U16, alu.U32)},
			{Op: 0x75, Name: "v_cvt_pk_f16_fp8", Form: &vopPF16_Half, Do: bind.CvtPkF16(bind.FP8), Fidelity: &cdna5},
			{Op: 0x76, Name: "v_cvt_pk_f16_bf8", Form: &vopPF16_Half, Do: bind.CvtPkF16(bind.BF8), Fidelity: &cdna5},
			{Op: 0x77, Name: "v_cvt_f16_fp8", Form: &vopF16_Byte, Do: bind.CvtF16(bind.FP8), Fidelity: &cdna5},
			{Op: 0x78, Name: "v_cvt_f16_bf8", Form: &vopF16_Byte, Do: bind.CvtF16(bind.BF8), Fidelity: &cdna5},
			bf16(0x79, "rcp", alu.RcpBF16), bf16(0x7a, "sqrt", alu.SqrtBF16), bf16(0x7b, "rsq", alu.RsqBF16), bf16(0x7c, "log", alu.LogBF16), bf16(0x7d, "exp", alu.ExpBF16),
			bf16(0x7e, "sin", alu.SinBF16), bf16(0x7f, "cos", alu.CosBF16),
		},
	}
}

func rows1250VOP3() change {
	three := func(op uint16, name string, k alu.Kernel3) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vopB32_B32B32B32_C, Do: bind.AddPick(k)}
	}
	up := func(op uint16, name string, f *encoding.Form) encoding.Row {
		parts := strings.Split(name, "_")
		count, _ := strconv.Atoi(parts[0][len("pk"):])
		return encoding.Row{Op: op, Name: "v_cvt_scale_" + name, Form: f, Do: bind.UpByBytes(formats[parts[2]], formats[parts[1]], count), Fidelity: &scaledCDNA5}
	}
	down := func(op uint16, name string, f *encoding.Form) encoding.Row {
		return encoding.Row{Op: op, Name: "v_cvt_scalef32_" + name, Form: f, Do: narrowing(name), Fidelity: &likeGfx950}
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
			{Op: 0x23f, Name: "v_perm_pk16_b4_u4", Form: &vop2_B32B64B64, Do: bind.LookUp(4)},
			three(0x25e, "v_add_max_i32", alu.OnWords3(alu.AddMaxI32)), three(0x25f, "v_add_max_u32", alu.OnWords3(alu.AddMaxU32)),
			three(0x260, "v_add_min_i32", alu.OnWords3(alu.AddMinI32)), three(0x261, "v_add_min_u32", alu.OnWords3(alu.AddMinU32)),
			{Op: 0x242, Name: "v_perm_pk16_b6_u4", Form: &vop3_B32B64B64, Do: bind.LookUp(6)},
			{Op: 0x243, Name: "v_perm_pk16_b8_u4", Form: &vop4_B64B64B64, Do: bind.LookUp(8)},
			{Op: 0x252, Name: "v_lshl_add_u64", Form: &vopB64_B64B32B64, Do: gfx9ByName()["v_lshl_add_u64"].Do},
			{Op: 0x270, Name: "v_permlane_bcast_b32", Form: &vopPermlaneBy, Do: bind.PermlaneGroup(bind.FromOne)},
			{Op: 0x271, Name: "v_permlane_up_b32", Form: &vopPermlaneBy, Do: bind.PermlaneGroup(bind.FromBelow)},
			{Op: 0x272, Name: "v_permlane_down_b32", Form: &vopPermlaneBy, Do: bind.PermlaneGroup(bind.FromAbove)},
			{Op: 0x273, Name: "v_permlane_xor_b32", Form: &vopPermlaneBy, Do: bind.PermlaneGroup(bind.FromOther)},
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
			{Op: 0x314, Name: "v_permlane_idx_gen_b32", Form: &vopPermlaneIndex, Do: bind.PermlaneIndex},
			wide(0x318, "v_min_u64", alu.MinU64), wide(0x319, "v_max_u64", alu.MaxU64), wide(0x31a, "v_min_i64", alu.MinI64), wide(0x31b, "v_max_i64", alu.MaxI64),
			{Op: 0x36d, Name: "v_cvt_pk_bf16_f32"},
			{Op: 0x36e, Name: "v_cvt_sr_pk_bf16_f32", Form: &vopPBF16_F32mF32mB32_CO},
			{Op: 0x36f, Name: "v_cvt_pk_f16_f32"},
			{Op: 0x370, Name: "v_cvt_sr_pk_f16_f32", Form: &vopPF16_F32mF32mB32_CO},
			{Op: 0x372, Name: "v_cvt_pk_fp8_f16", Form: &vopHalf_PF16m_C, Do: bind.CvtPkOfHalves(bind.FP8, false), Fidelity: &cdna5},
			{Op: 0x373, Name: "v_cvt_pk_bf8_f16", Form: &vopHalf_PF16m_C, Do: bind.CvtPkOfHalves(bind.BF8, false), Fidelity: &cdna5},
			{Op: 0x374, Name: "v_cvt_sr_fp8_f16", Form: &vopByte_F16mB32, Do: bind.CvtSrOfHalf(bind.FP8, false), Fidelity: &cdna5},
			{Op: 0x375, Name: "v_cvt_sr_bf8_f16", Form: &vopByte_F16mB32, Do: bind.CvtSrOfHalf(bind.BF8, false), Fidelity: &cdna5},
		},
	}
}

func rows1250VOP3P() change {
	bf16 := func(op uint16, name string, do encoding.Meaning) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vop3pPBF16_PBF16PBF16_CO, Do: do}
	}
	ints := func(op uint16, name string, k alu.Kernel3) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vop3pPB16_PB16PB16PB16_Plain, Do: bind.PairsPick(k)}
	}
	halves := func(op uint16, name string, do encoding.Meaning) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vop3pPF16_PF16PF16PF16_CO, Do: do}
	}
	return change{
		without: []string{"v_dot2_f32_f16", "v_dot2_f32_bf16", "v_dot4_f32_fp8_bf8", "v_dot4_f32_bf8_fp8", "v_dot4_f32_fp8_fp8", "v_dot4_f32_bf8_bf8"},
		more: []encoding.Row{
			{Op: 0x11, Name: "v_pk_fma_bf16", Form: &vop3pPBF16_PBF16PBF16PBF16_CO, Do: bind.PairsBF16(alu.NearestBF16.Fma, 3)},
			bf16(0x23, "v_pk_add_bf16", bind.PairsBF16(alu.NearestBF16.Add, 2)), bf16(0x2a, "v_pk_mul_bf16", bind.PairsBF16(alu.NearestBF16.Mul, 2)),
			bf16(0x2b, "v_pk_min_num_bf16", bind.PicksBF16(alu.PkLeastNumberBF16)), bf16(0x2c, "v_pk_max_num_bf16", bind.PicksBF16(alu.PkMostNumberBF16)),
			ints(0x14, "v_pk_add_max_i16", alu.OnPairs3(alu.AddMaxI16)), ints(0x15, "v_pk_add_max_u16", alu.OnPairs3(alu.AddMaxU16)),
			ints(0x2d, "v_pk_add_min_i16", alu.OnPairs3(alu.AddMinI16)), ints(0x2e, "v_pk_add_min_u16", alu.OnPairs3(alu.AddMinU16)),
			ints(0x2f, "v_pk_max3_i16", alu.OnPairs3(alu.Max3I16)), ints(0x30, "v_pk_max3_u16", alu.OnPairs3(alu.Max3U16)),
			ints(0x31, "v_pk_min3_i16", alu.OnPairs3(alu.Min3I16)), ints(0x32, "v_pk_min3_u16", alu.OnPairs3(alu.Min3U16)),
			{Op: 0x1f, Name: "v_pk_fma_f32"}, {Op: 0x28, Name: "v_pk_mul_f32"}, {Op: 0x29, Name: "v_pk_add_f32"},
			{Op: 0x36, Name: "v_pk_minimum3_f16"}, {Op: 0x37, Name: "v_pk_maximum3_f16"},
			halves(0x38, "v_pk_min3_num_f16", bind.PicksPairsF16(alu.PkLeast3F16)), halves(0x39, "v_pk_max3_num_f16", bind.PicksPairsF16(alu.PkMost3F16)),
			{Op: 0x3d, Name: "v_fma_mix_f32_bf16", Form: &vop3pF32_F32F32F32_COMixB, Do: bind.MixedBF16(alu.F32, false, alu.NearestF32.Fma)},
			{Op: 0x3e, Name: "v_fma_mixlo_bf16", Form: &vop3pBF16_F32F32F32_COMix, Do: bind.MixedBF16(alu.Bf16, false, alu.FusedBF16)},
			{Op: 0x3f, Name: "v_fma_mixhi_bf16", Form: &vop3pBF16_F32F32F32_COMix, Do: bind.MixedBF16(alu.Bf16, true, alu.FusedBF16)},
		},
	}
}

// formats are the names that formats have in conversions.
var formats = map[string]*alu.SmallFormat{
	"f32": &alu.SmallF32, "f16": &alu.SmallF16, "bf16": &alu.Bfloat16,
	"fp8": &alu.OcpE4M3, "bf8": &alu.OcpE5M2, "fp6": &alu.OcpE2M3, "bf6": &alu.OcpE3M2, "fp4": &alu.OcpE2M1,
}

// narrowing is the meaning of a conversion to a smaller format, as of gfx950's: "sr_pk8_fp4_f32".
func narrowing(name string) encoding.Meaning {
	name, random := strings.CutPrefix(name, "sr_")
	parts := strings.Split(name, "_")
	count, _ := strconv.Atoi(parts[0][len("pk"):])
	return bind.Down(formats[parts[2]], formats[parts[1]], count, random)
}
