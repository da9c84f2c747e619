package rows

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

func gfx10Rows() []rowSet {
	return []rowSet{
		{encoding.SOP2, rows10SOP2(), 0}, {encoding.SOPK, rows10SOPK(), 0}, {encoding.SOP1, rows10SOP1(), 0}, {encoding.SOPC, rows10SOPC(), 0}, {encoding.SOPP, rows10SOPP(), 0},
		{encoding.SMEM, rows10SMEM(), 0}, {encoding.VOP2, rows10VOP2(), 0}, {encoding.VOP1, rows10VOP1(), 0}, {encoding.VOPC, rows10VOPC(), 0},
		{encoding.VOP3, rows10VOPC(), 0}, {encoding.VOP3, rows10VOP2(), encoding.Vop2InVOP3}, {encoding.VOP3, rows10VOP1(), encoding.Sets[encoding.GFX10].Vop1InVOP3}, {encoding.VOP3, rows10VOP3(), 0},
		{encoding.VOP3P, rows10VOP3P(), 0}, {encoding.DS, rows10DS(), 0},
		{encoding.FLAT, rows10Flat(), encoding.SegFlat << 7}, {encoding.FLAT, rows10Scratch(), encoding.SegScratch << 7}, {encoding.FLAT, rows10Global(), encoding.SegGlobal << 7},
		{encoding.MUBUF, rows10MUBUF(), 0}, {encoding.MTBUF, rows10MTBUF(), 0},
	}
}

// gfx10Form converts another set's form to GFX10's: comparisons named v_cmpx write only EXEC, and operands of 64 bits
// have no DPP. alone is set for instructions that have only the VOP3 form, whose 16-bit operands may be either half of a
// register.
func gfx10Form(f *encoding.Form, name string, alone bool) *encoding.Form {
	return formMade(formKey{f, encoding.GFX10, strings.HasPrefix(name, "v_cmpx_"), alone}, func(g *encoding.Form, key formKey) {
		if key.toExec {
			g.SDst = encoding.Slot{}
			g.Flags |= encoding.ToExec
		}
		if g.Wide() {
			g.Flags |= encoding.NoDPP
		}
		if key.special && g.Dst.Type.IsHalf() {
			g.Flags |= encoding.HasOpSel
		}
	})
}

// rowsOf11 returns rows of GFX11 that GFX10 has at the same numbers, by their names of GFX9, without those that are
// GFX11's alone.
func rowsOf11(rows []encoding.Row, alone ...string) []encoding.Row {
	var list []encoding.Row
	for _, r := range rows {
		if !slices.Contains(alone, r.Name) {
			list = append(list, encoding.Row{Op: r.Op, Name: r.Kin()})
		}
	}
	return list
}

// shared10 is shared for GFX10.
func shared10(rows []encoding.Row) []encoding.Row {
	return sharedBy(func(f *encoding.Form, name string) *encoding.Form { return gfx10Form(f, name, false) }, gfx9Or11, rows)
}

// shared10VOP3 is shared10 for instructions that have no other form.
func shared10VOP3(rows []encoding.Row) []encoding.Row {
	return sharedBy(func(f *encoding.Form, name string) *encoding.Form { return gfx10Form(f, name, true) }, gfx9Or11, rows)
}

// gfx9Or11 finds GFX9's rows, and GFX11's where that has none.
var gfx9Or11 = sync.OnceValue(func() map[string]*encoding.Row {
	m := maps.Clone(gfx11ByName())
	maps.Copy(m, gfx9ByName())
	return m
})
