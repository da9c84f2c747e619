package gcn

import "sync"

// Numbers of VOPC, VOP2 and VOP1 rows start here in their VOP3 form; what is
// numbered from firstVOP3 on has no other form.
const (
	vop2InVOP3 = 0x100
	vop1InVOP3 = 0x140
	firstVOP3  = 0x1c0
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
	t := &tables[chip]
	t.once.Do(func() { t.fill(chip) })
	return &t.table
}

func (t *table) fill(chip Chip) {
	sets := []struct {
		enc  Encoding
		rows []Row
		base uint16
	}{
		{SOP2, rowsSOP2(), 0}, {SOPK, rowsSOPK(), 0}, {SOP1, rowsSOP1(), 0}, {SOPC, rowsSOPC(), 0}, {SOPP, rowsSOPP(), 0},
		{SMEM, rowsSMEM(), 0}, {VOP2, rowsVOP2(), 0}, {VOP1, rowsVOP1(), 0}, {VOPC, rowsVOPC(), 0},
		{VOP3, rowsVOPC(), 0}, {VOP3, rowsVOP2(), vop2InVOP3}, {VOP3, rowsVOP1(), vop1InVOP3}, {VOP3, rowsVOP3(), 0},
		{VOP3P, rowsVOP3P(), 0}, {VOP3P, rowsMFMA(), 0}, {VINTRP, rowsVINTRP(), 0}, {DS, rowsDS(), 0},
		{FLAT, rowsFlat(), segFlat << 7}, {FLAT, rowsScratch(), segScratch << 7}, {FLAT, rowsGlobal(), segGlobal << 7},
		{MUBUF, rowsMUBUF(), 0}, {MTBUF, rowsMTBUF(), 0}, {MIMG, rowsMIMG(), 0}, {EXP, rowsEXP(), 0}, {VOP3PX, rowsScaled(), 0},
	}
	for _, s := range sets {
		if t[s.enc] == nil {
			t[s.enc] = make([]*Row, encodings[s.enc].numbers)
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

// encodings tells the name of each encoding, how many numbers it has, where
// they sit in the first word, of VOP3PX in the third, and its size in bytes without a literal.
var encodings = [numEncodings]struct {
	name    string
	numbers uint16
	shift   uint8
	size    uint8
}{
	SOP2: {"SOP2", 128, 23, 4}, SOPK: {"SOPK", 32, 23, 4}, SOP1: {"SOP1", 256, 8, 4}, SOPC: {"SOPC", 128, 16, 4}, SOPP: {"SOPP", 128, 16, 4},
	SMEM: {"SMEM", 256, 18, 8}, VOP2: {"VOP2", 64, 25, 4}, VOP1: {"VOP1", 256, 9, 4}, VOPC: {"VOPC", 256, 17, 4},
	VOP3: {"VOP3", 1024, 16, 8}, VOP3P: {"VOP3P", 128, 16, 8}, VINTRP: {"VINTRP", 4, 16, 4}, DS: {"DS", 256, 17, 8},
	FLAT: {"FLAT", 512, 18, 8}, MUBUF: {"MUBUF", 128, 18, 8}, MTBUF: {"MTBUF", 16, 15, 8}, MIMG: {"MIMG", 128, 18, 8}, EXP: {"EXP", 1, 0, 8},
	VOP3PX: {"VOP3PX", 128, 16, 16},
}

// String returns the manual's name of the encoding.
func (e Encoding) String() string {
	if e < numEncodings {
		return encodings[e].name
	}
	return "Encoding(?)"
}

// encodingOf returns the encoding that a first word selects.
func encodingOf(w uint32) (Encoding, bool) {
	switch {
	case w>>31 == 0:
		switch w >> 25 {
		case 0x3f:
			return VOP1, true
		case 0x3e:
			return VOPC, true
		}
		return VOP2, true
	case w>>30 == 2:
		switch {
		case w>>23 == 0x17f:
			return SOPP, true
		case w>>23 == 0x17e:
			return SOPC, true
		case w>>23 == 0x17d:
			return SOP1, true
		case w>>28 == 0xb:
			return SOPK, true
		}
		return SOP2, true
	}
	if w>>23 == 0x1a7 {
		return VOP3P, true
	}
	enc := byPrefix[w>>26&15]
	return enc, enc != SOP2
}

// byPrefix holds the encodings of words that start with the bits 11, by the four bits that follow.
var byPrefix = [16]Encoding{0: SMEM, 1: EXP, 4: VOP3, 5: VINTRP, 6: DS, 7: FLAT, 8: MUBUF, 10: MTBUF, 12: MIMG}
