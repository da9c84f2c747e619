package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsSOPC are the scalar compares; they set SCC.
var rowsSOPC = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "s_cmp_eq_i32", Form: &sopc_11, Do: bind.Sopc(alu.Eq32)},
		{Op: 0x01, Name: "s_cmp_lg_i32", Form: &sopc_11, Do: bind.Sopc(alu.Ne32)},
		{Op: 0x02, Name: "s_cmp_gt_i32", Form: &sopc_11, Do: bind.Sopc(alu.GtI32)},
		{Op: 0x03, Name: "s_cmp_ge_i32", Form: &sopc_11, Do: bind.Sopc(alu.GeI32)},
		{Op: 0x04, Name: "s_cmp_lt_i32", Form: &sopc_11, Do: bind.Sopc(alu.LtI32)},
		{Op: 0x05, Name: "s_cmp_le_i32", Form: &sopc_11, Do: bind.Sopc(alu.LeI32)},
		{Op: 0x06, Name: "s_cmp_eq_u32", Form: &sopc_11, Do: bind.Sopc(alu.Eq32)},
		{Op: 0x07, Name: "s_cmp_lg_u32", Form: &sopc_11, Do: bind.Sopc(alu.Ne32)},
		{Op: 0x08, Name: "s_cmp_gt_u32", Form: &sopc_11, Do: bind.Sopc(alu.GtU32)},
		{Op: 0x09, Name: "s_cmp_ge_u32", Form: &sopc_11, Do: bind.Sopc(alu.GeU32)},
		{Op: 0x0a, Name: "s_cmp_lt_u32", Form: &sopc_11, Do: bind.Sopc(alu.LtU32)},
		{Op: 0x0b, Name: "s_cmp_le_u32", Form: &sopc_11, Do: bind.Sopc(alu.LeU32)},
		{Op: 0x0c, Name: "s_bitcmp0_b32", Form: &sopc_11, Do: bind.Sopc(alu.Bit0In32)},
		{Op: 0x0d, Name: "s_bitcmp1_b32", Form: &sopc_11, Do: bind.Sopc(alu.Bit1In32)},
		{Op: 0x0e, Name: "s_bitcmp0_b64", Form: &sop2_21, Do: bind.SopcWide(alu.Bit0In64, alu.U32)},
		{Op: 0x0f, Name: "s_bitcmp1_b64", Form: &sop2_21, Do: bind.SopcWide(alu.Bit1In64, alu.U32)},
		{Op: 0x10, Name: "s_setvskip", Form: &sopc_11, Do: nil},
		{Op: 0x11, Name: "s_set_gpr_idx_on", Form: &sopc_1Idx, Do: bind.SetGPRIndex},
		{Op: 0x12, Name: "s_cmp_eq_u64", Form: &sop2_22, Do: bind.SopcWide(alu.SameS64, alu.U64)},
		{Op: 0x13, Name: "s_cmp_lg_u64", Form: &sop2_22, Do: bind.SopcWide(alu.Ne64, alu.U64)},
	}
})
