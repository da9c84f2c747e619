package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsSOPK are the scalar instructions with a 16-bit immediate.
var rowsSOPK = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "s_movk_i32", Form: &sopk1, Do: bind.Sopk(bind.SMovk)},
		{Op: 0x01, Name: "s_cmovk_i32", Form: &sopk1, Do: bind.Sopk(bind.SCmovk)},
		{Op: 0x02, Name: "s_cmpk_eq_i32", Form: &sopk_1, Do: bind.SopkCompare(alu.Eq32, false)},
		{Op: 0x03, Name: "s_cmpk_lg_i32", Form: &sopk_1, Do: bind.SopkCompare(alu.Ne32, false)},
		{Op: 0x04, Name: "s_cmpk_gt_i32", Form: &sopk_1, Do: bind.SopkCompare(alu.GtI32, false)},
		{Op: 0x05, Name: "s_cmpk_ge_i32", Form: &sopk_1, Do: bind.SopkCompare(alu.GeI32, false)},
		{Op: 0x06, Name: "s_cmpk_lt_i32", Form: &sopk_1, Do: bind.SopkCompare(alu.LtI32, false)},
		{Op: 0x07, Name: "s_cmpk_le_i32", Form: &sopk_1, Do: bind.SopkCompare(alu.LeI32, false)},
		{Op: 0x08, Name: "s_cmpk_eq_u32", Form: &sopk_1, Do: bind.SopkCompare(alu.Eq32, true)},
		{Op: 0x09, Name: "s_cmpk_lg_u32", Form: &sopk_1, Do: bind.SopkCompare(alu.Ne32, true)},
		{Op: 0x0a, Name: "s_cmpk_gt_u32", Form: &sopk_1, Do: bind.SopkCompare(alu.GtU32, true)},
		{Op: 0x0b, Name: "s_cmpk_ge_u32", Form: &sopk_1, Do: bind.SopkCompare(alu.GeU32, true)},
		{Op: 0x0c, Name: "s_cmpk_lt_u32", Form: &sopk_1, Do: bind.SopkCompare(alu.LtU32, true)},
		{Op: 0x0d, Name: "s_cmpk_le_u32", Form: &sopk_1, Do: bind.SopkCompare(alu.LeU32, true)},
		{Op: 0x0e, Name: "s_addk_i32", Form: &sopk1, Do: bind.Sopk(bind.SAddI32)},
		{Op: 0x0f, Name: "s_mulk_i32", Form: &sopk1, Do: bind.Sopk(bind.SMulk)},
		{Op: 0x10, Name: "s_cbranch_i_fork", Form: &sopkFork, Do: nil},
		{Op: 0x11, Name: "s_getreg_b32", Form: &sopkGet, Do: bind.GetReg, Fidelity: &place},
		{Op: 0x12, Name: "s_setreg_b32", Form: &sopkSet, Do: bind.SetReg},
		{Op: 0x14, Name: "s_setreg_imm32_b32", Form: &sopkSetImm, Do: bind.SetReg},
		{Op: 0x15, Name: "s_call_b64", Form: &sopkCall, Do: bind.Call},
	}
})
