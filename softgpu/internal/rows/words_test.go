package rows

import (
	"encoding/binary"
	"math/rand"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// subject is one form of one row on a chip, to be covered by tests.
type subject struct {
	row    *encoding.Row
	enc    encoding.Encoding
	suffix encoding.Suffix
	number uint16
}

func (s subject) String() string {
	return s.row.Name + [...]string{encoding.Plain: " ", encoding.SDWA: " sdwa ", encoding.DPP: " dpp ", encoding.DPP8: " dpp8 "}[s.suffix] + s.enc.String()
}

// subjects returns every form of every row that the chip has.
func subjects(chip encoding.Chip) []subject {
	var all []subject
	for enc := range tableOf(chip) {
		e := encoding.Encoding(enc)
		if e == encoding.VOPDY || e == encoding.VOPD3Y || e == encoding.VOPD && !chip.IsWave32() {
			continue
		}
		for number, row := range tableOf(chip)[e] {
			if row == nil {
				continue
			}
			all = append(all, subject{row, e, encoding.Plain, uint16(number)})
			if chip.Set() != encoding.GFX9 && chip.Set() != encoding.GFX10 {
				if (e == encoding.VOP1 || e == encoding.VOP2 || e == encoding.VOPC) && !row.Form.Has(encoding.NoDPP) || (e == encoding.VOP3 || e == encoding.VOP3P) && !row.Form.NoDPP3() {
					all = append(all, subject{row, e, encoding.DPP, uint16(number)}, subject{row, e, encoding.DPP8, uint16(number)})
				}
				continue
			}
			if e == encoding.VOP1 || e == encoding.VOP2 || e == encoding.VOPC {
				if !row.Form.Has(encoding.NoSDWA) {
					all = append(all, subject{row, e, encoding.SDWA, uint16(number)})
				}
				if !row.Form.Has(encoding.NoDPP) {
					all = append(all, subject{row, e, encoding.DPP, uint16(number)})
					if chip.RDNA() {
						all = append(all, subject{row, e, encoding.DPP8, uint16(number)})
					}
				}
			}
		}
	}
	return all
}

// fieldBits are the bits of the first word that are neither prefix nor number.
func fieldBits(set encoding.Set, enc encoding.Encoding) uint32 {
	e := &set.Facts().Encodings[enc]
	if set >= encoding.GFX12 {
		switch enc {
		case encoding.VOPD3:
			return 0xffffff &^ (63 << 18)
		case encoding.VTENSOR:
			return 0x3ffffff &^ (0xff << 14)
		case encoding.FLAT:
			return 0xffffff &^ (0xff << 14)
		case encoding.MUBUF, encoding.MTBUF:
			return 0x3ffffff &^ (0xff << 14)
		}
	}
	switch enc {
	case encoding.VOP2:
		return 1<<25 - 1
	case encoding.VOP1, encoding.VOPC:
		return 0x1ffffff &^ (uint32(e.Numbers-1) << e.Shift)
	case encoding.SOP1, encoding.SOPC, encoding.SOPP:
		return 0x7fffff &^ (uint32(e.Numbers-1) << e.Shift)
	case encoding.SOP2, encoding.SOPK:
		return 0x7fffff
	case encoding.FLAT:
		return 0x3ffffff &^ (0x7f<<18 | 3<<set.Facts().Segment)
	case encoding.MIMG:
		return 0x3ffffff &^ (0x7f<<18 | 1)
	case encoding.VOP3:
		return 0xffff
	case encoding.VOP3P, encoding.VOP3PX:
		return 0xffff
	case encoding.VOPD:
		return 0x3fffff
	case encoding.EXP:
		return 0x3ffffff
	case encoding.MTBUF:
		if set == encoding.GFX10 {
			return 0x3ffffff &^ (7 << 16)
		}
	}
	return 0x3ffffff &^ (uint32(e.Numbers-1) << e.Shift)
}

func opcodeBits(chip encoding.Chip, s subject) uint32 {
	switch s.enc {
	case encoding.MTBUF:
		if chip.Set() == encoding.GFX10 {
			return uint32(s.number&7) << 16 // the other bit is in the second word
		}
	case encoding.FLAT:
		facts := chip.Set().Facts()
		return uint32(s.number&0x7f)<<facts.Encodings[s.enc].Shift | uint32(s.number>>7)<<facts.Segment
	case encoding.MIMG:
		return uint32(s.number&0x7f)<<18 | uint32(s.number>>7)
	}
	return uint32(s.number) << chip.Set().Facts().Encodings[s.enc].Shift
}

// propose returns random words for a subject. Most often they decode.
func propose(r *rand.Rand, chip encoding.Chip, s subject) pair {
	free := fieldBits(chip.Set(), s.enc)
	var p pair
	for try := 0; try < 40; try++ {
		p = pair{lo: encoding.Prefixes[chip.Set()][s.enc] | opcodeBits(chip, s) | r.Uint32()&free, hi: r.Uint32()}
		if chip.RDNA() {
			proposeRDNA(r, &p, s, chip.Set())
		}
		if s.suffix == encoding.SDWA {
			p.lo = p.lo&^0x1ff | encoding.SrcSDWA
			p.hi = validSDWA(r, p.hi)
			switch {
			case s.row.Form.Src[0].Class == encoding.NoSlot:
				p.hi &^= 0xbf3fe000
			case s.row.Form.Has(encoding.NoDstSel):
				p.hi = p.hi&^0x700 | alu.SelDword<<8
			}
		}
		if chip.Set() >= encoding.GFX12 {
			proposeRDNA4(r, &p, s)
		}
		if chip.OnlyWave32() {
			propose1250(r, &p, s)
		}
		if s.enc == encoding.VOP3PX && !chip.RDNA() {
			p.lo = p.lo&^(15<<11) | encoding.ScaledABID<<11
			p.scales = &[2]uint32{encoding.ScalesMark<<16 | r.Uint32()&0xffff, r.Uint32() | 1<<8 | 1<<17}
		}
		if !chip.RDNA() && s.suffix == encoding.DPP {
			p.lo = p.lo&^0x1ff | encoding.SrcDPP
			p.hi = p.hi&^0x1ff00 | dppWord(r, chip, s.row.Form)<<8
		}
		if s.suffix == encoding.Plain && chip.Set().Facts().Encodings[s.enc].Size == 4 && r.Intn(3) == 0 {
			p.hi = literals[r.Intn(len(literals))]
		}
		// Reserved bits are more often in the way than not: thin them out.
		if s.row.Form.Dst.Class == encoding.NoSlot && s.enc == encoding.VOP1 {
			p.lo &^= 0xff << 17
		}
		for n := 0; n < try/2; n++ {
			if s.enc != encoding.VOP3PX {
				p.lo &= ^free | r.Uint32() | r.Uint32()
			}
			if s.suffix == encoding.Plain && chip.Set().Facts().Encodings[s.enc].Size >= 8 {
				p.hi &= r.Uint32() | r.Uint32()
			}
		}
		if s.suffix == encoding.SDWA || s.suffix != encoding.Plain && !chip.RDNA() {
			p.hi &^= [...]uint32{0, 0x38380000, 0x00f00000, 0x3000c000, 0xb000c000, 0xbf38c000, 0x38080000, 0x08080000}[r.Intn(8)]
		}
		if (chip.RDNA() || !dangerous(p)) && (r.Intn(12) == 0 || decodesAs(chip, p, s)) {
			return p
		}
	}
	return p
}

// proposeRDNA adds a third word, the marks of DPP, and takes away what is hardly ever valid.
func proposeRDNA(r *rand.Rand, p *pair, s subject, set encoding.Set) {
	third := r.Uint32()
	if r.Intn(2) == 0 {
		third = literals[r.Intn(len(literals))]
	}
	p.third = &third
	mark := uint32(encoding.SrcDPP)
	if s.suffix == encoding.DPP8 {
		mark = encoding.SrcDPP8 + uint32(r.Intn(2))
	}
	dpp := r.Uint32()
	if s.suffix == encoding.DPP {
		c := encoding.RDNAControls[r.Intn(len(encoding.RDNAControls))]
		ctrl := uint32(c.First) + uint32(r.Intn(int(c.Last-c.First)+1))
		if r.Intn(3) == 0 {
			ctrl = uint32(r.Intn(256))
		}
		dpp = dpp&^0x1ff00 | ctrl<<8
		if r.Intn(2) == 0 {
			dpp &^= 15 << 20
		}
	}
	switch {
	case s.suffix == encoding.SDWA:
	case s.suffix != encoding.Plain && (s.enc == encoding.VOP3 || s.enc == encoding.VOP3P):
		p.hi, third = p.hi&^0x1ff|mark, dpp
		if r.Intn(2) == 0 {
			p.hi |= 1<<17 | 1<<26
		}
	case s.suffix != encoding.Plain:
		p.lo, p.hi = p.lo&^0x1ff|mark, dpp
	}
	null := uint32(124)
	if set == encoding.GFX10 {
		null = 125
	}
	if s.enc == encoding.FLAT && r.Intn(4) != 0 {
		p.hi &^= 1 << 23
		if r.Intn(2) == 0 {
			p.hi = p.hi&^(0x7f<<16) | null<<16
		}
	}
	if s.enc == encoding.MTBUF && set == encoding.GFX10 {
		p.hi = p.hi&^(1<<21) | uint32(s.number>>3)<<21
	}
	if s.enc == encoding.VOP3 && s.row.Form.Has(encoding.ToExec) {
		p.lo = p.lo&^0xff | encoding.SrcExec
	}
	if s.enc == encoding.VOPD {
		p.lo = p.lo&^(31<<17) | uint32(r.Intn(19))<<17
		if p.lo>>22&15 == 8 {
			p.lo &^= 0xff << 9
		}
		if p.lo>>17&31 == 8 {
			p.hi &^= 0xff << 9
		}
	}
	if s.enc == encoding.SMEM && r.Intn(2) == 0 {
		p.hi = p.hi&^(0x7f<<25) | null<<25
	}
}

// proposeRDNA4 gives most memory instructions no scalar address, and scalar registers that exist.
func proposeRDNA4(r *rand.Rand, p *pair, s subject) {
	third := r.Uint32()
	switch s.enc {
	case encoding.VOP3P:
		if s.row.Form.Has(encoding.WMMA) || s.row.Form.Src[0].Type == encoding.PackedFloat8 {
			p.lo, p.hi = p.lo&^(7<<11)|1<<14, p.hi|3<<27
			if s.row.Form.Has(encoding.WMMA) {
				p.hi |= 1<<8 | 1<<17
			}
			if r.Intn(2) == 0 {
				p.lo, p.hi = p.lo&^(1<<15|3<<8), p.hi&^(3<<29)
			}
			if s.row.Form.Has(encoding.Sparse) {
				p.lo |= uint32(r.Intn(4)) << 11
			}
		}
		return
	case encoding.FLAT:
		p.hi = r.Uint32()
		if s.number>>7 != encoding.SegScratch {
			p.hi &^= 1 << 17
		}
		if r.Intn(2) == 0 || s.number>>7 == encoding.SegFlat || s.row.Form.Has(encoding.CachePolicy) {
			p.lo = p.lo&^0x7f | 124
		}
		if s.row.Form.Has(encoding.CachePolicy) {
			p.hi, third = p.hi&^0xff, third&^0xff
		}
	case encoding.MUBUF, encoding.MTBUF:
		p.hi = r.Uint32() &^ (3 << 16)
		third &^= 1 << 31
	case encoding.SMEM:
		if s.row.Form.Has(encoding.Prefetch) {
			p.lo &^= 3 << 11
		}
		return
	default:
		return
	}
	p.third = &third
}

// literals are those that look like inline constants to some operand, and neighbours.
var literals = []uint32{0, 5, 64, 65, 0xffffffff, 0xfffffff0, 0xffffffef, 0x3f800000, 0x3ff00000, 0xc0100000, 0x3fc45f30, 0x3e22f983,
	0x3c00, 0x4400, 0x3118, 0xffff, 0xfff0, 0xffef, 0x10005, 0x13c00, 0x80000000}

// dppWord returns a DPP control that the chip may have.
func dppWord(r *rand.Rand, chip encoding.Chip, f *encoding.Form) uint32 {
	if chip >= encoding.Gfx90a && (f.Wide() || r.Intn(8) == 0) {
		return encoding.DPPNewBcast | uint32(r.Intn(16))
	}
	return uint32(encoding.DPPNewBcast * r.Float64())
}

func validSDWA(r *rand.Rand, w uint32) uint32 {
	w = w&^0x07071f00 | uint32(r.Intn(7))<<8 | uint32(r.Intn(3))<<11 | uint32(r.Intn(7))<<16 | uint32(r.Intn(7))<<24
	return w
}

func decodesAs(chip encoding.Chip, p pair, s subject) bool {
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
	enc, ok := encoding.GFX9.EncodingOf(lo)
	if !ok {
		return false
	}
	switch enc {
	case encoding.VOP1, encoding.VOP2, encoding.VOPC:
		if lo&0x1ff == encoding.SrcSDWA {
			return hi>>8&7 == 7 || hi>>11&3 == 3 || hi>>16&7 == 7 || hi>>24&7 == 7
		}
		return enc == encoding.VOPC && lo&0x1ff == encoding.SrcDPP
	case encoding.MUBUF, encoding.MTBUF:
		return hi>>24 == encoding.SrcLiteral
	case encoding.VOP3, encoding.VOP3P, encoding.VOP3PX:
		return hi&0x1ff == encoding.SrcLiteral || hi>>9&0x1ff == encoding.SrcLiteral || hi>>18&0x1ff == encoding.SrcLiteral
	}
	return false
}
