package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// rows11WMMA are the matrix instructions of RDNA3.
var rows11WMMA = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		wmmaRow(0x40, "v_wmma_f32_16x16x16_f16", matrix.WMMA{K: 16, A: matrix.EntryF16, B: matrix.EntryF16, D: matrix.EntryF32}, true),
		wmmaRow(0x41, "v_wmma_f32_16x16x16_bf16", matrix.WMMA{K: 16, A: matrix.EntryBF16, B: matrix.EntryBF16, D: matrix.EntryF32}, true),
		wmmaRow(0x42, "v_wmma_f16_16x16x16_f16", matrix.WMMA{K: 16, A: matrix.EntryF16, B: matrix.EntryF16, D: matrix.EntryF16}, true),
		wmmaRow(0x43, "v_wmma_bf16_16x16x16_bf16", matrix.WMMA{K: 16, A: matrix.EntryBF16, B: matrix.EntryBF16, D: matrix.EntryBF16}, true),
		wmmaRow(0x44, "v_wmma_i32_16x16x16_iu8", matrix.WMMA{K: 16, A: matrix.EntryI8, B: matrix.EntryI8, D: matrix.EntryI8}, true),
		wmmaRow(0x45, "v_wmma_i32_16x16x16_iu4", matrix.WMMA{K: 16, A: matrix.EntryI4, B: matrix.EntryI4, D: matrix.EntryI8}, true),
	}
})

// wmmaRow makes a row of RDNA3, old, or RDNA4; the widths of its operands follow from its shape.
func wmmaRow(op uint16, name string, s matrix.WMMA, old bool) encoding.Row {
	a, b, d := s.Registers(old)
	third := src(encoding.Float32)
	switch s.D {
	case matrix.EntryI8:
		third = src(encoding.Bits32)
	case matrix.EntryF16:
		third.Type = encoding.PackedFloat16
	case matrix.EntryBF16:
		third.Type = encoding.PackedBFloat16
	}
	third.Width = d
	factor := func(n uint8, e matrix.Entry) encoding.Slot {
		x := vgprs(n, encoding.Implied)
		x.Type = map[matrix.Entry]encoding.Type{matrix.EntryF16: encoding.PackedFloat16, matrix.EntryBF16: encoding.PackedBFloat16,
			matrix.EntryI8: encoding.PackedBits8, matrix.EntryI4: encoding.PackedBits4, matrix.EntryE4M3: encoding.PackedFloat8, matrix.EntryE5M2: encoding.PackedFloat8, matrix.EntryF32: encoding.Float32}[e]
		return x
	}
	f := &encoding.Form{
		Dst: vgprs(d, encoding.Implied), Src: [4]encoding.Slot{factor(a, s.A), factor(b, s.B), third},
		Flags: encoding.Matrix | encoding.WMMA | encoding.NoDPP,
	}
	if s.Sparse {
		f.Src[2] = vgprs(1, encoding.Implied)
		f.Flags |= encoding.Sparse
	} else if old && (s.D == matrix.EntryF16 || s.D == matrix.EntryBF16) {
		f.Flags |= encoding.HasOpSel
	}
	if s.Integers() {
		f.Flags |= encoding.HasClamp
	}
	row := encoding.Row{Op: op, Name: name, Form: f, Do: bind.WMMA(s)}
	if !s.Integers() {
		row.Fidelity = &exactSums
	}
	return row
}
