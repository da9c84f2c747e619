package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// GFX12 has most of GFX11's numbers: its rows are those of GFX11 with changes.

// change is how an encoding's rows differ from those of GFX11.
type change struct {
	without []string          // first characters of names that are gone
	renamed map[string]string // the same instruction under another name
	moved   map[string]uint16 // to another number, by the new name
	more    []encoding.Row
}

// of returns GFX11's rows as they have changed.
func (c change) of(base []encoding.Row) []encoding.Row {
	gone := map[string]bool{}
	for _, name := range c.without {
		gone[name] = true
	}
	var rows []encoding.Row
	for _, row := range base {
		if gone[row.Name] {
			continue
		}
		if name := c.renamed[row.Name]; name != "" {
			row.Like, row.Name = row.Kin(), name
		}
		if op, ok := c.moved[row.Name]; ok {
			row.Op = op
		}
		row.Chips = 0
		rows = append(rows, row)
	}
	return append(rows, likeOlder(shared(c.more))...)
}

// likeOlder gives rows the fidelity of those of GFX9 of the same name.
func likeOlder(rows []encoding.Row) []encoding.Row {
	for n := range rows {
		if old := gfx9ByName()[rows[n].Kin()]; old != nil && rows[n].Do != nil && rows[n].Fidelity == nil {
			rows[n].Fidelity = old.Fidelity
		}
	}
	return rows
}

var gfx12Rows = sync.OnceValue(func() []rowSet {
	sop2, sop1, sopc := append(rows11SOP2(), rows11Salu().sop2...), append(rows11SOP1(), rows11Salu().sop1...), append(rows11SOPC(), rows11Salu().sopc...)
	vop2, vop1, vopc := rows12VOP2().of(rows11VOP2()), rows12VOP1().of(rows11VOP1()), rows12VOPC().of(rows11VOPC())
	renamed := change{renamed: map[string]string{"v_dual_max_f32": "v_dual_max_num_f32", "v_dual_min_f32": "v_dual_min_num_f32"}}
	return []rowSet{
		{encoding.SOP2, rows12SOP2().of(sop2), 0}, {encoding.SOPK, rows12SOPK().of(rows11SOPK()), 0}, {encoding.SOP1, rows12SOP1().of(sop1), 0},
		{encoding.SOPC, change{}.of(sopc), 0}, {encoding.SOPP, rows12SOPP().of(rows11SOPP()), 0},
		{encoding.SMEM, rows12SMEM().of(rows11SMEM()), 0}, {encoding.VOP2, vop2, 0}, {encoding.VOP1, vop1, 0}, {encoding.VOPC, vopc, 0},
		{encoding.VOP3, vopc, 0}, {encoding.VOP3, vop2, encoding.Vop2InVOP3}, {encoding.VOP3, vop1, encoding.Sets[encoding.GFX12].Vop1InVOP3},
		{encoding.VOP3, rows12VOP3().of(rows11VOP3()), 0}, {encoding.VOP3P, rows12VOP3P().of(rows11VOP3P()), 0}, {encoding.VOP3P, rows12WMMA(), 0},
		{encoding.VOPD, dualPicks(renamed.of(rows11VOPD())), 0}, {encoding.VOPDY, dualPicks(renamed.of(rows11VOPDY())), 0}, {encoding.DS, rows12DS().of(rows11DS()), 0},
		{encoding.FLAT, rows12Flat().of(rows11Flat()), encoding.SegFlat << 7}, {encoding.FLAT, rows12Scratch().of(rows11Scratch()), encoding.SegScratch << 7},
		{encoding.FLAT, rows12Global().of(rows11Global()), encoding.SegGlobal << 7},
		{encoding.MUBUF, rows12MUBUF().of(rows11MUBUF()), 0}, {encoding.MTBUF, change{}.of(rows11MTBUF()), 0},
	}
})
