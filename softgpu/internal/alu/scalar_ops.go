package alu

// And32 computes s_and_b32.
func And32(a, b uint32) uint32 { return a & b }

// Or32 computes s_or_b32.
func Or32(a, b uint32) uint32 { return a | b }

// Xor32 computes s_xor_b32.
func Xor32(a, b uint32) uint32 { return a ^ b }

// Andn232 computes s_andn2_b32.
func Andn232(a, b uint32) uint32 { return a &^ b }

// Orn232 computes s_orn2_b32.
func Orn232(a, b uint32) uint32 { return a | ^b }

// Nand32 computes s_nand_b32.
func Nand32(a, b uint32) uint32 { return ^(a & b) }

// Nor32 computes s_nor_b32.
func Nor32(a, b uint32) uint32 { return ^(a | b) }

// Xnor32 computes s_xnor_b32.
func Xnor32(a, b uint32) uint32 { return ^(a ^ b) }

// Lshl32 computes s_lshl_b32.
func Lshl32(a, b uint32) uint32 { return a << (b & 31) }

// Lshr32 computes s_lshr_b32.
func Lshr32(a, b uint32) uint32 { return a >> (b & 31) }

// Ashr32 computes s_ashr_i32.
func Ashr32(a, b uint32) uint32 { return uint32(int32(a) >> (b & 31)) }

// And64 computes s_and_b64 and s_and_saveexec_b64.
func And64(a, b uint64) uint64 { return a & b }

// Or64 computes s_or_b64 and s_or_saveexec_b64.
func Or64(a, b uint64) uint64 { return a | b }

// Xor64 computes s_xor_b64 and s_xor_saveexec_b64.
func Xor64(a, b uint64) uint64 { return a ^ b }

// Andn264 computes s_andn2_b64 and its like.
func Andn264(a, b uint64) uint64 { return a &^ b }

// Andn164 computes s_andn1_wrexec_b64 and s_andn1_saveexec_b64.
func Andn164(a, b uint64) uint64 { return b &^ a }

// Orn264 computes s_orn2_b64 and s_orn2_saveexec_b64.
func Orn264(a, b uint64) uint64 { return a | ^b }

// Orn164 computes s_orn1_saveexec_b64.
func Orn164(a, b uint64) uint64 { return b | ^a }

// Nand64 computes s_nand_b64 and s_nand_saveexec_b64.
func Nand64(a, b uint64) uint64 { return ^(a & b) }

// Nor64 computes s_nor_b64 and s_nor_saveexec_b64.
func Nor64(a, b uint64) uint64 { return ^(a | b) }

// Xnor64 computes s_xnor_b64 and s_xnor_saveexec_b64.
func Xnor64(a, b uint64) uint64 { return ^(a ^ b) }

// Lshl64 computes s_lshl_b64.
func Lshl64(a, b uint64) uint64 { return a << (b & 63) }

// Lshr64 computes s_lshr_b64.
func Lshr64(a, b uint64) uint64 { return a >> (b & 63) }

// Ashr64 computes s_ashr_i64.
func Ashr64(a, b uint64) uint64 { return uint64(int64(a) >> (b & 63)) }

// BfeS32 computes s_bfe_u32.
func BfeS32(a, b uint32) uint32 {
	at, width := b&31, b>>16&0x7f
	if width >= 32 {
		return a >> at
	}
	return a >> at & (1<<width - 1)
}

// BfeSI32 computes s_bfe_i32.
func BfeSI32(a, b uint32) uint32 {
	return uint32(signedField64(uint64(int64(int32(a))), b&31, b>>16&0x7f))
}

// BfeS64 computes s_bfe_u64.
func BfeS64(a, b uint64) uint64 {
	at, width := b&63, b>>16&0x7f
	if width >= 64 {
		return a >> at
	}
	return a >> at & (1<<width - 1)
}

// BfeSI64 computes s_bfe_i64.
func BfeSI64(a, b uint64) uint64 { return signedField64(a, uint32(b&63), uint32(b>>16&0x7f)) }

func signedField64(v uint64, at, width uint32) uint64 {
	v = uint64(int64(v) >> at)
	switch {
	case width == 0:
		return 0
	case width >= 64:
		return v
	}
	return uint64(int64(v<<(64-width)) >> (64 - width))
}

// AbsdiffI32 computes s_absdiff_i32.
func AbsdiffI32(a, b uint32) uint32 { return AbsI32(a - b) }

// AbsI32 is the magnitude of a signed number.
func AbsI32(a uint32) uint32 {
	s := uint32(int32(a) >> 31)
	return a ^ s - s
}
