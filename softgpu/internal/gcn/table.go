package gcn

import (
	"fmt"
	"sync"
)

// Segments of FLAT, as encoded.
const (
	segFlat = iota
	segScratch
	segGlobal
)

// table finds a row by its number. FLAT's number is segment<<7 | op.
type table [numEncodings][]*Row

// tables are filled when a chip's first instruction is decoded, and the rows made then: a
// process with a GPU decodes none.
var tables [numChips]struct {
	once sync.Once
	table
}

func tableOf(chip Chip) *table {
	chip = chip.Model()
	t := &tables[chip]
	t.once.Do(func() { fill(&t.table, chip) })
	return &t.table
}

// rowSet is the rows of an encoding, the first of which has the number base.
type rowSet struct {
	enc  Encoding
	rows []Row
	base uint16
}

// fill enters the rows of a chip.
func fill(t *table, chip Chip) {
	set := chip.Set()
	facts := set.facts()
	for _, s := range rowsOf(set) {
		if t[s.enc] == nil {
			t[s.enc] = make([]*Row, facts.encodings[s.enc].numbers)
		}
		for n := range s.rows {
			row := &s.rows[n]
			if s.enc == VOP3 && row.Form.Has(NoVOP3) || !row.Chips.Has(chip) {
				continue
			}
			t[s.enc][row.Op+s.base] = row
		}
	}
}

// rowsOf returns all rows of a set.
func rowsOf(s Set) []rowSet {
	if s == GFX11 {
		return gfx11Rows()
	}
	return gfx9Rows()
}

func gfx9Rows() []rowSet {
	return []rowSet{
		{SOP2, rowsSOP2(), 0}, {SOPK, rowsSOPK(), 0}, {SOP1, rowsSOP1(), 0}, {SOPC, rowsSOPC(), 0}, {SOPP, rowsSOPP(), 0},
		{SMEM, rowsSMEM(), 0}, {VOP2, rowsVOP2(), 0}, {VOP1, rowsVOP1(), 0}, {VOPC, rowsVOPC(), 0},
		{VOP3, rowsVOPC(), 0}, {VOP3, rowsVOP2(), vop2InVOP3}, {VOP3, rowsVOP1(), sets[GFX9].vop1InVOP3}, {VOP3, rowsVOP3(), 0},
		{VOP3P, rowsVOP3P(), 0}, {VOP3P, rowsMFMA(), 0}, {VINTRP, rowsVINTRP(), 0}, {DS, rowsDS(), 0},
		{FLAT, rowsFlat(), segFlat << 7}, {FLAT, rowsScratch(), segScratch << 7}, {FLAT, rowsGlobal(), segGlobal << 7},
		{MUBUF, rowsMUBUF(), 0}, {MTBUF, rowsMTBUF(), 0}, {MIMG, rowsMIMG(), 0}, {EXP, rowsEXP(), 0}, {VOP3PX, rowsScaled(), 0},
	}
}

// gfx9ByName finds GFX9's rows, whose forms and meanings other sets share.
var gfx9ByName = sync.OnceValue(func() map[string]*Row {
	m := map[string]*Row{}
	for _, s := range gfx9Rows() {
		for n := range s.rows {
			if row := &s.rows[n]; m[row.Name] == nil {
				m[row.Name] = row
			}
		}
	}
	return m
})

// shared gives rows without a form that of the row of GFX9 that they are like, and its
// meaning. A row without such a one is a mistake.
func shared(rows []Row) []Row {
	for n := range rows {
		row := &rows[n]
		if row.Form != nil {
			row.Form = rdnaForm(row.Form, row.Name)
			continue
		}
		like := gfx9ByName()[row.kin()]
		if like == nil {
			panic(fmt.Sprintf("gcn: row %s has no form, and none of GFX9 is called %s", row.Name, row.kin()))
		}
		row.Form, row.Do = rdnaForm(like.Form, row.Name), like.Do
	}
	return rows
}

var encodingNames = [numEncodings]string{
	SOP2: "SOP2", SOPK: "SOPK", SOP1: "SOP1", SOPC: "SOPC", SOPP: "SOPP", SMEM: "SMEM", VOP2: "VOP2", VOP1: "VOP1", VOPC: "VOPC",
	VOP3: "VOP3", VOP3P: "VOP3P", VINTRP: "VINTRP", DS: "DS", FLAT: "FLAT", MUBUF: "MUBUF", MTBUF: "MTBUF", MIMG: "MIMG", EXP: "EXP",
	VOP3PX: "VOP3PX", VOPD: "VOPD", VOPDY: "VOPD Y",
}

// String returns the manual's name of the encoding.
func (e Encoding) String() string {
	if e < numEncodings {
		return encodingNames[e]
	}
	return "Encoding(?)"
}
