package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Scalar instructions on floats compute as vector instructions do for a lane. Each names
// its vector instruction.

// scalarTwin makes a meaning of the vector instruction name of GFX9, for sources of kind k.
// With old, the destination is the last source; with high, the first is an upper half.
func scalarTwin(name string, k alu.Kind, old, high bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return twinOf(*gfx9ByName()[name], k, old, high)(i) }
}

// twinOf is scalarTwin of a row.
func twinOf(row encoding.Row, k alu.Kind, old, high bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		row := row
		row.Form = rdnaForm(row.Form, row.Name)
		v := encoding.Inst{Row: &row, Chip: i.Chip, Enc: encoding.VOP3, Size: 8}
		v.Dst = encoding.Operand{Kind: encoding.VReg, Width: row.Form.Dst.Width}
		if high {
			v.OpSel = 1
		}
		if i.Enc == encoding.VOP3 { // a function of GFX12's, with modifiers
			v.Neg, v.Abs, v.Clamp, v.Omod = i.Neg, i.Abs, i.Clamp, i.Omod
		}
		values, count := bind.ScalarValues(i, k, old)
		for n := range count {
			v.Src[n] = encoding.Operand{Kind: encoding.SReg, Width: 1, Reg: uint16(n)}
		}
		return bind.OnOneLane(i, Bind(&v, true), values)
	}
}

// rows11Salu are the scalar instructions on floats that gfx1150 has added.
var rows11Salu = sync.OnceValue(func() (rows struct{ sop2, sop1, sopc []encoding.Row }) {
	two := func(op uint16, name, like string, f *encoding.Form, k alu.Kind, old bool) {
		rows.sop2 = append(rows.sop2, encoding.Row{Op: op, Name: name, Form: f, Do: scalarTwin(like, k, old, false), Chips: encoding.FromGfx1150})
	}
	one := func(op uint16, name, like string, f *encoding.Form, k alu.Kind) {
		rows.sop1 = append(rows.sop1, encoding.Row{Op: op, Name: name, Form: f, Do: scalarTwin(like, k, false, false), Chips: encoding.FromGfx1150})
	}
	two(0x40, "s_add_f32", "v_add_f32", &sop2F32, alu.F32, false)
	two(0x41, "s_sub_f32", "v_sub_f32", &sop2F32, alu.F32, false)
	two(0x42, "s_min_f32", "v_min_f32", &sop2F32, alu.F32, false)
	two(0x43, "s_max_f32", "v_max_f32", &sop2F32, alu.F32, false)
	two(0x44, "s_mul_f32", "v_mul_f32", &sop2F32, alu.F32, false)
	two(0x45, "s_fmaak_f32", "v_fma_f32", &sop2FmaakF32, alu.F32, false)
	two(0x46, "s_fmamk_f32", "v_fma_f32", &sop2FmamkF32, alu.F32, false)
	two(0x47, "s_fmac_f32", "v_fma_f32", &sop2F32, alu.F32, true)
	two(0x48, "s_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32", &sop2F32, alu.F32, false)
	two(0x49, "s_add_f16", "v_add_f16", &sop2F16, alu.F16, false)
	two(0x4a, "s_sub_f16", "v_sub_f16", &sop2F16, alu.F16, false)
	two(0x4b, "s_min_f16", "v_min_f16", &sop2F16, alu.F16, false)
	two(0x4c, "s_max_f16", "v_max_f16", &sop2F16, alu.F16, false)
	two(0x4d, "s_mul_f16", "v_mul_f16", &sop2F16, alu.F16, false)
	two(0x4e, "s_fmac_f16", "v_fma_f16", &sop2F16, alu.F16, true)
	for n, name := range []string{"ceil_f32", "floor_f32", "trunc_f32", "rndne_f32"} {
		one(0x60+uint16(n), "s_"+name, "v_"+name, &sop1F32, alu.F32)
	}
	one(0x64, "s_cvt_f32_i32", "v_cvt_f32_i32", &sop11_1, alu.U32)
	one(0x65, "s_cvt_f32_u32", "v_cvt_f32_u32", &sop11_1, alu.U32)
	one(0x66, "s_cvt_i32_f32", "v_cvt_i32_f32", &sop1F32, alu.F32)
	one(0x67, "s_cvt_u32_f32", "v_cvt_u32_f32", &sop1F32, alu.F32)
	one(0x68, "s_cvt_f16_f32", "v_cvt_f16_f32", &sop1F32, alu.F32)
	one(0x69, "s_cvt_f32_f16", "v_cvt_f32_f16", &sop1F16, alu.F16)
	rows.sop1 = append(rows.sop1, encoding.Row{Op: 0x6a, Name: "s_cvt_hi_f32_f16", Form: &sop11_1, Do: scalarTwin("v_cvt_f32_f16", alu.U32, false, true), Chips: encoding.FromGfx1150})
	for n, name := range []string{"ceil_f16", "floor_f16", "trunc_f16", "rndne_f16"} {
		one(0x6b+uint16(n), "s_"+name, "v_"+name, &sop1F16, alu.F16)
	}
	for n, r := range floatRelations[1:15] {
		for _, of := range []struct {
			op   uint16
			name string
			form *encoding.Form
			k    alu.Kind
		}{{0x41, "_f32", &sopcF32, alu.F32}, {0x51, "_f16", &sopcF16, alu.F16}} {
			rows.sopc = append(rows.sopc, encoding.Row{Op: of.op + uint16(n), Name: "s_cmp_" + r.name + of.name, Form: of.form,
				Do: scalarTwin("v_cmp_"+r.name+of.name, of.k, false, false), Chips: encoding.FromGfx1150})
		}
	}
	return rows
})

// scalarFunction makes the meaning of a vector function on scalar registers: GFX12's v_s_rcp_f32 and its like.
func scalarFunction(name string, k alu.Kind) encoding.Meaning {
	return scalarTwin(name, k, false, false)
}
