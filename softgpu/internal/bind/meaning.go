package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Meanings by the types of their operands, for the rows.

// UnaryU32 binds v_not_b32 and its like.
func UnaryU32(k alu.Kernel1) encoding.Meaning { return Wave1(k, alu.U32, alu.U32) }

// BinaryU32 binds v_or_b32 and its like.
func BinaryU32(k alu.Kernel2) encoding.Meaning { return Wave2(k, alu.U32, alu.U32, alu.U32) }

// TempU32 binds v_bfe_u32 and its like.
func TempU32(k alu.TempKernel3) encoding.Meaning {
	return WaveTemp(k, alu.U32, alu.U32, alu.U32, alu.U32)
}

// TernaryU32 binds v_sad_u8 and its like.
func TernaryU32(k alu.Kernel3) encoding.Meaning { return Wave3(k, alu.U32, alu.U32, alu.U32, alu.U32) }

// UnaryF32 binds v_sin_f32 and its like.
func UnaryF32(k alu.Kernel1) encoding.Meaning { return Wave1(k, alu.F32, alu.F32) }

// BinaryF32 binds v_mul_f32 and its like.
func BinaryF32(k alu.Kernel2) encoding.Meaning { return Wave2(k, alu.F32, alu.F32, alu.F32) }

// TernaryF32 binds v_mad_f32 and its like.
func TernaryF32(k alu.Kernel3) encoding.Meaning { return Wave3(k, alu.F32, alu.F32, alu.F32, alu.F32) }

// BinaryU16 binds v_sub_u16 and its like.
func BinaryU16(k alu.Kernel2) encoding.Meaning { return Wave2(k, alu.U16, alu.U16, alu.U16) }

// BinaryI16 binds v_add_i16 and its like.
func BinaryI16(k alu.Kernel2) encoding.Meaning { return Wave2(k, alu.I16, alu.I16, alu.I16) }

// TernaryU16 binds v_mad_legacy_u16 and v_mad_legacy_i16.
func TernaryU16(k alu.Kernel3) encoding.Meaning { return Wave3(k, alu.U16, alu.U16, alu.U16, alu.U16) }

// TernaryI16 binds v_mad_legacy_i16.
func TernaryI16(k alu.Kernel3) encoding.Meaning { return Wave3(k, alu.I16, alu.I16, alu.I16, alu.I16) }

// PreserveU16 binds v_mad_i16 and v_mad_u16.
func PreserveU16(k alu.Kernel3) encoding.Meaning {
	return preserve(k, alu.U16, alu.U16, alu.U16, alu.U16)
}

// PreserveI16 binds v_mad_i16.
func PreserveI16(k alu.Kernel3) encoding.Meaning {
	return preserve(k, alu.I16, alu.I16, alu.I16, alu.I16)
}

// PreserveF16 binds v_fma_f16.
func PreserveF16(k alu.Kernel3) encoding.Meaning {
	return preserve(k, alu.F16, alu.F16, alu.F16, alu.F16)
}

// LanesF16 binds v_exp_f16 and its like.
func LanesF16(f func(a float32) float32) encoding.Meaning {
	return OfHalf(alu.OnF16(f), alu.F16, alu.F16)
}

// OfHalf makes a meaning of a function of 16 bits, and caches its results.
func OfHalf(f alu.LaneFunc, d, a alu.Kind) encoding.Meaning {
	return Wave1((&alu.HalfTable{Of: f}).Kernel, d, a)
}

// UnaryWide and BinaryWide make meanings of kernels for operands of which some have 64 bits.

// UnaryWide binds v_rsq_f64 and its like.
func UnaryWide(k alu.WideKernel1, d, a alu.Kind) encoding.Meaning {
	return WaveWide(func(dl, dh, al, ah, _, _, _, _ *alu.Lanes) { k(dl, dh, al, ah) }, d, a)
}

// BinaryWide binds v_max_f64 and its like.
func BinaryWide(k alu.WideKernel2, d, a, b alu.Kind) encoding.Meaning {
	return WaveWide(func(dl, dh, al, ah, bl, bh, _, _ *alu.Lanes) { k(dl, dh, al, ah, bl, bh) }, d, a, b)
}

// PairsOf2 and PairsOf3 make meanings of kernels on both halves of integers; limited is
// for instructions with the clamp bit.

// PairsOf2 binds v_pk_sub_i16 and its like.
func PairsOf2(k, limited alu.Kernel2) encoding.Meaning {
	return Saturating(func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pu16, 2).step2(k) }, func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pu16, 2).step2(limited) })
}

// PairsOf3 binds v_pk_mad_i16 and v_pk_mad_u16.
func PairsOf3(k, limited alu.Kernel3) encoding.Meaning {
	return Saturating(func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pu16, 3).step3(k) }, func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pu16, 3).step3(limited) })
}
