package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// rows1250WMMA are the matrix instructions that GFX12.5 has added.
var rows1250WMMA = sync.OnceValue(func() []encoding.Row {
	const (
		f32, f16, bf16 = matrix.EntryF32, matrix.EntryF16, matrix.EntryBF16
		i8             = matrix.EntryI8
		fp8, bf8       = matrix.EntryE4M3, matrix.EntryE5M2
	)
	dense := func(op uint16, name string, k int, d, a, b matrix.Entry) encoding.Row {
		return wmmaRow1250(op, "v_wmma_"+name, matrix.WMMA{K: k, A: a, B: b, D: d, New: true})
	}
	sparse := func(op uint16, name string, k int, d, a, b matrix.Entry) encoding.Row {
		return wmmaRow1250(op, "v_swmmac_"+name, matrix.WMMA{K: k, A: a, B: b, D: d, Sparse: true, New: true})
	}
	rows := []encoding.Row{
		dense(0x5d, "f32_16x16x4_f32", 4, f32, f32, f32),
		dense(0x60, "f32_16x16x32_f16", 32, f32, f16, f16), dense(0x61, "f16_16x16x32_f16", 32, f16, f16, f16),
		dense(0x62, "f32_16x16x32_bf16", 32, f32, bf16, bf16), dense(0x63, "bf16_16x16x32_bf16", 32, bf16, bf16, bf16),
		sparse(0x65, "f32_16x16x64_f16", 64, f32, f16, f16), sparse(0x66, "f32_16x16x64_bf16", 64, f32, bf16, bf16),
		sparse(0x67, "f16_16x16x64_f16", 64, f16, f16, f16), sparse(0x68, "bf16_16x16x64_bf16", 64, bf16, bf16, bf16),
		dense(0x72, "i32_16x16x64_iu8", 64, i8, i8, i8), sparse(0x7b, "i32_16x16x128_iu8", 128, i8, i8, i8),
	}
	wide := wmmaRow1250(0x64, "v_wmma_bf16f32_16x16x32_bf16", matrix.WMMA{K: 32, A: bf16, B: bf16, D: bf16, New: true, WideC: true})
	f := *wide.Form
	f.Src[2] = src(encoding.Float32)
	f.Src[2].Width = 8
	wide.Form = &f
	sparseWide := sparse(0x69, "bf16f32_16x16x64_bf16", 64, f32, bf16, bf16)
	sparseWide.Do, sparseWide.Fidelity = nil, nil // how D is packed that is C as well is not published
	rows = append(rows, wide, sparseWide)
	for n, pair := range []struct {
		name string
		a, b matrix.Entry
	}{{"fp8_fp8", fp8, fp8}, {"fp8_bf8", fp8, bf8}, {"bf8_fp8", bf8, fp8}, {"bf8_bf8", bf8, bf8}} {
		op := uint16(n)
		rows = append(rows,
			dense(0x6a+op, "f32_16x16x64_"+pair.name, 64, f32, pair.a, pair.b), dense(0x6e+op, "f16_16x16x64_"+pair.name, 64, f16, pair.a, pair.b),
			sparse(0x73+op, "f32_16x16x128_"+pair.name, 128, f32, pair.a, pair.b), sparse(0x77+op, "f16_16x16x128_"+pair.name, 128, f16, pair.a, pair.b),
			dense(0x80+op, "f32_16x16x128_"+pair.name, 128, f32, pair.a, pair.b), dense(0x84+op, "f16_16x16x128_"+pair.name, 128, f16, pair.a, pair.b))
	}
	return append(append(rows, rows1250Mixed()...), []encoding.Row{
		{Op: 0x35, Name: "v_wmma_ld_scale_paired_b32", Form: &vop3pScales1},
		{Op: 0x3a, Name: "v_wmma_ld_scale16_paired_b64", Form: &vop3pScales2},
	}...)
})

// rows1250Mixed are those whose operands tell their formats, and the one on numbers of four bits: they may have scales.
func rows1250Mixed() []encoding.Row {
	mixed := encoding.Form{Dst: lanesOf(8), Src: [4]encoding.Slot{lanesOf(16), lanesOf(16), src(encoding.Float32)}, Flags: encoding.Matrix | encoding.WMMA | encoding.MatrixFormats | encoding.NoDPP}
	mixed.Src[2].Width = 8
	four := encoding.Form{Dst: lanesOf(16), Src: [4]encoding.Slot{lanesOf(16), lanesOf(8), src(encoding.Float32)}, Flags: encoding.Matrix | encoding.WMMA | encoding.Reuse | encoding.NoDPP}
	four.Src[2].Width = 16
	for _, f := range []*encoding.Form{&mixed, &four} {
		f.Src[0].Type, f.Src[1].Type = encoding.PackedFloat8, encoding.PackedFloat8
	}
	return []encoding.Row{
		{Op: 0x33, Name: "v_wmma_f32_16x16x128_f8f6f4", Form: &mixed, Do: bind.WMMAMixed, Fidelity: &exactSums},
		{Op: 0x88, Name: "v_wmma_f32_32x16x128_f4", Form: &four, Do: bind.WMMAFour, Fidelity: &exactSums},
	}
}

// rows1250Scaled are the same with scales.
func rows1250Scaled() []encoding.Row { return rows1250Mixed() }

// wmmaRow1250 makes a row; the widths of its operands follow from its shape.
func wmmaRow1250(op uint16, name string, s matrix.WMMA) encoding.Row {
	row := wmmaRow(op, name, s, false)
	f := *row.Form
	f.Flags |= encoding.Reuse
	if s.A == matrix.EntryF32 {
		f.Src[0].Type, f.Src[1].Type = encoding.Float32, encoding.Float32
	}
	if s.Sparse && s.A.Bits() == 8 {
		f.Src[2].Width = 2
	}
	row.Form = &f
	return row
}
