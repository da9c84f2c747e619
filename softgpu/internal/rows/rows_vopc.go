package rows

import (
	"slices"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsVOPC are the vector compares; e64 number: Op. What is compared is the same
// for all types of operands, so the rows are made of relations and types.
var rowsVOPC = sync.OnceValue(func() []encoding.Row {
	return slices.Concat(
		[]encoding.Row{
			{Op: 0x10, Name: "v_cmp_class_f32", Form: &vcmp_F32mB32, Do: bind.ClassTest(alu.ClassF32, 0, alu.U32, alu.U32)},
			{Op: 0x11, Name: "v_cmpx_class_f32", Form: &vcmp_F32mB32, Do: bind.ClassTest(alu.ClassF32, bind.ToExec, alu.U32, alu.U32)},
			{Op: 0x12, Name: "v_cmp_class_f64", Form: &vcmp_F64mB32, Do: bind.ClassTest(alu.ClassF64, 0, alu.F64, alu.U32)},
			{Op: 0x13, Name: "v_cmpx_class_f64", Form: &vcmp_F64mB32, Do: bind.ClassTest(alu.ClassF64, bind.ToExec, alu.F64, alu.U32)},
			{Op: 0x14, Name: "v_cmp_class_f16", Form: &vcmp_F16mB16, Do: bind.ClassTest(alu.ClassF16, 0, alu.F16, alu.U16)},
			{Op: 0x15, Name: "v_cmpx_class_f16", Form: &vcmp_F16mB16, Do: bind.ClassTest(alu.ClassF16, bind.ToExec, alu.F16, alu.U16)},
		},
		compared(0x20, floatRelations, "f16", &vcmp_F16mF16m_C, narrow(alu.F16, alu.LessF16, alu.EqualF16, alu.AtMostF16, alu.UnequalF16, alu.OrderedF16)),
		compared(0x40, floatRelations, "f32", &vcmp_F32mF32m_C, narrow(alu.F32, alu.LessF32, alu.EqualF32, alu.AtMostF32, alu.UnequalF32, alu.OrderedF32)),
		compared(0x60, floatRelations, "f64", &vcmp_F64mF64m_C, wide(alu.F64, alu.LessF64, alu.EqualF64, alu.AtMostF64, alu.UnequalF64, alu.OrderedF64)),
		compared(0xa0, intRelations, "i16", &vcmp_B16B16, narrow(alu.I16, alu.LessI16, alu.Equal16)),
		compared(0xa8, intRelations, "u16", &vcmp_B16B16, narrow(alu.U16, alu.LessU16, alu.Equal16)),
		compared(0xc0, intRelations, "i32", &vcmp_B32B32, narrow(alu.U32, alu.LessI32, alu.Equal32)),
		compared(0xc8, intRelations, "u32", &vcmp_B32B32, narrow(alu.U32, alu.LessU32, alu.Equal32)),
		compared(0xe0, intRelations, "i64", &vcmp_B64B64, wide(alu.I64, alu.LessI64, alu.Equal64)),
		compared(0xe8, intRelations, "u64", &vcmp_B64B64, wide(alu.U64, alu.LessU64, alu.Equal64)),
	)
})

// relation is one of the comparisons that all others are made of.
type relation uint8

const (
	never relation = iota
	less
	equal
	atMost
	unequal // less or greater
	ordered // neither is a NaN
)

// named is a relation as mnemonics spell it.
type named struct {
	name string
	is   relation
	how  bind.Variant
}

// The relations of a type, in the order of their numbers.
var (
	floatRelations = []named{
		{"f", never, 0}, {"lt", less, 0}, {"eq", equal, 0}, {"le", atMost, 0},
		{"gt", less, bind.Swapped}, {"lg", unequal, 0}, {"ge", atMost, bind.Swapped}, {"o", ordered, 0},
		{"u", ordered, bind.Inverted}, {"nge", atMost, bind.Swapped | bind.Inverted}, {"nlg", unequal, bind.Inverted}, {"ngt", less, bind.Swapped | bind.Inverted},
		{"nle", atMost, bind.Inverted}, {"neq", equal, bind.Inverted}, {"nlt", less, bind.Inverted}, {"tru", never, bind.Inverted},
	}
	intRelations = []named{
		{"f", never, 0}, {"lt", less, 0}, {"eq", equal, 0}, {"le", less, bind.Swapped | bind.Inverted},
		{"gt", less, bind.Swapped}, {"ne", equal, bind.Inverted}, {"ge", less, bind.Inverted}, {"t", never, bind.Inverted},
	}
)

// compared returns the rows of one type: those from op on write a mask; 16
// numbers on, each has a twin that writes EXEC as well.
func compared(op uint16, relations []named, of string, f *encoding.Form, do func(relation, bind.Variant) encoding.Meaning) (rows []encoding.Row) {
	for n, r := range relations {
		at := op + uint16(n)
		rows = append(rows,
			encoding.Row{Op: at, Name: "v_cmp_" + r.name + "_" + of, Form: f, Do: do(r.is, r.how)},
			encoding.Row{Op: at + 16, Name: "v_cmpx_" + r.name + "_" + of, Form: f, Do: do(r.is, r.how|bind.ToExec)})
	}
	return rows
}

// narrow and wide bind relations to their kernels, which stand in the order of
// the constants, from less on.

func narrow(t alu.Kind, kernels ...alu.Tester) func(relation, bind.Variant) encoding.Meaning {
	kernels = append([]alu.Tester{func(_, _ *alu.Lanes) uint64 { return 0 }}, kernels...)
	return func(r relation, how bind.Variant) encoding.Meaning { return bind.Comparison(kernels[r], how, t) }
}

func wide(t alu.Kind, kernels ...alu.WideTester) func(relation, bind.Variant) encoding.Meaning {
	kernels = append([]alu.WideTester{func(_, _, _, _ *alu.Lanes) uint64 { return 0 }}, kernels...)
	return func(r relation, how bind.Variant) encoding.Meaning { return bind.ComparisonWide(kernels[r], how, t) }
}
