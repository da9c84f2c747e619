package gcn

import "sync"

// rowsMFMA are the matrix instructions, numbered in VOP3P. gfx942 gave them
// other names, and some of their numbers other meanings.
var rowsMFMA = sync.OnceValue(func() []Row {
	return []Row{
		matrixRow(0x2d, "v_mfma_f32_16x16x128_f8f6f4", shape{m: 16, n: 16, k: 128, blocks: 1, a: entryMixed, b: entryMixed}, OnGfx950),
		matrixRow(0x2e, "v_mfma_f32_32x32x64_f8f6f4", shape{m: 32, n: 32, k: 64, blocks: 1, a: entryMixed, b: entryMixed}, OnGfx950),
		matrixRow(0x35, "v_mfma_f32_16x16x32_bf16", shape{m: 16, n: 16, k: 32, blocks: 1, a: entryBF16, b: entryBF16}, OnGfx950),
		matrixRow(0x36, "v_mfma_i32_16x16x64_i8", shape{m: 16, n: 16, k: 64, blocks: 1, a: entryI8, b: entryI8}, OnGfx950),
		matrixRow(0x37, "v_mfma_f32_32x32x16_bf16", shape{m: 32, n: 32, k: 16, blocks: 1, a: entryBF16, b: entryBF16}, OnGfx950),
		matrixRow(0x38, "v_mfma_i32_32x32x32_i8", shape{m: 32, n: 32, k: 32, blocks: 1, a: entryI8, b: entryI8}, OnGfx950),
		matrixRow(0x39, "v_smfmac_f32_16x16x64_bf16", shape{m: 16, n: 16, k: 64, blocks: 1, a: entryBF16, b: entryBF16, sparse: true}, OnGfx950),
		matrixRow(0x3a, "v_smfmac_i32_16x16x128_i8", shape{m: 16, n: 16, k: 128, blocks: 1, a: entryI8, b: entryI8, sparse: true}, OnGfx950),
		matrixRow(0x3b, "v_smfmac_f32_16x16x128_bf8_bf8", shape{m: 16, n: 16, k: 128, blocks: 1, a: entryBF8, b: entryBF8, sparse: true}, OnGfx950),
		matrixRow(0x3c, "v_smfmac_f32_16x16x128_bf8_fp8", shape{m: 16, n: 16, k: 128, blocks: 1, a: entryBF8, b: entryFP8, sparse: true}, OnGfx950),
		matrixRow(0x3d, "v_smfmac_f32_16x16x128_fp8_bf8", shape{m: 16, n: 16, k: 128, blocks: 1, a: entryFP8, b: entryBF8, sparse: true}, OnGfx950),
		matrixRow(0x3e, "v_mfma_f32_16x16x8_xf32", shape{m: 16, n: 16, k: 8, blocks: 1, a: entryXF32, b: entryXF32}, OnGfx942),
		matrixRow(0x3f, "v_mfma_f32_32x32x4_xf32", shape{m: 32, n: 32, k: 4, blocks: 1, a: entryXF32, b: entryXF32}, OnGfx942),
		matrixRow(0x40, "v_mfma_f32_32x32x1f32", shape{m: 32, n: 32, k: 1, blocks: 2, a: entryF32, b: entryF32}, OnGfx908|OnGfx90a),
		matrixRow(0x40, "v_mfma_f32_32x32x1_2b_f32", shape{m: 32, n: 32, k: 1, blocks: 2, a: entryF32, b: entryF32}, FromGfx942),
		matrixRow(0x41, "v_mfma_f32_16x16x1f32", shape{m: 16, n: 16, k: 1, blocks: 4, a: entryF32, b: entryF32}, OnGfx908|OnGfx90a),
		matrixRow(0x41, "v_mfma_f32_16x16x1_4b_f32", shape{m: 16, n: 16, k: 1, blocks: 4, a: entryF32, b: entryF32}, FromGfx942),
		matrixRow(0x42, "v_mfma_f32_4x4x1f32", shape{m: 4, n: 4, k: 1, blocks: 16, a: entryF32, b: entryF32}, OnGfx908|OnGfx90a),
		matrixRow(0x42, "v_mfma_f32_4x4x1_16b_f32", shape{m: 4, n: 4, k: 1, blocks: 16, a: entryF32, b: entryF32}, FromGfx942),
		matrixRow(0x43, "v_smfmac_f32_16x16x128_fp8_fp8", shape{m: 16, n: 16, k: 128, blocks: 1, a: entryFP8, b: entryFP8, sparse: true}, OnGfx950),
		matrixRow(0x44, "v_mfma_f32_32x32x2f32", shape{m: 32, n: 32, k: 2, blocks: 1, a: entryF32, b: entryF32}, OnGfx908|OnGfx90a),
		matrixRow(0x44, "v_mfma_f32_32x32x2_f32", shape{m: 32, n: 32, k: 2, blocks: 1, a: entryF32, b: entryF32}, FromGfx942),
		matrixRow(0x45, "v_mfma_f32_16x16x4f32", shape{m: 16, n: 16, k: 4, blocks: 1, a: entryF32, b: entryF32}, OnGfx908|OnGfx90a),
		matrixRow(0x45, "v_mfma_f32_16x16x4_f32", shape{m: 16, n: 16, k: 4, blocks: 1, a: entryF32, b: entryF32}, FromGfx942),
		matrixRow(0x46, "v_smfmac_f32_32x32x32_bf16", shape{m: 32, n: 32, k: 32, blocks: 1, a: entryBF16, b: entryBF16, sparse: true}, OnGfx950),
		matrixRow(0x47, "v_smfmac_i32_32x32x64_i8", shape{m: 32, n: 32, k: 64, blocks: 1, a: entryI8, b: entryI8, sparse: true}, OnGfx950),
		matrixRow(0x48, "v_mfma_f32_32x32x4f16", shape{m: 32, n: 32, k: 4, blocks: 2, a: entryF16, b: entryF16}, OnGfx908|OnGfx90a),
		matrixRow(0x48, "v_mfma_f32_32x32x4_2b_f16", shape{m: 32, n: 32, k: 4, blocks: 2, a: entryF16, b: entryF16}, FromGfx942),
		matrixRow(0x49, "v_mfma_f32_16x16x4f16", shape{m: 16, n: 16, k: 4, blocks: 4, a: entryF16, b: entryF16}, OnGfx908|OnGfx90a),
		matrixRow(0x49, "v_mfma_f32_16x16x4_4b_f16", shape{m: 16, n: 16, k: 4, blocks: 4, a: entryF16, b: entryF16}, FromGfx942),
		matrixRow(0x4a, "v_mfma_f32_4x4x4f16", shape{m: 4, n: 4, k: 4, blocks: 16, a: entryF16, b: entryF16}, OnGfx908|OnGfx90a),
		matrixRow(0x4a, "v_mfma_f32_4x4x4_16b_f16", shape{m: 4, n: 4, k: 4, blocks: 16, a: entryF16, b: entryF16}, FromGfx942),
		matrixRow(0x4b, "v_smfmac_f32_32x32x64_bf8_bf8", shape{m: 32, n: 32, k: 64, blocks: 1, a: entryBF8, b: entryBF8, sparse: true}, OnGfx950),
		matrixRow(0x4c, "v_mfma_f32_32x32x8f16", shape{m: 32, n: 32, k: 8, blocks: 1, a: entryF16, b: entryF16}, OnGfx908|OnGfx90a),
		matrixRow(0x4c, "v_mfma_f32_32x32x8_f16", shape{m: 32, n: 32, k: 8, blocks: 1, a: entryF16, b: entryF16}, FromGfx942),
		matrixRow(0x4d, "v_mfma_f32_16x16x16f16", shape{m: 16, n: 16, k: 16, blocks: 1, a: entryF16, b: entryF16}, OnGfx908|OnGfx90a),
		matrixRow(0x4d, "v_mfma_f32_16x16x16_f16", shape{m: 16, n: 16, k: 16, blocks: 1, a: entryF16, b: entryF16}, FromGfx942),
		matrixRow(0x4e, "v_smfmac_f32_32x32x64_bf8_fp8", shape{m: 32, n: 32, k: 64, blocks: 1, a: entryBF8, b: entryFP8, sparse: true}, OnGfx950),
		matrixRow(0x4f, "v_smfmac_f32_32x32x64_fp8_bf8", shape{m: 32, n: 32, k: 64, blocks: 1, a: entryFP8, b: entryBF8, sparse: true}, OnGfx950),
		matrixRow(0x50, "v_mfma_i32_32x32x4i8", shape{m: 32, n: 32, k: 4, blocks: 2, a: entryI8, b: entryI8}, OnGfx908|OnGfx90a),
		matrixRow(0x50, "v_mfma_i32_32x32x4_2b_i8", shape{m: 32, n: 32, k: 4, blocks: 2, a: entryI8, b: entryI8}, FromGfx942),
		matrixRow(0x51, "v_mfma_i32_16x16x4i8", shape{m: 16, n: 16, k: 4, blocks: 4, a: entryI8, b: entryI8}, OnGfx908|OnGfx90a),
		matrixRow(0x51, "v_mfma_i32_16x16x4_4b_i8", shape{m: 16, n: 16, k: 4, blocks: 4, a: entryI8, b: entryI8}, FromGfx942),
		matrixRow(0x52, "v_mfma_i32_4x4x4i8", shape{m: 4, n: 4, k: 4, blocks: 16, a: entryI8, b: entryI8}, OnGfx908|OnGfx90a),
		matrixRow(0x52, "v_mfma_i32_4x4x4_16b_i8", shape{m: 4, n: 4, k: 4, blocks: 16, a: entryI8, b: entryI8}, FromGfx942),
		matrixRow(0x53, "v_smfmac_f32_32x32x64_fp8_fp8", shape{m: 32, n: 32, k: 64, blocks: 1, a: entryFP8, b: entryFP8, sparse: true}, OnGfx950),
		matrixRow(0x54, "v_mfma_f32_16x16x32_f16", shape{m: 16, n: 16, k: 32, blocks: 1, a: entryF16, b: entryF16}, OnGfx950),
		matrixRow(0x54, "v_mfma_i32_32x32x8i8", shape{m: 32, n: 32, k: 8, blocks: 1, a: entryI8, b: entryI8}, OnGfx908|OnGfx90a),
		matrixRow(0x55, "v_mfma_f32_32x32x16_f16", shape{m: 32, n: 32, k: 16, blocks: 1, a: entryF16, b: entryF16}, OnGfx950),
		matrixRow(0x55, "v_mfma_i32_16x16x16i8", shape{m: 16, n: 16, k: 16, blocks: 1, a: entryI8, b: entryI8}, OnGfx908|OnGfx90a),
		matrixRow(0x56, "v_mfma_i32_32x32x16_i8", shape{m: 32, n: 32, k: 16, blocks: 1, a: entryI8, b: entryI8}, FromGfx942),
		matrixRow(0x57, "v_mfma_i32_16x16x32_i8", shape{m: 16, n: 16, k: 32, blocks: 1, a: entryI8, b: entryI8}, FromGfx942),
		matrixRow(0x5a, "v_smfmac_f32_16x16x64_f16", shape{m: 16, n: 16, k: 64, blocks: 1, a: entryF16, b: entryF16, sparse: true}, OnGfx950),
		matrixRow(0x5b, "v_smfmac_f32_32x32x32_f16", shape{m: 32, n: 32, k: 32, blocks: 1, a: entryF16, b: entryF16, sparse: true}, OnGfx950),
		matrixRow(0x5d, "v_mfma_f32_32x32x4_2b_bf16", shape{m: 32, n: 32, k: 4, blocks: 2, a: entryBF16, b: entryBF16}, FromGfx942),
		matrixRow(0x5e, "v_mfma_f32_16x16x4_4b_bf16", shape{m: 16, n: 16, k: 4, blocks: 4, a: entryBF16, b: entryBF16}, FromGfx942),
		matrixRow(0x5f, "v_mfma_f32_4x4x4_16b_bf16", shape{m: 4, n: 4, k: 4, blocks: 16, a: entryBF16, b: entryBF16}, FromGfx942),
		matrixRow(0x60, "v_mfma_f32_32x32x8_bf16", shape{m: 32, n: 32, k: 8, blocks: 1, a: entryBF16, b: entryBF16}, FromGfx942),
		matrixRow(0x61, "v_mfma_f32_16x16x16_bf16", shape{m: 16, n: 16, k: 16, blocks: 1, a: entryBF16, b: entryBF16}, FromGfx942),
		matrixRow(0x62, "v_smfmac_f32_16x16x32_f16", shape{m: 16, n: 16, k: 32, blocks: 1, a: entryF16, b: entryF16, sparse: true}, FromGfx942),
		matrixRow(0x63, "v_mfma_f32_32x32x4bf16_1k", shape{m: 32, n: 32, k: 4, blocks: 2, a: entryBF16, b: entryBF16}, OnGfx90a),
		matrixRow(0x64, "v_mfma_f32_16x16x4bf16_1k", shape{m: 16, n: 16, k: 4, blocks: 4, a: entryBF16, b: entryBF16}, OnGfx90a),
		matrixRow(0x64, "v_smfmac_f32_32x32x16_f16", shape{m: 32, n: 32, k: 16, blocks: 1, a: entryF16, b: entryF16, sparse: true}, FromGfx942),
		matrixRow(0x65, "v_mfma_f32_4x4x4bf16_1k", shape{m: 4, n: 4, k: 4, blocks: 16, a: entryBF16, b: entryBF16}, OnGfx90a),
		matrixRow(0x66, "v_mfma_f32_32x32x8bf16_1k", shape{m: 32, n: 32, k: 8, blocks: 1, a: entryBF16, b: entryBF16}, OnGfx90a),
		matrixRow(0x66, "v_smfmac_f32_16x16x32_bf16", shape{m: 16, n: 16, k: 32, blocks: 1, a: entryBF16, b: entryBF16, sparse: true}, FromGfx942),
		matrixRow(0x67, "v_mfma_f32_16x16x16bf16_1k", shape{m: 16, n: 16, k: 16, blocks: 1, a: entryBF16, b: entryBF16}, OnGfx90a),
		matrixRow(0x68, "v_mfma_f32_32x32x2bf16", shape{m: 32, n: 32, k: 2, blocks: 2, a: entryBF16, b: entryBF16}, OnGfx908|OnGfx90a),
		matrixRow(0x68, "v_smfmac_f32_32x32x16_bf16", shape{m: 32, n: 32, k: 16, blocks: 1, a: entryBF16, b: entryBF16, sparse: true}, FromGfx942),
		matrixRow(0x69, "v_mfma_f32_16x16x2bf16", shape{m: 16, n: 16, k: 2, blocks: 4, a: entryBF16, b: entryBF16}, OnGfx908|OnGfx90a),
		matrixRow(0x6a, "v_smfmac_i32_16x16x64_i8", shape{m: 16, n: 16, k: 64, blocks: 1, a: entryI8, b: entryI8, sparse: true}, FromGfx942),
		matrixRow(0x6b, "v_mfma_f32_4x4x2bf16", shape{m: 4, n: 4, k: 2, blocks: 16, a: entryBF16, b: entryBF16}, OnGfx908|OnGfx90a),
		matrixRow(0x6c, "v_mfma_f32_32x32x4bf16", shape{m: 32, n: 32, k: 4, blocks: 1, a: entryBF16, b: entryBF16}, OnGfx908|OnGfx90a),
		matrixRow(0x6c, "v_smfmac_i32_32x32x32_i8", shape{m: 32, n: 32, k: 32, blocks: 1, a: entryI8, b: entryI8, sparse: true}, FromGfx942),
		matrixRow(0x6d, "v_mfma_f32_16x16x8bf16", shape{m: 16, n: 16, k: 8, blocks: 1, a: entryBF16, b: entryBF16}, OnGfx908|OnGfx90a),
		matrixRow(0x6e, "v_mfma_f64_16x16x4f64", shape{m: 16, n: 16, k: 4, blocks: 1, a: entryF64, b: entryF64}, OnGfx90a),
		matrixRow(0x6e, "v_mfma_f64_16x16x4_f64", shape{m: 16, n: 16, k: 4, blocks: 1, a: entryF64, b: entryF64}, FromGfx942),
		matrixRow(0x6f, "v_mfma_f64_4x4x4f64", shape{m: 4, n: 4, k: 4, blocks: 4, a: entryF64, b: entryF64}, OnGfx90a),
		matrixRow(0x6f, "v_mfma_f64_4x4x4_4b_f64", shape{m: 4, n: 4, k: 4, blocks: 4, a: entryF64, b: entryF64}, FromGfx942),
		matrixRow(0x70, "v_mfma_f32_16x16x32_bf8_bf8", shape{m: 16, n: 16, k: 32, blocks: 1, a: entryBF8, b: entryBF8}, FromGfx942),
		matrixRow(0x71, "v_mfma_f32_16x16x32_bf8_fp8", shape{m: 16, n: 16, k: 32, blocks: 1, a: entryBF8, b: entryFP8}, FromGfx942),
		matrixRow(0x72, "v_mfma_f32_16x16x32_fp8_bf8", shape{m: 16, n: 16, k: 32, blocks: 1, a: entryFP8, b: entryBF8}, FromGfx942),
		matrixRow(0x73, "v_mfma_f32_16x16x32_fp8_fp8", shape{m: 16, n: 16, k: 32, blocks: 1, a: entryFP8, b: entryFP8}, FromGfx942),
		matrixRow(0x74, "v_mfma_f32_32x32x16_bf8_bf8", shape{m: 32, n: 32, k: 16, blocks: 1, a: entryBF8, b: entryBF8}, FromGfx942),
		matrixRow(0x75, "v_mfma_f32_32x32x16_bf8_fp8", shape{m: 32, n: 32, k: 16, blocks: 1, a: entryBF8, b: entryFP8}, FromGfx942),
		matrixRow(0x76, "v_mfma_f32_32x32x16_fp8_bf8", shape{m: 32, n: 32, k: 16, blocks: 1, a: entryFP8, b: entryBF8}, FromGfx942),
		matrixRow(0x77, "v_mfma_f32_32x32x16_fp8_fp8", shape{m: 32, n: 32, k: 16, blocks: 1, a: entryFP8, b: entryFP8}, FromGfx942),
		matrixRow(0x78, "v_smfmac_f32_16x16x64_bf8_bf8", shape{m: 16, n: 16, k: 64, blocks: 1, a: entryBF8, b: entryBF8, sparse: true}, FromGfx942),
		matrixRow(0x79, "v_smfmac_f32_16x16x64_bf8_fp8", shape{m: 16, n: 16, k: 64, blocks: 1, a: entryBF8, b: entryFP8, sparse: true}, FromGfx942),
		matrixRow(0x7a, "v_smfmac_f32_16x16x64_fp8_bf8", shape{m: 16, n: 16, k: 64, blocks: 1, a: entryFP8, b: entryBF8, sparse: true}, FromGfx942),
		matrixRow(0x7b, "v_smfmac_f32_16x16x64_fp8_fp8", shape{m: 16, n: 16, k: 64, blocks: 1, a: entryFP8, b: entryFP8, sparse: true}, FromGfx942),
		matrixRow(0x7c, "v_smfmac_f32_32x32x32_bf8_bf8", shape{m: 32, n: 32, k: 32, blocks: 1, a: entryBF8, b: entryBF8, sparse: true}, FromGfx942),
		matrixRow(0x7d, "v_smfmac_f32_32x32x32_bf8_fp8", shape{m: 32, n: 32, k: 32, blocks: 1, a: entryBF8, b: entryFP8, sparse: true}, FromGfx942),
		matrixRow(0x7e, "v_smfmac_f32_32x32x32_fp8_bf8", shape{m: 32, n: 32, k: 32, blocks: 1, a: entryFP8, b: entryBF8, sparse: true}, FromGfx942),
		matrixRow(0x7f, "v_smfmac_f32_32x32x32_fp8_fp8", shape{m: 32, n: 32, k: 32, blocks: 1, a: entryFP8, b: entryFP8, sparse: true}, FromGfx942),
	}
})

// rowsScaled are the matrix instructions with scales, numbered as those without.
var rowsScaled = sync.OnceValue(func() []Row {
	return []Row{
		matrixRow(0x2d, "v_mfma_scale_f32_16x16x128_f8f6f4", shape{m: 16, n: 16, k: 128, blocks: 1, a: entryMixed, b: entryMixed}, OnGfx950),
		matrixRow(0x2e, "v_mfma_scale_f32_32x32x64_f8f6f4", shape{m: 32, n: 32, k: 64, blocks: 1, a: entryMixed, b: entryMixed}, OnGfx950),
	}
})

// matrixRow makes a row; the widths of its operands follow from its shape.
func matrixRow(op uint16, name string, s shape, chips Chips) Row {
	a, b, d := s.registers()
	in, out := Bits32, Float32
	if s.a == entryF64 {
		in, out = Float64, Float64
	}
	f := &Form{
		Dst:   Slot{VectorOnly, d, out, NoMods, Implied},
		Src:   [4]Slot{{VectorOnly, a, in, NoMods, Implied}, {VectorOnly, b, in, NoMods, Implied}, {AnySrc, d, out, NoMods, Implied}},
		Flags: Matrix,
	}
	switch {
	case s.sparse:
		f.Src[2] = Slot{VectorOnly, 1, Bits32, NoMods, Implied}
		f.Flags |= Sparse
	case s.a == entryF64:
		f.Flags |= MatrixNeg
	case s.a == entryMixed:
		f.Flags |= MatrixFormats
	}
	return Row{Op: op, Name: name, Form: f, Do: mfma(s), Chips: chips}
}
