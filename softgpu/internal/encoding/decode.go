package encoding

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrReserved stands for every encoding that has a row but bits that mean nothing.
var ErrReserved = errors.New("reserved bits are set")

// Decode is Decode with a table of the chip's rows.
func (t *Table) Decode(i *Inst, code []byte, off uint32, chip Chip) error {
	if uint64(off)+4 > uint64(len(code)) {
		return fmt.Errorf("gcn: offset %#x: truncated: no whole word in %d bytes", off, len(code))
	}
	i.Offset, i.Chip, i.Wave32, i.Clears = off, chip.Model(), chip.IsWave32(), chip.ClearsHalves()
	chip = i.Chip
	set := chip.Set()
	d := decoder{inst: i, rows: t, set: set.Facts(), code: code[off:], lo: binary.LittleEndian.Uint32(code[off:])}
	if uint64(off)+8 <= uint64(len(code)) {
		d.hi, d.more = binary.LittleEndian.Uint32(code[off+4:]), true
	}
	enc, ok := set.EncodingOf(d.lo)
	if !ok {
		return fmt.Errorf("gcn: offset %#x: word %#08x has no known encoding", off, d.lo)
	}
	if enc == VOP3P && (chip.AtLeast(Gfx950) && d.scaled(code[off:]) || set == GFX1250 && d.scaledWMMA(code[off:])) {
		enc = VOP3PX
	}
	i.Enc = enc
	number := d.number(enc)
	if rows := t[enc]; int(number) < len(rows) {
		i.Row = rows[number]
	}
	if i.Row == nil {
		return fmt.Errorf("gcn: offset %#x: unknown opcode %d of encoding %v on %v", off, number, enc, chip)
	}
	d.form = i.Row.Form
	i.Size = d.set.Encodings[enc].Size
	if size := i.Size; size >= 8 {
		d.needHigh()
		i.Size = size
	}
	if d.err == nil {
		layouts[set][enc](&d)
		d.aligned()
		i.Dst.discard()
		i.SDst.discard()
	}
	if d.err != nil {
		return fmt.Errorf("gcn: offset %#x: %s (%v opcode %d): %w", off, i.Row.Name, enc, number, d.err)
	}
	return nil
}

// layouts decode the fields of an encoding.
var layouts = [numSets][NumEncodings]func(*decoder){
	GFX9: {
		SOP2: (*decoder).scalar, SOPK: (*decoder).scalar, SOP1: (*decoder).scalar, SOPC: (*decoder).scalar, SOPP: (*decoder).scalar,
		SMEM: (*decoder).smem, VOP2: (*decoder).vop, VOP1: (*decoder).vop, VOPC: (*decoder).vop, VOP3: (*decoder).vop3, VOP3P: (*decoder).vop3p, VOP3PX: (*decoder).matrix,
		VINTRP: (*decoder).vintrp, DS: (*decoder).ds, FLAT: (*decoder).flat, MUBUF: (*decoder).buffer, MTBUF: (*decoder).buffer,
		MIMG: (*decoder).image, EXP: (*decoder).export,
	},
	GFX10: {
		SOP2: (*decoder).scalar, SOPK: (*decoder).scalar, SOP1: (*decoder).scalar, SOPC: (*decoder).scalar, SOPP: (*decoder).scalar,
		SMEM: (*decoder).smem10, VOP2: (*decoder).vop, VOP1: (*decoder).vop, VOPC: (*decoder).vop, VOP3: (*decoder).vop3, VOP3P: (*decoder).vop3p,
		DS: (*decoder).ds, FLAT: (*decoder).flat10, MUBUF: (*decoder).buffer10, MTBUF: (*decoder).buffer10,
	},
	GFX11: {
		SOP2: (*decoder).scalar, SOPK: (*decoder).scalar, SOP1: (*decoder).scalar, SOPC: (*decoder).scalar, SOPP: (*decoder).scalar,
		SMEM: (*decoder).smem11, VOP2: (*decoder).vop, VOP1: (*decoder).vop, VOPC: (*decoder).vop, VOP3: (*decoder).vop3, VOP3P: (*decoder).vop3p, VOPD: (*decoder).vopd,
		DS: (*decoder).ds, FLAT: (*decoder).flat11, MUBUF: (*decoder).buffer11, MTBUF: (*decoder).buffer11,
	},
	GFX12: {
		SOP2: (*decoder).scalar, SOPK: (*decoder).scalar, SOP1: (*decoder).scalar, SOPC: (*decoder).scalar, SOPP: (*decoder).scalar,
		SMEM: (*decoder).smem12, VOP2: (*decoder).vop, VOP1: (*decoder).vop, VOPC: (*decoder).vop, VOP3: (*decoder).vop3, VOP3P: (*decoder).vop3p, VOPD: (*decoder).vopd,
		DS: (*decoder).ds, FLAT: (*decoder).flat12, MUBUF: (*decoder).buffer12, MTBUF: (*decoder).buffer12,
	},
	GFX1250: {
		SOP2: (*decoder).scalar, SOPK: (*decoder).scalar, SOP1: (*decoder).scalar, SOPC: (*decoder).scalar, SOPP: (*decoder).scalar,
		SMEM: (*decoder).smem12, VOP2: (*decoder).vop, VOP1: (*decoder).vop, VOPC: (*decoder).vop, VOP3: (*decoder).vop3, VOP3P: (*decoder).vop3p, VOP3PX: (*decoder).wmma,
		VOPD: (*decoder).vopd, VOPD3: (*decoder).vopd3, DS: (*decoder).ds, FLAT: (*decoder).flat12, MUBUF: (*decoder).buffer12, VTENSOR: (*decoder).tensor,
	},
}

// decoder is the state of decoding one instruction. Its first error stays.
type decoder struct {
	inst   *Inst
	rows   *Table
	set    *setFacts
	code   []byte // from the instruction on
	form   *Form
	lo, hi uint32 // first and second word
	more   bool   // there is a second word
	err    error
}

// number returns the instruction's number in its encoding.
func (d *decoder) number(enc Encoding) uint16 {
	e := &d.set.Encodings[enc]
	n := uint16(d.lo>>e.Shift) & (e.Numbers - 1)
	switch enc {
	case MTBUF:
		if d.set == &Sets[GFX10] {
			return n&7 | uint16(d.hi>>21&1)<<3
		}
	case FLAT:
		return n&0x7f | uint16(d.lo>>d.set.Segment&3)<<7
	case MIMG:
		return n | uint16(d.lo&1)<<7
	}
	return n
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

// reserve makes it an error that one of the bits is set.
func (d *decoder) reserve(bits uint32) {
	if bits != 0 && d.err == nil {
		d.err = ErrReserved
	}
}

// needHigh makes it an error that there is no second word.
func (d *decoder) needHigh() {
	d.inst.Size = 8
	if !d.more {
		d.fail("truncated: the second word is missing")
	}
}

// word returns a word of the instruction that it can't do without.
func (d *decoder) word(n int) uint32 {
	if len(d.code) < 4*n+4 {
		d.fail("truncated: the %s word is missing", [...]string{"first", "second", "third", "fourth"}[n])
		return 0
	}
	return binary.LittleEndian.Uint32(d.code[4*n:])
}

func bit(w uint32, n uint) bool { return w>>n&1 != 0 }
