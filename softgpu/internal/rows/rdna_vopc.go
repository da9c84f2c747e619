package rows

import (
	"slices"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Vector compares of GFX10 and later have the names of GFX9's, and numbers by type.

// compareRange is relations of a type, with numbers that follow each other.
type compareRange struct {
	op        uint16
	of        string
	relations []named
}

// classes is the test of a number's class, which follows the relations of a type.
var classes = []named{{name: "class"}}

// comparisonRows names the rows: those that write EXEC have numbers that are apart from the others'. always is the name of the
// relation of floats that always holds.
func comparisonRows(apart uint16, always string, list ...compareRange) []encoding.Row {
	var rows []encoding.Row
	for _, c := range list {
		for n, r := range c.relations {
			for x, begin := range []string{"v_cmp_", "v_cmpx_"} {
				row := encoding.Row{Op: c.op + uint16(n) + uint16(x)*apart, Name: begin + r.name + "_" + c.of}
				if r.name == "tru" && always != r.name {
					row.Name, row.Like = begin+always+"_"+c.of, row.Name
				}
				rows = append(rows, row)
			}
		}
	}
	slices.SortFunc(rows, func(a, b encoding.Row) int { return int(a.Op) - int(b.Op) })
	return rows
}

// rows10VOPC are the vector compares of GFX10.
var rows10VOPC = sync.OnceValue(func() []encoding.Row {
	shorts := intRelations[1:7] // without those that never hold, or always
	return shared10(comparisonRows(0x10, "tru",
		compareRange{0x00, "f32", floatRelations}, compareRange{0x20, "f64", floatRelations},
		compareRange{0x80, "i32", intRelations}, compareRange{0xa0, "i64", intRelations}, compareRange{0xc0, "u32", intRelations}, compareRange{0xe0, "u64", intRelations},
		compareRange{0x89, "i16", shorts}, compareRange{0xa9, "u16", shorts},
		compareRange{0x88, "f32", classes}, compareRange{0x8f, "f16", classes}, compareRange{0xa8, "f64", classes},
		compareRange{0xc8, "f16", floatRelations[:8]}, compareRange{0xe8, "f16", floatRelations[8:]},
	))
})

// rows11VOPC are those of GFX11.
var rows11VOPC = sync.OnceValue(func() []encoding.Row {
	shorts := intRelations[1:7]
	return shared(comparisonRows(0x80, "t",
		compareRange{0x00, "f16", floatRelations}, compareRange{0x10, "f32", floatRelations}, compareRange{0x20, "f64", floatRelations},
		compareRange{0x31, "i16", shorts}, compareRange{0x39, "u16", shorts}, compareRange{0x40, "i32", intRelations}, compareRange{0x48, "u32", intRelations},
		compareRange{0x50, "i64", intRelations}, compareRange{0x58, "u64", intRelations},
		compareRange{0x7d, "f16", classes}, compareRange{0x7e, "f32", classes}, compareRange{0x7f, "f64", classes},
	))
})
