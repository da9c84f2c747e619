package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsVOP3P are the vector instructions on packed halves, dot products and mixed precision.
var rowsVOP3P = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "v_pk_mad_i16", Form: &vop3pPB16_PB16PB16PB16_CO, Do: bind.PairsOf3(alu.PkMad16, func(d, a, b, c *alu.Lanes) { alu.Pairs3(d, a, b, c, alu.MadSatI16) })},
		{Op: 0x01, Name: "v_pk_mul_lo_u16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.MulLo16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.MulLo16) })},
		{Op: 0x02, Name: "v_pk_add_i16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Add16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.AddSatI16) })},
		{Op: 0x03, Name: "v_pk_sub_i16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Sub16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.SubSatI16) })},
		{Op: 0x04, Name: "v_pk_lshlrev_b16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Lshlrev16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Lshlrev16) })},
		{Op: 0x05, Name: "v_pk_lshrrev_b16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Lshrrev16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Lshrrev16) })},
		{Op: 0x06, Name: "v_pk_ashrrev_i16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Ashrrev16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Ashrrev16) })},
		{Op: 0x07, Name: "v_pk_max_i16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(alu.PkMaxI16, alu.PkMaxI16)},
		{Op: 0x08, Name: "v_pk_min_i16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(alu.PkMinI16, alu.PkMinI16)},
		{Op: 0x09, Name: "v_pk_mad_u16", Form: &vop3pPB16_PB16PB16PB16_CO, Do: bind.PairsOf3(alu.PkMad16, func(d, a, b, c *alu.Lanes) { alu.Pairs3(d, a, b, c, alu.MadSatU16) })},
		{Op: 0x0a, Name: "v_pk_add_u16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Add16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.AddSatU16) })},
		{Op: 0x0b, Name: "v_pk_sub_u16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.Sub16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.SubSatU16) })},
		{Op: 0x0c, Name: "v_pk_max_u16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.MaxU16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.MaxU16) })},
		{Op: 0x0d, Name: "v_pk_min_u16", Form: &vop3pPB16_PB16PB16_CO, Do: bind.PairsOf2(func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.MinU16) }, func(d, a, b *alu.Lanes) { alu.Pairs2(d, a, b, alu.MinU16) })},
		{Op: 0x0e, Name: "v_pk_fma_f16", Form: &vop3pPF16_PF16PF16PF16_CO, Do: bind.PairsF16x3(alu.PkFmaF16)},
		{Op: 0x0f, Name: "v_pk_add_f16", Form: &vop3pPF16_PF16PF16_CO, Do: bind.PairsF16x2(alu.PkAddF16)},
		{Op: 0x10, Name: "v_pk_mul_f16", Form: &vop3pPF16_PF16PF16_CO, Do: bind.PairsF16x2(alu.PkMulF16)},
		{Op: 0x11, Name: "v_pk_min_f16", Form: &vop3pPF16_PF16PF16_CO, Do: bind.PairsF16x2(alu.PkMinF16)},
		{Op: 0x12, Name: "v_pk_max_f16", Form: &vop3pPF16_PF16PF16_CO, Do: bind.PairsF16x2(alu.PkMaxF16)},
		{Op: 0x1a, Name: "v_dot2_f32_bf16", Form: &vop3pF32_PBf16PBf16F32_CO, Do: bind.Dot2F32Bf16, Chips: encoding.OnGfx950, Fidelity: &byManual},
		{Op: 0x1b, Name: "v_pk_minimum3_f16", Form: &vop3pPF16_PF16PF16PF16_CO, Do: bind.PicksPairs(alu.PkSmallest3F16), Chips: encoding.OnGfx950},
		{Op: 0x1c, Name: "v_pk_maximum3_f16", Form: &vop3pPF16_PF16PF16PF16_CO, Do: bind.PicksPairs(alu.PkLargest3F16), Chips: encoding.OnGfx950},
		{Op: 0x20, Name: "v_mad_mix_f32", Form: &vop3pF32_F32F32F32_COMix, Do: bind.MixedSingle(alu.MadF32), Chips: encoding.OnGfx900},
		{Op: 0x20, Name: "v_fma_mix_f32", Form: &vop3pF32_F32F32F32_COMix, Do: bind.MixedSingle(alu.FmaF32), Chips: encoding.FromGfx906},
		{Op: 0x21, Name: "v_mad_mixlo_f16", Form: &vop3pF16_F32F32F32_COMix, Do: bind.MixedHalf(false, alu.MadToF16), Chips: encoding.OnGfx900},
		{Op: 0x21, Name: "v_fma_mixlo_f16", Form: &vop3pF16_F32F32F32_COMix, Do: bind.MixedHalf(false, alu.FmaToF16), Chips: encoding.FromGfx906},
		{Op: 0x22, Name: "v_mad_mixhi_f16", Form: &vop3pF16_F32F32F32_COMix, Do: bind.MixedHalf(true, alu.MadToF16), Chips: encoding.OnGfx900},
		{Op: 0x22, Name: "v_fma_mixhi_f16", Form: &vop3pF16_F32F32F32_COMix, Do: bind.MixedHalf(true, alu.FmaToF16), Chips: encoding.FromGfx906},
		{Op: 0x23, Name: "v_dot2_f32_f16", Form: &vop3pF32_PF16PF16F32_CO, Do: bind.Dot2F32F16, Chips: encoding.FromGfx906, Fidelity: &dotHalves},
		{Op: 0x26, Name: "v_dot2_i32_i16", Form: &vop3pB32_PB16PB16B32_CO, Do: bind.Dot(alu.Dot2I32, alu.Parts16), Chips: encoding.FromGfx906},
		{Op: 0x27, Name: "v_dot2_u32_u16", Form: &vop3pB32_PB16PB16B32_CO, Do: bind.Dot(alu.Dot2U32, alu.Parts16U), Chips: encoding.FromGfx906},
		{Op: 0x28, Name: "v_dot4_i32_i8", Form: &vop3pB32_B32B32B32_CNoSel, Do: bind.Dot(alu.Dot4I32, alu.Parts8), Chips: encoding.FromGfx906},
		{Op: 0x29, Name: "v_dot4_u32_u8", Form: &vop3pB32_B32B32B32_CNoSel, Do: bind.Dot(alu.Dot4U32, alu.Parts8U), Chips: encoding.FromGfx906},
		{Op: 0x2a, Name: "v_dot8_i32_i4", Form: &vop3pB32_B32B32B32_CNoSel, Do: bind.Dot(alu.Dot8I32, alu.Parts4), Chips: encoding.FromGfx906},
		{Op: 0x2b, Name: "v_dot8_u32_u4", Form: &vop3pB32_B32B32B32_CNoSel, Do: bind.Dot(alu.Dot8U32, alu.Parts4U), Chips: encoding.FromGfx906},
		{Op: 0x2c, Name: "v_mfma_ld_scale_b32", Form: &vop3pScales, Do: bind.Nothing, Chips: encoding.OnGfx950},
		{Op: 0x30, Name: "v_pk_fma_f32", Form: &vop3pPF32_PF32PF32PF32_C, Do: bind.PackedSingles(bind.TernaryF32(alu.FmaF32), &vopF32_F32mF32mF32m_CO), Chips: encoding.FromGfx90a},
		{Op: 0x31, Name: "v_pk_mul_f32", Form: &vop3pPF32_PF32PF32_C, Do: bind.PackedSingles(bind.BinaryF32(alu.MulF32), &vopF32_F32mF32m_CO), Chips: encoding.FromGfx90a},
		{Op: 0x32, Name: "v_pk_add_f32", Form: &vop3pPF32_PF32PF32_C, Do: bind.PackedSingles(bind.BinaryF32(alu.AddF32), &vopF32_F32mF32m_CO), Chips: encoding.FromGfx90a},
		{Op: 0x33, Name: "v_pk_mov_b32", Form: &vop3pPB32_PB32PB32, Do: bind.PkMovB32, Chips: encoding.FromGfx90a},
		{Op: 0x58, Name: "v_accvgpr_read_b32", Form: &accRead, Do: bind.MoveB32, Chips: encoding.FromGfx908},
		{Op: 0x59, Name: "v_accvgpr_write_b32", Form: &accWrite, Do: bind.MoveB32, Chips: encoding.FromGfx908},
	}
})
