package gcn

import (
	"encoding/binary"
	"math/rand"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// subject is one form of one row on a chip, to be covered by tests.
type subject struct {
	row    *Row
	enc    Encoding
	suffix Suffix
	number uint16
}

func (s subject) String() string {
	return s.row.Name + [...]string{Plain: " ", SDWA: " sdwa ", DPP: " dpp ", DPP8: " dpp8 "}[s.suffix] + s.enc.String()
}

// subjects returns every form of every row that the chip has.
func subjects(chip Chip) []subject {
	var all []subject
	for enc := range tableOf(chip) {
		e := Encoding(enc)
		if e == VOPDY || e == VOPD && !chip.IsWave32() {
			continue
		}
		for number, row := range tableOf(chip)[e] {
			if row == nil {
				continue
			}
			all = append(all, subject{row, e, Plain, uint16(number)})
			if chip.RDNA() {
				if (e == VOP1 || e == VOP2 || e == VOPC) && !row.Form.Has(NoDPP) || (e == VOP3 || e == VOP3P) && !row.Form.noDPP3() {
					all = append(all, subject{row, e, DPP, uint16(number)}, subject{row, e, DPP8, uint16(number)})
				}
				continue
			}
			if e == VOP1 || e == VOP2 || e == VOPC {
				if !row.Form.Has(NoSDWA) {
					all = append(all, subject{row, e, SDWA, uint16(number)})
				}
				if !row.Form.Has(NoDPP) {
					all = append(all, subject{row, e, DPP, uint16(number)})
				}
			}
		}
	}
	return all
}

// fieldBits are the bits of the first word that are neither prefix nor number.
func fieldBits(set Set, enc Encoding) uint32 {
	e := &set.facts().encodings[enc]
	switch enc {
	case VOP2:
		return 1<<25 - 1
	case VOP1, VOPC:
		return 0x1ffffff &^ (uint32(e.numbers-1) << e.shift)
	case SOP1, SOPC, SOPP:
		return 0x7fffff &^ (uint32(e.numbers-1) << e.shift)
	case SOP2, SOPK:
		return 0x7fffff
	case FLAT:
		return 0x3ffffff &^ (0x7f<<18 | 3<<set.facts().segment)
	case MIMG:
		return 0x3ffffff &^ (0x7f<<18 | 1)
	case VOP3:
		return 0xffff
	case VOP3P, VOP3PX:
		return 0xffff
	case VOPD:
		return 0x3fffff
	case EXP:
		return 0x3ffffff
	}
	return 0x3ffffff &^ (uint32(e.numbers-1) << e.shift)
}

func opcodeBits(chip Chip, s subject) uint32 {
	switch s.enc {
	case FLAT:
		return uint32(s.number&0x7f)<<18 | uint32(s.number>>7)<<chip.Set().facts().segment
	case MIMG:
		return uint32(s.number&0x7f)<<18 | uint32(s.number>>7)
	}
	return uint32(s.number) << chip.Set().facts().encodings[s.enc].shift
}

// propose returns random words for a subject. Most often they decode.
func propose(r *rand.Rand, chip Chip, s subject) pair {
	free := fieldBits(chip.Set(), s.enc)
	var p pair
	for try := 0; try < 40; try++ {
		p = pair{lo: prefixes[chip.Set()][s.enc] | opcodeBits(chip, s) | r.Uint32()&free, hi: r.Uint32()}
		if chip.RDNA() {
			proposeRDNA(r, &p, s)
		}
		if s.enc == VOP3PX {
			p.lo = p.lo&^(15<<11) | scaledABID<<11
			p.scales = &[2]uint32{scalesMark<<16 | r.Uint32()&0xffff, r.Uint32() | 1<<8 | 1<<17}
		}
		if !chip.RDNA() && (s.enc == VOP1 || s.enc == VOP2 || s.enc == VOPC) {
			switch s.suffix {
			case SDWA:
				p.lo = p.lo&^0x1ff | srcSDWA
				p.hi = validSDWA(r, p.hi)
				switch {
				case s.row.Form.Src[0].Class == NoSlot:
					p.hi &^= 0xbf3fe000
				case s.row.Form.Has(NoDstSel):
					p.hi = p.hi&^0x700 | alu.SelDword<<8
				}
			case DPP:
				p.lo = p.lo&^0x1ff | srcDPP
				p.hi = p.hi&^0x1ff00 | dppWord(r, chip, s.row.Form)<<8
			}
		}
		if s.suffix == Plain && chip.Set().facts().encodings[s.enc].size == 4 && r.Intn(3) == 0 {
			p.hi = literals[r.Intn(len(literals))]
		}
		// Reserved bits are more often in the way than not: thin them out.
		if s.row.Form.Dst.Class == NoSlot && s.enc == VOP1 {
			p.lo &^= 0xff << 17
		}
		for n := 0; n < try/2; n++ {
			if s.enc != VOP3PX {
				p.lo &= ^free | r.Uint32() | r.Uint32()
			}
			if s.suffix == Plain && chip.Set().facts().encodings[s.enc].size >= 8 {
				p.hi &= r.Uint32() | r.Uint32()
			}
		}
		if s.suffix != Plain && !chip.RDNA() {
			p.hi &^= [...]uint32{0, 0x38380000, 0x00f00000, 0x3000c000, 0xb000c000, 0xbf38c000, 0x38080000, 0x08080000}[r.Intn(8)]
		}
		if (chip.RDNA() || !dangerous(p)) && (r.Intn(12) == 0 || decodesAs(chip, p, s)) {
			return p
		}
	}
	return p
}

// proposeRDNA adds a third word, the marks of DPP, and takes away what is hardly ever valid.
func proposeRDNA(r *rand.Rand, p *pair, s subject) {
	third := r.Uint32()
	if r.Intn(2) == 0 {
		third = literals[r.Intn(len(literals))]
	}
	p.third = &third
	mark := uint32(srcDPP)
	if s.suffix == DPP8 {
		mark = srcDPP8 + uint32(r.Intn(2))
	}
	dpp := r.Uint32()
	if s.suffix == DPP {
		c := rdnaControls[r.Intn(len(rdnaControls))]
		ctrl := uint32(c.first) + uint32(r.Intn(int(c.last-c.first)+1))
		if r.Intn(3) == 0 {
			ctrl = uint32(r.Intn(256))
		}
		dpp = dpp&^0x1ff00 | ctrl<<8
		if r.Intn(2) == 0 {
			dpp &^= 15 << 20
		}
	}
	switch {
	case s.suffix != Plain && (s.enc == VOP3 || s.enc == VOP3P):
		p.hi, third = p.hi&^0x1ff|mark, dpp
		if r.Intn(2) == 0 {
			p.hi |= 1<<17 | 1<<26
		}
	case s.suffix != Plain:
		p.lo, p.hi = p.lo&^0x1ff|mark, dpp
	}
	if s.enc == FLAT && r.Intn(4) != 0 {
		p.hi &^= 1 << 23
		if r.Intn(2) == 0 {
			p.hi = p.hi&^(0x7f<<16) | 124<<16
		}
	}
	if s.enc == VOP3 && s.row.Form.Has(ToExec) {
		p.lo = p.lo&^0xff | srcExec
	}
	if s.enc == VOPD {
		p.lo = p.lo&^(31<<17) | uint32(r.Intn(19))<<17
		if p.lo>>22&15 == 8 {
			p.lo &^= 0xff << 9
		}
		if p.lo>>17&31 == 8 {
			p.hi &^= 0xff << 9
		}
	}
	if s.enc == SMEM && r.Intn(2) == 0 {
		p.hi |= 124 << 25
	}
}

// literals are those that look like inline constants to some operand, and neighbours.
var literals = []uint32{0, 5, 64, 65, 0xffffffff, 0xfffffff0, 0xffffffef, 0x3f800000, 0x3ff00000, 0xc0100000, 0x3fc45f30, 0x3e22f983,
	0x3c00, 0x4400, 0x3118, 0xffff, 0xfff0, 0xffef, 0x10005, 0x13c00, 0x80000000}

// dppWord returns a DPP control that the chip may have.
func dppWord(r *rand.Rand, chip Chip, f *Form) uint32 {
	if chip >= Gfx90a && (f.wide() || r.Intn(8) == 0) {
		return dppNewBcast | uint32(r.Intn(16))
	}
	return uint32(dppNewBcast * r.Float64())
}

func validSDWA(r *rand.Rand, w uint32) uint32 {
	w = w&^0x07071f00 | uint32(r.Intn(7))<<8 | uint32(r.Intn(3))<<11 | uint32(r.Intn(7))<<16 | uint32(r.Intn(7))<<24
	return w
}

func decodesAs(chip Chip, p pair, s subject) bool {
	i, err := Decode(p.bytes(), 0, chip)
	return err == nil && i.Suffix == s.suffix
}

func (p pair) bytes() []byte {
	var b []byte
	for _, w := range p.words() {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// dangerous reports whether the disassembler dies on p, or on what starts at
// p.hi. Bisection copes with that too, but slowly.
func dangerous(p pair) bool { return kills(p.lo, p.hi) || kills(p.hi, guard) }

func kills(lo, hi uint32) bool {
	enc, ok := GFX9.encodingOf(lo)
	if !ok {
		return false
	}
	switch enc {
	case VOP1, VOP2, VOPC:
		if lo&0x1ff == srcSDWA {
			return hi>>8&7 == 7 || hi>>11&3 == 3 || hi>>16&7 == 7 || hi>>24&7 == 7
		}
		return enc == VOPC && lo&0x1ff == srcDPP
	case MUBUF, MTBUF:
		return hi>>24 == srcLiteral
	case VOP3, VOP3P, VOP3PX:
		return hi&0x1ff == srcLiteral || hi>>9&0x1ff == srcLiteral || hi>>18&0x1ff == srcLiteral
	}
	return false
}
