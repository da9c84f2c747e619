package gcn

import (
	"slices"
	"sync"
)

// rowsVOPC are the vector compares; e64 number: Op. What is compared is the same
// for all types of operands, so the rows are made of relations and types.
var rowsVOPC = sync.OnceValue(func() []Row {
	return slices.Concat(
		[]Row{
			{Op: 0x10, Name: "v_cmp_class_f32", Form: &vcmp_F32mB32, Do: classTest(classF32, 0, u32, u32)},
			{Op: 0x11, Name: "v_cmpx_class_f32", Form: &vcmp_F32mB32, Do: classTest(classF32, toExec, u32, u32)},
			{Op: 0x12, Name: "v_cmp_class_f64", Form: &vcmp_F64mB32, Do: classTest(classF64, 0, f64, u32)},
			{Op: 0x13, Name: "v_cmpx_class_f64", Form: &vcmp_F64mB32, Do: classTest(classF64, toExec, f64, u32)},
			{Op: 0x14, Name: "v_cmp_class_f16", Form: &vcmp_F16mB16, Do: classTest(classF16, 0, f16, u16)},
			{Op: 0x15, Name: "v_cmpx_class_f16", Form: &vcmp_F16mB16, Do: classTest(classF16, toExec, f16, u16)},
		},
		compared(0x20, floatRelations, "f16", &vcmp_F16mF16m_C, narrow(f16, lessF16, equalF16, atMostF16, unequalF16, orderedF16)),
		compared(0x40, floatRelations, "f32", &vcmp_F32mF32m_C, narrow(f32, lessF32, equalF32, atMostF32, unequalF32, orderedF32)),
		compared(0x60, floatRelations, "f64", &vcmp_F64mF64m_C, wide(f64, lessF64, equalF64, atMostF64, unequalF64, orderedF64)),
		compared(0xa0, intRelations, "i16", &vcmp_B16B16, narrow(i16, lessI16, equal16)),
		compared(0xa8, intRelations, "u16", &vcmp_B16B16, narrow(u16, lessU16, equal16)),
		compared(0xc0, intRelations, "i32", &vcmp_B32B32, narrow(u32, lessI32, equal32)),
		compared(0xc8, intRelations, "u32", &vcmp_B32B32, narrow(u32, lessU32, equal32)),
		compared(0xe0, intRelations, "i64", &vcmp_B64B64, wide(i64, lessI64, equal64)),
		compared(0xe8, intRelations, "u64", &vcmp_B64B64, wide(u64, lessU64, equal64)),
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
	how  variant
}

// The relations of a type, in the order of their numbers.
var (
	floatRelations = []named{
		{"f", never, 0}, {"lt", less, 0}, {"eq", equal, 0}, {"le", atMost, 0},
		{"gt", less, swapped}, {"lg", unequal, 0}, {"ge", atMost, swapped}, {"o", ordered, 0},
		{"u", ordered, inverted}, {"nge", atMost, swapped | inverted}, {"nlg", unequal, inverted}, {"ngt", less, swapped | inverted},
		{"nle", atMost, inverted}, {"neq", equal, inverted}, {"nlt", less, inverted}, {"tru", never, inverted},
	}
	intRelations = []named{
		{"f", never, 0}, {"lt", less, 0}, {"eq", equal, 0}, {"le", less, swapped | inverted},
		{"gt", less, swapped}, {"ne", equal, inverted}, {"ge", less, inverted}, {"t", never, inverted},
	}
)

// compared returns the rows of one type: those from op on write a mask; 16
// numbers on, each has a twin that writes EXEC as well.
func compared(op uint16, relations []named, of string, f *Form, do func(relation, variant) Meaning) (rows []Row) {
	for n, r := range relations {
		at := op + uint16(n)
		rows = append(rows,
			Row{Op: at, Name: "v_cmp_" + r.name + "_" + of, Form: f, Do: do(r.is, r.how)},
			Row{Op: at + 16, Name: "v_cmpx_" + r.name + "_" + of, Form: f, Do: do(r.is, r.how|toExec)})
	}
	return rows
}

// narrow and wide bind relations to their kernels, which stand in the order of
// the constants, from less on.

func narrow(t kind, kernels ...tester) func(relation, variant) Meaning {
	kernels = append([]tester{func(_, _ *Lanes) uint64 { return 0 }}, kernels...)
	return func(r relation, how variant) Meaning { return comparison(kernels[r], how, t) }
}

func wide(t kind, kernels ...wideTester) func(relation, variant) Meaning {
	kernels = append([]wideTester{func(_, _, _, _ *Lanes) uint64 { return 0 }}, kernels...)
	return func(r relation, how variant) Meaning { return comparisonWide(kernels[r], how, t) }
}
