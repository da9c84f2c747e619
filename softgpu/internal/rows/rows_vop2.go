package rows

import (
	"math"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsVOP2 are the vector instructions of two sources; e64 number: 0x100 + Op.
var rowsVOP2 = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "v_cndmask_b32", Form: &vopB32_B32mB32mCi, Do: bind.Carry(alu.CndmaskB32, false, alu.U32, alu.U32)},
		{Op: 0x01, Name: "v_add_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.AddF32)},
		{Op: 0x02, Name: "v_sub_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.SubF32)},
		{Op: 0x03, Name: "v_subrev_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.SubrevF32)},
		{Op: 0x04, Name: "v_mul_legacy_f32", Form: &vopF32_F32mF32m_CO, Do: bind.WaveTemp(alu.MulLegacyF32, alu.F32, alu.F32, alu.F32), Chips: encoding.ToGfx908},
		{Op: 0x04, Name: "v_fmac_f64", Form: &vopF64_F64mF64m_CONoSDWA, Do: bind.AccumulateWide(alu.FmaF64, alu.F64, alu.F64), Chips: encoding.FromGfx90a},
		{Op: 0x05, Name: "v_mul_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.MulF32)},
		{Op: 0x06, Name: "v_mul_i32_i24", Form: &vopB32_B32B32_C, Do: bind.Saturating(bind.BinaryU32(func(d, a, b *alu.Lanes) { alu.Each2(d, a, b, alu.MulI32I24) }), bind.BinaryU32(func(d, a, b *alu.Lanes) { alu.Each2(d, a, b, alu.MulSatI32I24) }))},
		{Op: 0x07, Name: "v_mul_hi_i32_i24", Form: &vopB32_B32B32, Do: bind.BinaryU32(func(d, a, b *alu.Lanes) { alu.Each2(d, a, b, alu.MulHiI32I24) })},
		{Op: 0x08, Name: "v_mul_u32_u24", Form: &vopB32_B32B32_C, Do: bind.Saturating(bind.WaveTemp(alu.MulU32U24, alu.U32, alu.U32, alu.U32), bind.BinaryU32(func(d, a, b *alu.Lanes) { alu.Each2(d, a, b, alu.MulSatU32U24) }))},
		{Op: 0x09, Name: "v_mul_hi_u32_u24", Form: &vopB32_B32B32, Do: bind.BinaryU32(func(d, a, b *alu.Lanes) { alu.Each2(d, a, b, alu.MulHiU32U24) })},
		{Op: 0x0a, Name: "v_min_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.MinF32)},
		{Op: 0x0b, Name: "v_max_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.MaxF32)},
		{Op: 0x0c, Name: "v_min_i32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.MinI32)},
		{Op: 0x0d, Name: "v_max_i32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.MaxI32)},
		{Op: 0x0e, Name: "v_min_u32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.MinU32)},
		{Op: 0x0f, Name: "v_max_u32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.MaxU32)},
		{Op: 0x10, Name: "v_lshrrev_b32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.LshrrevB32)},
		{Op: 0x11, Name: "v_ashrrev_i32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.AshrrevI32)},
		{Op: 0x12, Name: "v_lshlrev_b32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.LshlrevB32)},
		{Op: 0x13, Name: "v_and_b32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.AndB32)},
		{Op: 0x14, Name: "v_or_b32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.OrB32)},
		{Op: 0x15, Name: "v_xor_b32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.XorB32)},
		{Op: 0x16, Name: "v_mac_f32", Form: &vopF32_F32mF32m_CONoSDWA, Do: bind.Accumulate(alu.MadF32, alu.F32, alu.F32), Chips: encoding.ToGfx90a},
		{Op: 0x16, Name: "v_dot2c_f32_bf16", Form: &vopF32_PBf16PBf16, Do: bind.DotAccumulate(bind.Dot2cF32Bf16), Chips: encoding.OnGfx950, Fidelity: &byManual},
		{Op: 0x17, Name: "v_madmk_f32", Form: &vopF32_F32KF32E32, Do: bind.TernaryF32(alu.MadF32), Chips: encoding.ToGfx90a},
		{Op: 0x17, Name: "v_fmamk_f32", Form: &vopF32_F32KF32E32, Do: bind.TernaryF32(alu.FmaF32), Chips: encoding.FromGfx942},
		{Op: 0x18, Name: "v_madak_f32", Form: &vopF32_F32F32KE32, Do: bind.TernaryF32(alu.MadF32), Chips: encoding.ToGfx90a},
		{Op: 0x18, Name: "v_fmaak_f32", Form: &vopF32_F32F32KE32, Do: bind.TernaryF32(alu.FmaF32), Chips: encoding.FromGfx942},
		{Op: 0x19, Name: "v_add_co_u32", Form: &vopB32Co_B32B32_C, Do: bind.Saturating(bind.Carry(alu.AddCoU32, true, alu.U32, alu.U32), bind.Carry(alu.SaturatedCarry(alu.AddCoU32, math.MaxUint32), true, alu.U32, alu.U32))},
		{Op: 0x1a, Name: "v_sub_co_u32", Form: &vopB32Co_B32B32_C, Do: bind.Saturating(bind.Carry(alu.SubCoU32, true, alu.U32, alu.U32), bind.Carry(alu.SaturatedCarry(alu.SubCoU32, 0), true, alu.U32, alu.U32))},
		{Op: 0x1b, Name: "v_subrev_co_u32", Form: &vopB32Co_B32B32_C, Do: bind.Saturating(bind.Carry(alu.SubrevCoU32, true, alu.U32, alu.U32), bind.Carry(alu.SaturatedCarry(alu.SubrevCoU32, 0), true, alu.U32, alu.U32))},
		{Op: 0x1c, Name: "v_addc_co_u32", Form: &vopB32Co_B32B32Ci_C, Do: bind.Saturating(bind.Carry(alu.AddcCoU32, true, alu.U32, alu.U32), bind.Carry(alu.SaturatedCarry(alu.AddcCoU32, math.MaxUint32), true, alu.U32, alu.U32))},
		{Op: 0x1d, Name: "v_subb_co_u32", Form: &vopB32Co_B32B32Ci_C, Do: bind.Saturating(bind.Carry(alu.SubbCoU32, true, alu.U32, alu.U32), bind.Carry(alu.SaturatedCarry(alu.SubbCoU32, 0), true, alu.U32, alu.U32))},
		{Op: 0x1e, Name: "v_subbrev_co_u32", Form: &vopB32Co_B32B32Ci_C, Do: bind.Saturating(bind.Carry(alu.SubbrevCoU32, true, alu.U32, alu.U32), bind.Carry(alu.SaturatedCarry(alu.SubbrevCoU32, 0), true, alu.U32, alu.U32))},
		{Op: 0x1f, Name: "v_add_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.AddF16)},
		{Op: 0x20, Name: "v_sub_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.SubF16)},
		{Op: 0x21, Name: "v_subrev_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.SubrevF16)},
		{Op: 0x22, Name: "v_mul_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.MulF16)},
		{Op: 0x23, Name: "v_mac_f16", Form: &vopF16_F16mF16m_CONoSDWA, Do: bind.AccumulateTemp(alu.MadF16, alu.F16, alu.F16)},
		{Op: 0x24, Name: "v_madmk_f16", Form: &vopF16_F16KF16E32, Do: bind.WaveTemp(alu.MadF16, alu.F16, alu.F16, alu.F16, alu.F16)},
		{Op: 0x25, Name: "v_madak_f16", Form: &vopF16_F16F16KE32, Do: bind.WaveTemp(alu.MadF16, alu.F16, alu.F16, alu.F16, alu.F16)},
		{Op: 0x26, Name: "v_add_u16", Form: &vopB16_B16B16_C, Do: bind.Saturating(bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.Add16) }), bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.AddSatU16) }))},
		{Op: 0x27, Name: "v_sub_u16", Form: &vopB16_B16B16_C, Do: bind.Saturating(bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.Sub16) }), bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.SubSatU16) }))},
		{Op: 0x28, Name: "v_subrev_u16", Form: &vopB16_B16B16_C, Do: bind.Saturating(bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.Subrev16) }), bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.SubrevSatU16) }))},
		{Op: 0x29, Name: "v_mul_lo_u16", Form: &vopB16_B16B16, Do: bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.MulLo16) })},
		{Op: 0x2a, Name: "v_lshlrev_b16", Form: &vopB16_B16B16, Do: bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.Lshlrev16) })},
		{Op: 0x2b, Name: "v_lshrrev_b16", Form: &vopB16_B16B16, Do: bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.Lshrrev16) })},
		{Op: 0x2c, Name: "v_ashrrev_i16", Form: &vopB16_B16B16, Do: bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.Ashrrev16) })},
		{Op: 0x2d, Name: "v_max_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.MaxF16)},
		{Op: 0x2e, Name: "v_min_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.MinF16)},
		{Op: 0x2f, Name: "v_max_u16", Form: &vopB16_B16B16, Do: bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.MaxU16) })},
		{Op: 0x30, Name: "v_max_i16", Form: &vopB16_B16B16, Do: bind.BinaryI16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.MaxI16) })},
		{Op: 0x31, Name: "v_min_u16", Form: &vopB16_B16B16, Do: bind.BinaryU16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.MinU16) })},
		{Op: 0x32, Name: "v_min_i16", Form: &vopB16_B16B16, Do: bind.BinaryI16(func(d, a, b *alu.Lanes) { alu.Low2(d, a, b, alu.MinI16) })},
		{Op: 0x33, Name: "v_ldexp_f16", Form: &vopF16_F16mB16i_CO, Do: bind.WaveTemp(alu.LdexpF16, alu.F16, alu.F16, alu.I16), Fidelity: &tinyHalves},
		{Op: 0x34, Name: "v_add_u32", Form: &vopB32_B32B32_C, Do: bind.Saturating(bind.BinaryU32(alu.AddU32), bind.BinaryU32(func(d, a, b *alu.Lanes) { alu.Each2(d, a, b, alu.AddSatU32) }))},
		{Op: 0x35, Name: "v_sub_u32", Form: &vopB32_B32B32_C, Do: bind.Saturating(bind.BinaryU32(alu.SubU32), bind.BinaryU32(func(d, a, b *alu.Lanes) { alu.Each2(d, a, b, alu.SubSatU32) }))},
		{Op: 0x36, Name: "v_subrev_u32", Form: &vopB32_B32B32_C, Do: bind.Saturating(bind.BinaryU32(alu.SubrevU32), bind.BinaryU32(func(d, a, b *alu.Lanes) { alu.Each2(d, a, b, alu.SubrevSatU32) }))},
		{Op: 0x37, Name: "v_dot2c_f32_f16", Form: &vopF32_PF16PF16_C, Do: bind.DotAccumulate(bind.Dot2F32F16), Chips: encoding.FromGfx908, Fidelity: &dotHalves},
		{Op: 0x38, Name: "v_dot2c_i32_i16", Form: &vopB32_PB16PB16_C, Do: bind.DotAccumulate(bind.Dot(alu.Dot2I32, alu.Parts16)), Chips: encoding.FromGfx908},
		{Op: 0x39, Name: "v_dot4c_i32_i8", Form: &vopB32_B32iB32i_CNoSDWA, Do: bind.DotAccumulate(bind.Dot(alu.Dot4I32, alu.Parts8)), Chips: encoding.FromGfx908},
		{Op: 0x3a, Name: "v_dot8c_i32_i4", Form: &vopB32_B32iB32i_CNoSDWA, Do: bind.DotAccumulate(bind.Dot(alu.Dot8I32, alu.Parts4)), Chips: encoding.FromGfx908},
		{Op: 0x3b, Name: "v_fmac_f32", Form: &vopF32_F32mF32m_CONoSDWA, Do: bind.Accumulate(alu.FmaF32, alu.F32, alu.F32), Chips: encoding.FromGfx906},
		{Op: 0x3c, Name: "v_pk_fmac_f16", Form: &vopPF16_PF16PF16, Do: bind.PkFmac(bind.PairsF16x3(alu.PkFmaF16)), Chips: encoding.FromGfx908},
		{Op: 0x3d, Name: "v_xnor_b32", Form: &vopB32_B32B32, Do: bind.BinaryU32(alu.XnorB32), Chips: encoding.FromGfx906},
	}
})
