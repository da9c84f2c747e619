package gcn

import "sync"

// rowsSOPC are the scalar compares; they set SCC.
var rowsSOPC = sync.OnceValue(func() []Row {
	return []Row{
		{Op: 0x00, Name: "s_cmp_eq_i32", Form: &sopc_11, Do: sopc(eq32)},
		{Op: 0x01, Name: "s_cmp_lg_i32", Form: &sopc_11, Do: sopc(ne32)},
		{Op: 0x02, Name: "s_cmp_gt_i32", Form: &sopc_11, Do: sopc(gtI32)},
		{Op: 0x03, Name: "s_cmp_ge_i32", Form: &sopc_11, Do: sopc(geI32)},
		{Op: 0x04, Name: "s_cmp_lt_i32", Form: &sopc_11, Do: sopc(ltI32)},
		{Op: 0x05, Name: "s_cmp_le_i32", Form: &sopc_11, Do: sopc(leI32)},
		{Op: 0x06, Name: "s_cmp_eq_u32", Form: &sopc_11, Do: sopc(eq32)},
		{Op: 0x07, Name: "s_cmp_lg_u32", Form: &sopc_11, Do: sopc(ne32)},
		{Op: 0x08, Name: "s_cmp_gt_u32", Form: &sopc_11, Do: sopc(gtU32)},
		{Op: 0x09, Name: "s_cmp_ge_u32", Form: &sopc_11, Do: sopc(geU32)},
		{Op: 0x0a, Name: "s_cmp_lt_u32", Form: &sopc_11, Do: sopc(ltU32)},
		{Op: 0x0b, Name: "s_cmp_le_u32", Form: &sopc_11, Do: sopc(leU32)},
		{Op: 0x0c, Name: "s_bitcmp0_b32", Form: &sopc_11, Do: sopc(bit0In32)},
		{Op: 0x0d, Name: "s_bitcmp1_b32", Form: &sopc_11, Do: sopc(bit1In32)},
		{Op: 0x0e, Name: "s_bitcmp0_b64", Form: &sop2_21, Do: sopcWide(bit0In64, u32)},
		{Op: 0x0f, Name: "s_bitcmp1_b64", Form: &sop2_21, Do: sopcWide(bit1In64, u32)},
		{Op: 0x10, Name: "s_setvskip", Form: &sopc_11, Do: nil},
		{Op: 0x11, Name: "s_set_gpr_idx_on", Form: &sopc_1Idx, Do: setGprIndex},
		{Op: 0x12, Name: "s_cmp_eq_u64", Form: &sop2_22, Do: sopcWide(sameS64, u64)},
		{Op: 0x13, Name: "s_cmp_lg_u64", Form: &sop2_22, Do: sopcWide(ne64, u64)},
	}
})
