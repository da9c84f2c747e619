package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsSOP2 are the scalar instructions of two sources.
var rowsSOP2 = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "s_add_u32", Form: &sop21_11, Do: bind.Sop2(bind.SAddU32)},
		{Op: 0x01, Name: "s_sub_u32", Form: &sop21_11, Do: bind.Sop2(bind.SSubU32)},
		{Op: 0x02, Name: "s_add_i32", Form: &sop21_11, Do: bind.Sop2(bind.SAddI32)},
		{Op: 0x03, Name: "s_sub_i32", Form: &sop21_11, Do: bind.Sop2(bind.SSubI32)},
		{Op: 0x04, Name: "s_addc_u32", Form: &sop21_11, Do: bind.Sop2(bind.SAddcU32)},
		{Op: 0x05, Name: "s_subb_u32", Form: &sop21_11, Do: bind.Sop2(bind.SSubbU32)},
		{Op: 0x06, Name: "s_min_i32", Form: &sop21_11, Do: bind.Sop2(bind.SMinI32)},
		{Op: 0x07, Name: "s_min_u32", Form: &sop21_11, Do: bind.Sop2(bind.SMinU32)},
		{Op: 0x08, Name: "s_max_i32", Form: &sop21_11, Do: bind.Sop2(bind.SMaxI32)},
		{Op: 0x09, Name: "s_max_u32", Form: &sop21_11, Do: bind.Sop2(bind.SMaxU32)},
		{Op: 0x0a, Name: "s_cselect_b32", Form: &sop21_11, Do: bind.Sop2(bind.SCselect32)},
		{Op: 0x0b, Name: "s_cselect_b64", Form: &sop22_22, Do: bind.Sop2wide(bind.SCselect64, alu.U64, alu.U64)},
		{Op: 0x0c, Name: "s_and_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.And32))},
		{Op: 0x0d, Name: "s_and_b64", Form: &sop22_22, Do: bind.Sop2wide(bind.SccNonzero64(alu.And64), alu.U64, alu.U64)},
		{Op: 0x0e, Name: "s_or_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Or32))},
		{Op: 0x0f, Name: "s_or_b64", Form: &sop22_22, Do: bind.Sop2wide(bind.SccNonzero64(alu.Or64), alu.U64, alu.U64)},
		{Op: 0x10, Name: "s_xor_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Xor32))},
		{Op: 0x11, Name: "s_xor_b64", Form: &sop22_22, Do: bind.Sop2wide(bind.SccNonzero64(alu.Xor64), alu.U64, alu.U64)},
		{Op: 0x12, Name: "s_andn2_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Andn232))},
		{Op: 0x13, Name: "s_andn2_b64", Form: &sop22_22, Do: bind.Sop2wide(bind.SccNonzero64(alu.Andn264), alu.U64, alu.U64)},
		{Op: 0x14, Name: "s_orn2_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Orn232))},
		{Op: 0x15, Name: "s_orn2_b64", Form: &sop22_22, Do: bind.Sop2wide(bind.SccNonzero64(alu.Orn264), alu.U64, alu.U64)},
		{Op: 0x16, Name: "s_nand_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Nand32))},
		{Op: 0x17, Name: "s_nand_b64", Form: &sop22_22, Do: bind.Sop2wide(bind.SccNonzero64(alu.Nand64), alu.U64, alu.U64)},
		{Op: 0x18, Name: "s_nor_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Nor32))},
		{Op: 0x19, Name: "s_nor_b64", Form: &sop22_22, Do: bind.Sop2wide(bind.SccNonzero64(alu.Nor64), alu.U64, alu.U64)},
		{Op: 0x1a, Name: "s_xnor_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Xnor32))},
		{Op: 0x1b, Name: "s_xnor_b64", Form: &sop22_22, Do: bind.Sop2wide(bind.SccNonzero64(alu.Xnor64), alu.U64, alu.U64)},
		{Op: 0x1c, Name: "s_lshl_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Lshl32))},
		{Op: 0x1d, Name: "s_lshl_b64", Form: &sop22_21, Do: bind.Sop2wide(bind.SccNonzero64(alu.Lshl64), alu.U64, alu.U32)},
		{Op: 0x1e, Name: "s_lshr_b32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Lshr32))},
		{Op: 0x1f, Name: "s_lshr_b64", Form: &sop22_21, Do: bind.Sop2wide(bind.SccNonzero64(alu.Lshr64), alu.U64, alu.U32)},
		{Op: 0x20, Name: "s_ashr_i32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.Ashr32))},
		{Op: 0x21, Name: "s_ashr_i64", Form: &sop22_21, Do: bind.Sop2wide(bind.SccNonzero64(alu.Ashr64), alu.I64, alu.U32)},
		{Op: 0x22, Name: "s_bfm_b32", Form: &sop21_11, Do: bind.Sop2(bind.BfmS32)},
		{Op: 0x23, Name: "s_bfm_b64", Form: &sop22_11, Do: bind.Sop2wide(bind.BfmS64, alu.U32, alu.U32)},
		{Op: 0x24, Name: "s_mul_i32", Form: &sop21_11, Do: bind.Sop2(bind.SMulI32)},
		{Op: 0x25, Name: "s_bfe_u32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.BfeS32))},
		{Op: 0x26, Name: "s_bfe_i32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.BfeSI32))},
		{Op: 0x27, Name: "s_bfe_u64", Form: &sop22_21, Do: bind.Sop2wide(bind.SccNonzero64(alu.BfeS64), alu.U64, alu.U32)},
		{Op: 0x28, Name: "s_bfe_i64", Form: &sop22_21, Do: bind.Sop2wide(bind.SccNonzero64(alu.BfeSI64), alu.I64, alu.U32)},
		{Op: 0x29, Name: "s_cbranch_g_fork", Form: &sop2_22, Do: nil},
		{Op: 0x2a, Name: "s_absdiff_i32", Form: &sop21_11, Do: bind.Sop2(bind.SccNonzero(alu.AbsdiffI32))},
		{Op: 0x2b, Name: "s_rfe_restore_b64", Form: &sop2_21, Do: nil},
		{Op: 0x2c, Name: "s_mul_hi_u32", Form: &sop21_11, Do: bind.Sop2(bind.SMulHiU32)},
		{Op: 0x2d, Name: "s_mul_hi_i32", Form: &sop21_11, Do: bind.Sop2(bind.SMulHiI32)},
		{Op: 0x2e, Name: "s_lshl1_add_u32", Form: &sop21_11, Do: bind.Sop2(bind.SLshlAdd(1))},
		{Op: 0x2f, Name: "s_lshl2_add_u32", Form: &sop21_11, Do: bind.Sop2(bind.SLshlAdd(2))},
		{Op: 0x30, Name: "s_lshl3_add_u32", Form: &sop21_11, Do: bind.Sop2(bind.SLshlAdd(3))},
		{Op: 0x31, Name: "s_lshl4_add_u32", Form: &sop21_11, Do: bind.Sop2(bind.SLshlAdd(4))},
		{Op: 0x32, Name: "s_pack_ll_b32_b16", Form: &sop21_11, Do: bind.Sop2(bind.SPackLL)},
		{Op: 0x33, Name: "s_pack_lh_b32_b16", Form: &sop21_11, Do: bind.Sop2(bind.SPackLH)},
		{Op: 0x34, Name: "s_pack_hh_b32_b16", Form: &sop21_11, Do: bind.Sop2(bind.SPackHH)},
	}
})
