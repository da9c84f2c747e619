package rows

import (
	"fmt"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// tables are filled, and their rows made, when a chip's first instruction is decoded. A process with a GPU decodes none.
var tables [encoding.NumChips]struct {
	once sync.Once
	encoding.Table
}

func tableOf(chip encoding.Chip) *encoding.Table {
	chip = chip.Model()
	t := &tables[chip]
	t.once.Do(func() { fill(&t.Table, chip) })
	return &t.Table
}

// rowSet is the rows of an encoding, the first of which has the number base.
type rowSet struct {
	enc  encoding.Encoding
	rows []encoding.Row
	base uint16
}

// fill enters the rows of a chip.
func fill(t *encoding.Table, chip encoding.Chip) {
	set := chip.Set()
	facts := set.Facts()
	for _, s := range rowsOf(set) {
		if t[s.enc] == nil {
			t[s.enc] = make([]*encoding.Row, facts.Encodings[s.enc].Numbers)
		}
		for n := range s.rows {
			row := &s.rows[n]
			if s.enc == encoding.VOP3 && row.Form.Has(encoding.NoVOP3) || !row.Chips.Has(chip) {
				continue
			}
			t[s.enc][row.Op+s.base] = row
		}
	}
}

// rowsOf returns all rows of a set.
func rowsOf(s encoding.Set) []rowSet {
	switch s {
	case encoding.GFX10:
		return gfx10Rows()
	case encoding.GFX11:
		return gfx11Rows()
	case encoding.GFX12:
		return gfx12Rows()
	case encoding.GFX1250:
		return gfx1250Rows()
	}
	return gfx9Rows()
}

func gfx9Rows() []rowSet {
	return []rowSet{
		{encoding.SOP2, rowsSOP2(), 0}, {encoding.SOPK, rowsSOPK(), 0}, {encoding.SOP1, rowsSOP1(), 0}, {encoding.SOPC, rowsSOPC(), 0}, {encoding.SOPP, rowsSOPP(), 0},
		{encoding.SMEM, rowsSMEM(), 0}, {encoding.VOP2, rowsVOP2(), 0}, {encoding.VOP1, rowsVOP1(), 0}, {encoding.VOPC, rowsVOPC(), 0},
		{encoding.VOP3, rowsVOPC(), 0}, {encoding.VOP3, rowsVOP2(), encoding.Vop2InVOP3}, {encoding.VOP3, rowsVOP1(), encoding.Sets[encoding.GFX9].Vop1InVOP3}, {encoding.VOP3, rowsVOP3(), 0},
		{encoding.VOP3P, rowsVOP3P(), 0}, {encoding.VOP3P, rowsMFMA(), 0}, {encoding.VINTRP, rowsVINTRP(), 0}, {encoding.DS, rowsDS(), 0},
		{encoding.FLAT, rowsFlat(), encoding.SegFlat << 7}, {encoding.FLAT, rowsScratch(), encoding.SegScratch << 7}, {encoding.FLAT, rowsGlobal(), encoding.SegGlobal << 7},
		{encoding.MUBUF, rowsMUBUF(), 0}, {encoding.MTBUF, rowsMTBUF(), 0}, {encoding.MIMG, rowsMIMG(), 0}, {encoding.EXP, rowsEXP(), 0}, {encoding.VOP3PX, rowsScaled(), 0},
	}
}

// gfx9ByName finds GFX9's rows, whose forms and meanings other sets share.
var gfx9ByName = sync.OnceValue(func() map[string]*encoding.Row { return byName(gfx9Rows()) })

// gfx11ByName finds those of GFX11, which GFX10 shares where GFX9 has none.
var gfx11ByName = sync.OnceValue(func() map[string]*encoding.Row { return byName(gfx11Rows()) })

func byName(sets []rowSet) map[string]*encoding.Row {
	m := map[string]*encoding.Row{}
	for _, s := range sets {
		for n := range s.rows {
			if row := &s.rows[n]; m[row.Name] == nil {
				m[row.Name] = row
			}
		}
	}
	return m
}

// shared completes rows of GFX11 that have no form: each gets the form, the meaning and the fidelity of the GFX9 row of
// the same name. It panics if there is no such row.
func shared(rows []encoding.Row) []encoding.Row {
	return sharedBy(rdnaForm, gfx9ByName, rows)
}

// sharedBy is shared for any instruction set: form converts a form to the set's, and find returns the rows to copy from.
func sharedBy(form func(*encoding.Form, string) *encoding.Form, find func() map[string]*encoding.Row, rows []encoding.Row) []encoding.Row {
	for n := range rows {
		row := &rows[n]
		if row.Form != nil {
			row.Form = form(row.Form, row.Name)
			continue
		}
		like := find()[row.Kin()]
		if like == nil {
			panic(fmt.Sprintf("rows: row %s has no form, and none of others is called %s", row.Name, row.Kin()))
		}
		row.Form, row.Do = form(like.Form, row.Name), like.Do
		if row.Fidelity == nil {
			row.Fidelity = like.Fidelity
		}
	}
	return rows
}
