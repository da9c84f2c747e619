package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsSOP1 are the scalar instructions of one source.
var rowsSOP1 = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "s_mov_b32", Form: &sop11_1, Do: bind.Sop1(bind.SMov32)},
		{Op: 0x01, Name: "s_mov_b64", Form: &sop12_2, Do: bind.Sop1wide(bind.SMov64)},
		{Op: 0x02, Name: "s_cmov_b32", Form: &sop11_1, Do: bind.SCmov32},
		{Op: 0x03, Name: "s_cmov_b64", Form: &sop12_2, Do: bind.SCmov64},
		{Op: 0x04, Name: "s_not_b32", Form: &sop11_1, Do: bind.Sop1(bind.SNot32)},
		{Op: 0x05, Name: "s_not_b64", Form: &sop12_2, Do: bind.Sop1wide(bind.SNot64)},
		{Op: 0x06, Name: "s_wqm_b32", Form: &sop11_1, Do: bind.Sop1(bind.SUnary32(alu.WholeQuads))},
		{Op: 0x07, Name: "s_wqm_b64", Form: &sop12_2, Do: bind.Sop1wide(bind.SUnary64(alu.WholeQuads))},
		{Op: 0x08, Name: "s_brev_b32", Form: &sop11_1, Do: bind.Sop1(bind.SBrev32)},
		{Op: 0x09, Name: "s_brev_b64", Form: &sop12_2, Do: bind.Sop1wide(bind.SBrev64)},
		{Op: 0x0a, Name: "s_bcnt0_i32_b32", Form: &sop11_1, Do: bind.Sop1(bind.SBcnt032)},
		{Op: 0x0b, Name: "s_bcnt0_i32_b64", Form: &sop11_2, Do: bind.Sop1narrow(bind.SBcnt064, alu.U64)},
		{Op: 0x0c, Name: "s_bcnt1_i32_b32", Form: &sop11_1, Do: bind.Sop1(bind.SBcnt132)},
		{Op: 0x0d, Name: "s_bcnt1_i32_b64", Form: &sop11_2, Do: bind.Sop1narrow(bind.SBcnt, alu.U64)},
		{Op: 0x0e, Name: "s_ff0_i32_b32", Form: &sop11_1, Do: bind.Sop1(bind.SFF032)},
		{Op: 0x0f, Name: "s_ff0_i32_b64", Form: &sop11_2, Do: bind.Sop1narrow(bind.SFF064, alu.U64)},
		{Op: 0x10, Name: "s_ff1_i32_b32", Form: &sop11_1, Do: bind.Sop1(bind.SFF132)},
		{Op: 0x11, Name: "s_ff1_i32_b64", Form: &sop11_2, Do: bind.Sop1narrow(bind.SFF164, alu.U64)},
		{Op: 0x12, Name: "s_flbit_i32_b32", Form: &sop11_1, Do: bind.Sop1(bind.SFlbit32)},
		{Op: 0x13, Name: "s_flbit_i32_b64", Form: &sop11_2, Do: bind.Sop1narrow(bind.SFlbit64, alu.U64)},
		{Op: 0x14, Name: "s_flbit_i32", Form: &sop11_1, Do: bind.Sop1(bind.SFlbitI32)},
		{Op: 0x15, Name: "s_flbit_i32_i64", Form: &sop11_2, Do: bind.Sop1narrow(bind.SFlbitI64, alu.I64)},
		{Op: 0x16, Name: "s_sext_i32_i8", Form: &sop11_1, Do: bind.Sop1(bind.SSextI8)},
		{Op: 0x17, Name: "s_sext_i32_i16", Form: &sop11_1, Do: bind.Sop1(bind.SSextI16)},
		{Op: 0x18, Name: "s_bitset0_b32", Form: &sop11_1, Do: bind.SBitset(false, false)},
		{Op: 0x19, Name: "s_bitset0_b64", Form: &sop12_1, Do: bind.SBitset(false, true)},
		{Op: 0x1a, Name: "s_bitset1_b32", Form: &sop11_1, Do: bind.SBitset(true, false)},
		{Op: 0x1b, Name: "s_bitset1_b64", Form: &sop12_1, Do: bind.SBitset(true, true)},
		{Op: 0x1c, Name: "s_getpc_b64", Form: &sop12, Do: bind.GetPC},
		{Op: 0x1d, Name: "s_setpc_b64", Form: &sop1_R2, Do: bind.SetPC},
		{Op: 0x1e, Name: "s_swappc_b64", Form: &sop12_2, Do: bind.SwapPC},
		{Op: 0x1f, Name: "s_rfe_b64", Form: &sop1_R2, Do: nil},
		{Op: 0x20, Name: "s_and_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.And64, false)},
		{Op: 0x21, Name: "s_or_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Or64, false)},
		{Op: 0x22, Name: "s_xor_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Xor64, false)},
		{Op: 0x23, Name: "s_andn2_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Andn264, false)},
		{Op: 0x24, Name: "s_orn2_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Orn264, false)},
		{Op: 0x25, Name: "s_nand_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Nand64, false)},
		{Op: 0x26, Name: "s_nor_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Nor64, false)},
		{Op: 0x27, Name: "s_xnor_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Xnor64, false)},
		{Op: 0x28, Name: "s_quadmask_b32", Form: &sop11_1, Do: bind.Sop1(bind.SUnary32(alu.QuadMask))},
		{Op: 0x29, Name: "s_quadmask_b64", Form: &sop12_2, Do: bind.Sop1wide(bind.SUnary64(alu.QuadMask))},
		{Op: 0x2a, Name: "s_movrels_b32", Form: &sop11_R1, Do: bind.MoveScalarFrom(false)},
		{Op: 0x2b, Name: "s_movrels_b64", Form: &sop12_R2, Do: bind.MoveScalarFrom(true)},
		{Op: 0x2c, Name: "s_movreld_b32", Form: &sop11_1, Do: bind.MoveScalarTo(false)},
		{Op: 0x2d, Name: "s_movreld_b64", Form: &sop12_2, Do: bind.MoveScalarTo(true)},
		{Op: 0x2e, Name: "s_cbranch_join", Form: &sop1_R1, Do: nil},
		{Op: 0x30, Name: "s_abs_i32", Form: &sop11_1, Do: bind.Sop1(bind.SAbsI32)},
		{Op: 0x32, Name: "s_set_gpr_idx_idx", Form: &sop1_1, Do: bind.GPRIndexSet},
		{Op: 0x33, Name: "s_andn1_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Andn164, false)},
		{Op: 0x34, Name: "s_orn1_saveexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Orn164, false)},
		{Op: 0x35, Name: "s_andn1_wrexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Andn164, true)},
		{Op: 0x36, Name: "s_andn2_wrexec_b64", Form: &sop12_2, Do: bind.SaveExec(alu.Andn264, true)},
		{Op: 0x37, Name: "s_bitreplicate_b64_b32", Form: &sop12_1, Do: bind.SBitreplicate},
	}
})
