package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// rowsMFMA are the matrix instructions, numbered in VOP3P. gfx942 gave them
// other names, and some of their numbers other meanings.
var rowsMFMA = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		matrixRow(0x2d, "v_mfma_f32_16x16x128_f8f6f4", matrix.Shape{M: 16, N: 16, K: 128, Blocks: 1, A: matrix.EntryMixed, B: matrix.EntryMixed}, encoding.OnGfx950),
		matrixRow(0x2e, "v_mfma_f32_32x32x64_f8f6f4", matrix.Shape{M: 32, N: 32, K: 64, Blocks: 1, A: matrix.EntryMixed, B: matrix.EntryMixed}, encoding.OnGfx950),
		matrixRow(0x35, "v_mfma_f32_16x16x32_bf16", matrix.Shape{M: 16, N: 16, K: 32, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx950),
		matrixRow(0x36, "v_mfma_i32_16x16x64_i8", matrix.Shape{M: 16, N: 16, K: 64, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.OnGfx950),
		matrixRow(0x37, "v_mfma_f32_32x32x16_bf16", matrix.Shape{M: 32, N: 32, K: 16, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx950),
		matrixRow(0x38, "v_mfma_i32_32x32x32_i8", matrix.Shape{M: 32, N: 32, K: 32, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.OnGfx950),
		matrixRow(0x39, "v_smfmac_f32_16x16x64_bf16", matrix.Shape{M: 16, N: 16, K: 64, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x3a, "v_smfmac_i32_16x16x128_i8", matrix.Shape{M: 16, N: 16, K: 128, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x3b, "v_smfmac_f32_16x16x128_bf8_bf8", matrix.Shape{M: 16, N: 16, K: 128, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryBF8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x3c, "v_smfmac_f32_16x16x128_bf8_fp8", matrix.Shape{M: 16, N: 16, K: 128, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryFP8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x3d, "v_smfmac_f32_16x16x128_fp8_bf8", matrix.Shape{M: 16, N: 16, K: 128, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryBF8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x3e, "v_mfma_f32_16x16x8_xf32", matrix.Shape{M: 16, N: 16, K: 8, Blocks: 1, A: matrix.EntryXF32, B: matrix.EntryXF32}, encoding.OnGfx942),
		matrixRow(0x3f, "v_mfma_f32_32x32x4_xf32", matrix.Shape{M: 32, N: 32, K: 4, Blocks: 1, A: matrix.EntryXF32, B: matrix.EntryXF32}, encoding.OnGfx942),
		matrixRow(0x40, "v_mfma_f32_32x32x1f32", matrix.Shape{M: 32, N: 32, K: 1, Blocks: 2, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x40, "v_mfma_f32_32x32x1_2b_f32", matrix.Shape{M: 32, N: 32, K: 1, Blocks: 2, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.FromGfx942),
		matrixRow(0x41, "v_mfma_f32_16x16x1f32", matrix.Shape{M: 16, N: 16, K: 1, Blocks: 4, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x41, "v_mfma_f32_16x16x1_4b_f32", matrix.Shape{M: 16, N: 16, K: 1, Blocks: 4, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.FromGfx942),
		matrixRow(0x42, "v_mfma_f32_4x4x1f32", matrix.Shape{M: 4, N: 4, K: 1, Blocks: 16, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x42, "v_mfma_f32_4x4x1_16b_f32", matrix.Shape{M: 4, N: 4, K: 1, Blocks: 16, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.FromGfx942),
		matrixRow(0x43, "v_smfmac_f32_16x16x128_fp8_fp8", matrix.Shape{M: 16, N: 16, K: 128, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryFP8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x44, "v_mfma_f32_32x32x2f32", matrix.Shape{M: 32, N: 32, K: 2, Blocks: 1, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x44, "v_mfma_f32_32x32x2_f32", matrix.Shape{M: 32, N: 32, K: 2, Blocks: 1, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.FromGfx942),
		matrixRow(0x45, "v_mfma_f32_16x16x4f32", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 1, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x45, "v_mfma_f32_16x16x4_f32", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 1, A: matrix.EntryF32, B: matrix.EntryF32}, encoding.FromGfx942),
		matrixRow(0x46, "v_smfmac_f32_32x32x32_bf16", matrix.Shape{M: 32, N: 32, K: 32, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x47, "v_smfmac_i32_32x32x64_i8", matrix.Shape{M: 32, N: 32, K: 64, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x48, "v_mfma_f32_32x32x4f16", matrix.Shape{M: 32, N: 32, K: 4, Blocks: 2, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x48, "v_mfma_f32_32x32x4_2b_f16", matrix.Shape{M: 32, N: 32, K: 4, Blocks: 2, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.FromGfx942),
		matrixRow(0x49, "v_mfma_f32_16x16x4f16", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 4, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x49, "v_mfma_f32_16x16x4_4b_f16", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 4, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.FromGfx942),
		matrixRow(0x4a, "v_mfma_f32_4x4x4f16", matrix.Shape{M: 4, N: 4, K: 4, Blocks: 16, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x4a, "v_mfma_f32_4x4x4_16b_f16", matrix.Shape{M: 4, N: 4, K: 4, Blocks: 16, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.FromGfx942),
		matrixRow(0x4b, "v_smfmac_f32_32x32x64_bf8_bf8", matrix.Shape{M: 32, N: 32, K: 64, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryBF8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x4c, "v_mfma_f32_32x32x8f16", matrix.Shape{M: 32, N: 32, K: 8, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x4c, "v_mfma_f32_32x32x8_f16", matrix.Shape{M: 32, N: 32, K: 8, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.FromGfx942),
		matrixRow(0x4d, "v_mfma_f32_16x16x16f16", matrix.Shape{M: 16, N: 16, K: 16, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x4d, "v_mfma_f32_16x16x16_f16", matrix.Shape{M: 16, N: 16, K: 16, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.FromGfx942),
		matrixRow(0x4e, "v_smfmac_f32_32x32x64_bf8_fp8", matrix.Shape{M: 32, N: 32, K: 64, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryFP8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x4f, "v_smfmac_f32_32x32x64_fp8_bf8", matrix.Shape{M: 32, N: 32, K: 64, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryBF8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x50, "v_mfma_i32_32x32x4i8", matrix.Shape{M: 32, N: 32, K: 4, Blocks: 2, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x50, "v_mfma_i32_32x32x4_2b_i8", matrix.Shape{M: 32, N: 32, K: 4, Blocks: 2, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.FromGfx942),
		matrixRow(0x51, "v_mfma_i32_16x16x4i8", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 4, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x51, "v_mfma_i32_16x16x4_4b_i8", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 4, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.FromGfx942),
		matrixRow(0x52, "v_mfma_i32_4x4x4i8", matrix.Shape{M: 4, N: 4, K: 4, Blocks: 16, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x52, "v_mfma_i32_4x4x4_16b_i8", matrix.Shape{M: 4, N: 4, K: 4, Blocks: 16, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.FromGfx942),
		matrixRow(0x53, "v_smfmac_f32_32x32x64_fp8_fp8", matrix.Shape{M: 32, N: 32, K: 64, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryFP8, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x54, "v_mfma_f32_16x16x32_f16", matrix.Shape{M: 16, N: 16, K: 32, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.OnGfx950),
		matrixRow(0x54, "v_mfma_i32_32x32x8i8", matrix.Shape{M: 32, N: 32, K: 8, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x55, "v_mfma_f32_32x32x16_f16", matrix.Shape{M: 32, N: 32, K: 16, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16}, encoding.OnGfx950),
		matrixRow(0x55, "v_mfma_i32_16x16x16i8", matrix.Shape{M: 16, N: 16, K: 16, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x56, "v_mfma_i32_32x32x16_i8", matrix.Shape{M: 32, N: 32, K: 16, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.FromGfx942),
		matrixRow(0x57, "v_mfma_i32_16x16x32_i8", matrix.Shape{M: 16, N: 16, K: 32, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8}, encoding.FromGfx942),
		matrixRow(0x5a, "v_smfmac_f32_16x16x64_f16", matrix.Shape{M: 16, N: 16, K: 64, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x5b, "v_smfmac_f32_32x32x32_f16", matrix.Shape{M: 32, N: 32, K: 32, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16, Sparse: true}, encoding.OnGfx950),
		matrixRow(0x5d, "v_mfma_f32_32x32x4_2b_bf16", matrix.Shape{M: 32, N: 32, K: 4, Blocks: 2, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.FromGfx942),
		matrixRow(0x5e, "v_mfma_f32_16x16x4_4b_bf16", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 4, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.FromGfx942),
		matrixRow(0x5f, "v_mfma_f32_4x4x4_16b_bf16", matrix.Shape{M: 4, N: 4, K: 4, Blocks: 16, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.FromGfx942),
		matrixRow(0x60, "v_mfma_f32_32x32x8_bf16", matrix.Shape{M: 32, N: 32, K: 8, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.FromGfx942),
		matrixRow(0x61, "v_mfma_f32_16x16x16_bf16", matrix.Shape{M: 16, N: 16, K: 16, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.FromGfx942),
		matrixRow(0x62, "v_smfmac_f32_16x16x32_f16", matrix.Shape{M: 16, N: 16, K: 32, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x63, "v_mfma_f32_32x32x4bf16_1k", matrix.Shape{M: 32, N: 32, K: 4, Blocks: 2, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx90a),
		matrixRow(0x64, "v_mfma_f32_16x16x4bf16_1k", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 4, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx90a),
		matrixRow(0x64, "v_smfmac_f32_32x32x16_f16", matrix.Shape{M: 32, N: 32, K: 16, Blocks: 1, A: matrix.EntryF16, B: matrix.EntryF16, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x65, "v_mfma_f32_4x4x4bf16_1k", matrix.Shape{M: 4, N: 4, K: 4, Blocks: 16, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx90a),
		matrixRow(0x66, "v_mfma_f32_32x32x8bf16_1k", matrix.Shape{M: 32, N: 32, K: 8, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx90a),
		matrixRow(0x66, "v_smfmac_f32_16x16x32_bf16", matrix.Shape{M: 16, N: 16, K: 32, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x67, "v_mfma_f32_16x16x16bf16_1k", matrix.Shape{M: 16, N: 16, K: 16, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx90a),
		matrixRow(0x68, "v_mfma_f32_32x32x2bf16", matrix.Shape{M: 32, N: 32, K: 2, Blocks: 2, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x68, "v_smfmac_f32_32x32x16_bf16", matrix.Shape{M: 32, N: 32, K: 16, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x69, "v_mfma_f32_16x16x2bf16", matrix.Shape{M: 16, N: 16, K: 2, Blocks: 4, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x6a, "v_smfmac_i32_16x16x64_i8", matrix.Shape{M: 16, N: 16, K: 64, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x6b, "v_mfma_f32_4x4x2bf16", matrix.Shape{M: 4, N: 4, K: 2, Blocks: 16, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x6c, "v_mfma_f32_32x32x4bf16", matrix.Shape{M: 32, N: 32, K: 4, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x6c, "v_smfmac_i32_32x32x32_i8", matrix.Shape{M: 32, N: 32, K: 32, Blocks: 1, A: matrix.EntryI8, B: matrix.EntryI8, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x6d, "v_mfma_f32_16x16x8bf16", matrix.Shape{M: 16, N: 16, K: 8, Blocks: 1, A: matrix.EntryBF16, B: matrix.EntryBF16}, encoding.OnGfx908|encoding.OnGfx90a),
		matrixRow(0x6e, "v_mfma_f64_16x16x4f64", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 1, A: matrix.EntryF64, B: matrix.EntryF64}, encoding.OnGfx90a),
		matrixRow(0x6e, "v_mfma_f64_16x16x4_f64", matrix.Shape{M: 16, N: 16, K: 4, Blocks: 1, A: matrix.EntryF64, B: matrix.EntryF64}, encoding.FromGfx942),
		matrixRow(0x6f, "v_mfma_f64_4x4x4f64", matrix.Shape{M: 4, N: 4, K: 4, Blocks: 4, A: matrix.EntryF64, B: matrix.EntryF64}, encoding.OnGfx90a),
		matrixRow(0x6f, "v_mfma_f64_4x4x4_4b_f64", matrix.Shape{M: 4, N: 4, K: 4, Blocks: 4, A: matrix.EntryF64, B: matrix.EntryF64}, encoding.FromGfx942),
		matrixRow(0x70, "v_mfma_f32_16x16x32_bf8_bf8", matrix.Shape{M: 16, N: 16, K: 32, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryBF8}, encoding.FromGfx942),
		matrixRow(0x71, "v_mfma_f32_16x16x32_bf8_fp8", matrix.Shape{M: 16, N: 16, K: 32, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryFP8}, encoding.FromGfx942),
		matrixRow(0x72, "v_mfma_f32_16x16x32_fp8_bf8", matrix.Shape{M: 16, N: 16, K: 32, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryBF8}, encoding.FromGfx942),
		matrixRow(0x73, "v_mfma_f32_16x16x32_fp8_fp8", matrix.Shape{M: 16, N: 16, K: 32, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryFP8}, encoding.FromGfx942),
		matrixRow(0x74, "v_mfma_f32_32x32x16_bf8_bf8", matrix.Shape{M: 32, N: 32, K: 16, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryBF8}, encoding.FromGfx942),
		matrixRow(0x75, "v_mfma_f32_32x32x16_bf8_fp8", matrix.Shape{M: 32, N: 32, K: 16, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryFP8}, encoding.FromGfx942),
		matrixRow(0x76, "v_mfma_f32_32x32x16_fp8_bf8", matrix.Shape{M: 32, N: 32, K: 16, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryBF8}, encoding.FromGfx942),
		matrixRow(0x77, "v_mfma_f32_32x32x16_fp8_fp8", matrix.Shape{M: 32, N: 32, K: 16, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryFP8}, encoding.FromGfx942),
		matrixRow(0x78, "v_smfmac_f32_16x16x64_bf8_bf8", matrix.Shape{M: 16, N: 16, K: 64, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryBF8, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x79, "v_smfmac_f32_16x16x64_bf8_fp8", matrix.Shape{M: 16, N: 16, K: 64, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryFP8, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x7a, "v_smfmac_f32_16x16x64_fp8_bf8", matrix.Shape{M: 16, N: 16, K: 64, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryBF8, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x7b, "v_smfmac_f32_16x16x64_fp8_fp8", matrix.Shape{M: 16, N: 16, K: 64, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryFP8, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x7c, "v_smfmac_f32_32x32x32_bf8_bf8", matrix.Shape{M: 32, N: 32, K: 32, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryBF8, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x7d, "v_smfmac_f32_32x32x32_bf8_fp8", matrix.Shape{M: 32, N: 32, K: 32, Blocks: 1, A: matrix.EntryBF8, B: matrix.EntryFP8, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x7e, "v_smfmac_f32_32x32x32_fp8_bf8", matrix.Shape{M: 32, N: 32, K: 32, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryBF8, Sparse: true}, encoding.FromGfx942),
		matrixRow(0x7f, "v_smfmac_f32_32x32x32_fp8_fp8", matrix.Shape{M: 32, N: 32, K: 32, Blocks: 1, A: matrix.EntryFP8, B: matrix.EntryFP8, Sparse: true}, encoding.FromGfx942),
	}
})

// rowsScaled are the matrix instructions with scales, numbered as those without.
var rowsScaled = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		matrixRow(0x2d, "v_mfma_scale_f32_16x16x128_f8f6f4", matrix.Shape{M: 16, N: 16, K: 128, Blocks: 1, A: matrix.EntryMixed, B: matrix.EntryMixed}, encoding.OnGfx950),
		matrixRow(0x2e, "v_mfma_scale_f32_32x32x64_f8f6f4", matrix.Shape{M: 32, N: 32, K: 64, Blocks: 1, A: matrix.EntryMixed, B: matrix.EntryMixed}, encoding.OnGfx950),
	}
})

// matrixRow makes a row; the widths of its operands follow from its shape.
func matrixRow(op uint16, name string, s matrix.Shape, chips encoding.Chips) encoding.Row {
	a, b, d := s.Registers()
	in, out := encoding.Bits32, encoding.Float32
	if s.A == matrix.EntryF64 {
		in, out = encoding.Float64, encoding.Float64
	}
	f := &encoding.Form{
		Dst:   encoding.Slot{Class: encoding.VectorOnly, Width: d, Type: out, Mods: encoding.NoMods, Place: encoding.Implied},
		Src:   [4]encoding.Slot{{Class: encoding.VectorOnly, Width: a, Type: in, Mods: encoding.NoMods, Place: encoding.Implied}, {Class: encoding.VectorOnly, Width: b, Type: in, Mods: encoding.NoMods, Place: encoding.Implied}, {Class: encoding.AnySrc, Width: d, Type: out, Mods: encoding.NoMods, Place: encoding.Implied}},
		Flags: encoding.Matrix,
	}
	switch {
	case s.Sparse:
		f.Src[2] = encoding.Slot{Class: encoding.VectorOnly, Width: 1, Type: encoding.Bits32, Mods: encoding.NoMods, Place: encoding.Implied}
		f.Flags |= encoding.Sparse
	case s.A == matrix.EntryF64:
		f.Flags |= encoding.MatrixNeg
	case s.A == matrix.EntryMixed:
		f.Flags |= encoding.MatrixFormats
	}
	return encoding.Row{Op: op, Name: name, Form: f, Do: bind.MFMA(s), Chips: chips, Fidelity: fidelityOf(&s)}
}
