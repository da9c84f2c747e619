package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rows10VOP2 are the vector instructions of two sources of GFX10.
var rows10VOP2 = sync.OnceValue(func() []encoding.Row {
	return shared10([]encoding.Row{
		{Op: 0x01, Name: "v_cndmask_b32"},
		{Op: 0x02, Name: "v_dot2c_f32_f16", Form: &vopF32_PF16PF16_Dot, Do: bind.DotAccumulate(bind.Dot2F32F16), Fidelity: &dotHalves},
		{Op: 0x03, Name: "v_add_f32"},
		{Op: 0x04, Name: "v_sub_f32"},
		{Op: 0x05, Name: "v_subrev_f32"},
		{Op: 0x06, Name: "v_fmac_legacy_f32", Form: &vopF32_F32mF32m_CONoDPP, Do: bind.AccumulateTemp(bind.FmaLegacyF32, alu.F32, alu.F32), Like: "v_fmac_dx9_zero_f32"},
		{Op: 0x07, Name: "v_mul_legacy_f32"},
		{Op: 0x08, Name: "v_mul_f32"},
		{Op: 0x09, Name: "v_mul_i32_i24"},
		{Op: 0x0a, Name: "v_mul_hi_i32_i24"},
		{Op: 0x0b, Name: "v_mul_u32_u24"},
		{Op: 0x0c, Name: "v_mul_hi_u32_u24"},
		{Op: 0x0d, Name: "v_dot4c_i32_i8", Form: &vopB32_B32iB32i_Dot, Do: bind.DotAccumulate(bind.Dot(alu.Dot4I32, alu.Parts8))},
		{Op: 0x0f, Name: "v_min_f32"},
		{Op: 0x10, Name: "v_max_f32"},
		{Op: 0x11, Name: "v_min_i32"},
		{Op: 0x12, Name: "v_max_i32"},
		{Op: 0x13, Name: "v_min_u32"},
		{Op: 0x14, Name: "v_max_u32"},
		{Op: 0x16, Name: "v_lshrrev_b32"},
		{Op: 0x18, Name: "v_ashrrev_i32"},
		{Op: 0x1a, Name: "v_lshlrev_b32"},
		{Op: 0x1b, Name: "v_and_b32"},
		{Op: 0x1c, Name: "v_or_b32"},
		{Op: 0x1d, Name: "v_xor_b32"},
		{Op: 0x1e, Name: "v_xnor_b32"},
		{Op: 0x25, Name: "v_add_nc_u32", Like: "v_add_u32"},
		{Op: 0x26, Name: "v_sub_nc_u32", Like: "v_sub_u32"},
		{Op: 0x27, Name: "v_subrev_nc_u32", Like: "v_subrev_u32"},
		{Op: 0x28, Name: "v_add_co_ci_u32", Like: "v_addc_co_u32"},
		{Op: 0x29, Name: "v_sub_co_ci_u32", Like: "v_subb_co_u32"},
		{Op: 0x2a, Name: "v_subrev_co_ci_u32", Like: "v_subbrev_co_u32"},
		{Op: 0x2b, Name: "v_fmac_f32"},
		{Op: 0x2c, Name: "v_fmamk_f32"},
		{Op: 0x2d, Name: "v_fmaak_f32"},
		{Op: 0x2f, Name: "v_cvt_pkrtz_f16_f32"},
		{Op: 0x32, Name: "v_add_f16"},
		{Op: 0x33, Name: "v_sub_f16"},
		{Op: 0x34, Name: "v_subrev_f16"},
		{Op: 0x35, Name: "v_mul_f16"},
		{Op: 0x36, Name: "v_fmac_f16", Form: &vopF16_F16mF16m_CONoSDWA, Do: bind.Accumulate(alu.FmaF16, alu.F16, alu.F16)},
		{Op: 0x37, Name: "v_fmamk_f16", Form: &vopF16_F16KF16E32, Do: bind.TernaryF16(alu.FmaF16)},
		{Op: 0x38, Name: "v_fmaak_f16", Form: &vopF16_F16F16KE32, Do: bind.TernaryF16(alu.FmaF16)},
		{Op: 0x39, Name: "v_max_f16"},
		{Op: 0x3a, Name: "v_min_f16"},
		{Op: 0x3b, Name: "v_ldexp_f16"},
		{Op: 0x3c, Name: "v_pk_fmac_f16", Form: &vopPF16_PF16PF16_Dot, Do: bind.PkFmac(bind.PairsF16x3(alu.PkFmaF16))},
	})
})

// rows10VOP1 are those of one source: GFX11's and v_clrexcp.
var rows10VOP1 = sync.OnceValue(func() []encoding.Row {
	list := rowsOf11(rows11VOP1(), "v_mov_b16", "v_swap_b16", "v_permlane64_b32", "v_not_b16", "v_cvt_i32_i16", "v_cvt_u32_u16")
	return shared10(append(list, encoding.Row{Op: 0x41, Name: "v_clrexcp"}))
})
