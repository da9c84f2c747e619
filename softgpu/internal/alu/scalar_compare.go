package alu

// Eq32 is the relation of s_cmp_eq_i32 and its like.
func Eq32(a, b uint32) bool { return a == b }

// Ne32 is the relation of s_cmp_lg_u32 and its like.
func Ne32(a, b uint32) bool { return a != b }

// GtI32 is the relation of s_cmp_gt_i32 and s_cmpk_gt_i32.
func GtI32(a, b uint32) bool { return int32(a) > int32(b) }

// GeI32 is the relation of s_cmp_ge_i32 and s_cmpk_ge_i32.
func GeI32(a, b uint32) bool { return int32(a) >= int32(b) }

// LtI32 is the relation of s_cmp_lt_i32 and s_cmpk_lt_i32.
func LtI32(a, b uint32) bool { return int32(a) < int32(b) }

// LeI32 is the relation of s_cmp_le_i32 and s_cmpk_le_i32.
func LeI32(a, b uint32) bool { return int32(a) <= int32(b) }

// GtU32 is the relation of s_cmp_gt_u32 and s_cmpk_gt_u32.
func GtU32(a, b uint32) bool { return a > b }

// GeU32 is the relation of s_cmp_ge_u32 and s_cmpk_ge_u32.
func GeU32(a, b uint32) bool { return a >= b }

// LtU32 is the relation of s_cmp_lt_u32 and s_cmpk_lt_u32.
func LtU32(a, b uint32) bool { return a < b }

// LeU32 is the relation of s_cmp_le_u32 and s_cmpk_le_u32.
func LeU32(a, b uint32) bool { return a <= b }

// Ne64 is the relation of s_cmp_lg_u64.
func Ne64(a, b uint64) bool { return a != b }

// Bit0In32 is the relation of s_bitcmp0_b32.
func Bit0In32(a, b uint32) bool { return a>>(b&31)&1 == 0 }

// Bit1In32 is the relation of s_bitcmp1_b32.
func Bit1In32(a, b uint32) bool { return a>>(b&31)&1 != 0 }

// Bit0In64 is the relation of s_bitcmp0_b64.
func Bit0In64(a, b uint64) bool { return a>>(b&63)&1 == 0 }

// Bit1In64 is the relation of s_bitcmp1_b64.
func Bit1In64(a, b uint64) bool { return a>>(b&63)&1 != 0 }
