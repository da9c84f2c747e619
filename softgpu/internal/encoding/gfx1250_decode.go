package encoding

import (
	"encoding/binary"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// What GFX12.5 adds: literals of 64 bits, pairs of instructions with three sources each, matrix instructions with
// scales, and copies of tensors.

// Source numbers of GFX12.5.
const (
	SrcFlatScratchLo = 230
	SrcFlatScratchHi = 231
	SrcLiteral64     = 254
)

// literal64 returns the constant in the two words that follow the instruction.
func (d *decoder) literal64(width uint8) Operand {
	size := d.set.Encodings[d.inst.Enc].Size
	if d.inst.Suffix != Plain || size != 4 || width != 2 {
		d.fail("a literal of 64 bits is not allowed here")
		return Operand{}
	}
	lo, hi := d.word(1), d.word(2)
	d.inst.Size = size + 8
	return Operand{Kind: Const, Width: width, Code: SrcLiteral64, Value: lo, High: hi}
}

// vopd3 decodes a pair of vector instructions with up to three sources each.
func (d *decoder) vopd3() {
	i := d.inst
	third := d.word(2)
	y := d.lo >> 12 & 63
	row := d.rows[VOPD3Y][y]
	if row == nil {
		d.fail("number %d has no second instruction", y)
		return
	}
	second := Inst{Row: row, Chip: i.Chip, Wave32: i.Wave32, Enc: VOPD3Y, Size: i.Size}
	d.half3(i, uint16(d.lo&0x1ff), third&0xff, [2]uint32{d.hi >> 16 & 0xff, d.hi >> 24}, d.hi>>9&7)
	d.half3(&second, uint16(d.hi&0x1ff), third>>24, [2]uint32{third >> 8 & 0xff, third >> 16 & 0xff}, d.hi>>12&7)
	d.reserve(d.lo>>9&7 | d.hi>>15&1)
	i.Second = &second
}

// half3 decodes the operands of one of the two.
func (d *decoder) half3(half *Inst, src0 uint16, dst uint32, others [2]uint32, neg uint32) {
	f := half.Row.Form
	form := d.form
	d.form = f
	defer func() { d.form = form }()
	half.Dst = vreg(dst, f.Dst.Width)
	if f.Has(TruthTable) {
		half.Extra = others[1]
		others[1] = 0
	}
	for n := range f.Src[:3] {
		s := &f.Src[n]
		switch {
		case s.Class == NoSlot:
			if n > 0 {
				d.reserve(others[n-1])
			}
		case n == 0:
			half.Src[n] = d.source(src0, s)
		case s.Class == CarryIn:
			d.reserve(others[n-1] >> 7)
			half.Src[n] = d.sreg(uint16(others[n-1]&0x7f), 1)
		default:
			half.Src[n] = vreg(others[n-1], s.Width)
		}
		if s.Mods != FloatMods {
			d.reserve(neg >> n & 1)
		}
	}
	half.Neg = uint8(neg)
	d.alignedIn(half)
}

// tensor decodes a copy of a tensor, whose descriptors are groups of scalar registers; the second two may be absent.
func (d *decoder) tensor() {
	i := d.inst
	third := d.word(2)
	const fixed, free = 1<<22 | 1, 0xff<<14 | 0x80 // of the first word
	d.reserve((d.lo^fixed)&(0x3ffffff&^free) | (d.hi>>24 ^ uint32(d.set.null)) | d.hi&0x83ffff)
	d.cachePolicy12(d.hi>>20&7, d.hi>>18, bit(d.lo, 7))
	for n := range d.form.Src {
		s := &d.form.Src[n]
		code := uint16(third >> (8 * n) & 0xff)
		if n >= 2 && code == d.set.null {
			i.Src[n] = d.sreg(code, s.Width)
			continue
		}
		d.reserve(uint32(code >> 7))
		i.Src[n] = d.sreg(code&0x7f, s.Width)
	}
}

// Marks of the scales of a matrix instruction: the upper half of the first word.
const (
	scaleMark   = 0xcc35 // a byte of scale for 32 entries
	scale16Mark = 0xcc3a // and for 16
)

// scaledWMMA takes the scales of a matrix instruction, if they and the instruction are there, and goes on to the
// latter's words.
func (d *decoder) scaledWMMA(code []byte) bool {
	mark := d.lo >> 16
	if mark != scaleMark && mark != scale16Mark || len(code) < 16 {
		return false
	}
	lo, hi := binary.LittleEndian.Uint32(code[8:]), binary.LittleEndian.Uint32(code[12:])
	if lo>>24 != vop3pPrefix || d.rows[VOP3PX][lo>>16&0xff] == nil {
		return false
	}
	i := d.inst
	i.Scale16 = mark == scale16Mark
	slot := scaleSlot
	slot.Class = AnySrc
	if i.Scale16 {
		slot.Width, slot.Type = 2, Bits64
	}
	for n := range i.Scale {
		if code := uint16(d.hi >> (9 * n) & 0x1ff); code == SrcLiteral || code == SrcLiteral64 {
			d.fail("a literal is not allowed here")
		} else {
			i.Scale[n] = d.source(code, &slot)
		}
	}
	d.scaleFields()
	d.lo, d.hi = lo, hi
	return true
}

// vop3pPrefix is the first byte of VOP3P.
const vop3pPrefix = 0xcc

// wmma1250 decodes the matrix instructions that GFX12.5 adds.
func (d *decoder) wmma1250() {
	i, f := d.inst, d.form
	i.Dst = vreg(d.lo, f.Dst.Width)
	i.OpSel, i.OpSelHi = uint8(d.lo>>11&7), uint8(d.hi>>27&3|d.lo>>14&1<<2)
	i.Neg, i.NegHi, i.Clamp = uint8(d.hi>>29), uint8(d.lo>>8&7), bit(d.lo, 15)
	if f.Has(MatrixFormats) {
		i.CBSZ, i.BLGP = i.OpSel, i.OpSelHi
	}
	for n := range 3 {
		s := f.Src[n]
		if n < 2 && f.Has(MatrixFormats) {
			s.Width = 2 * matrix.FormatWidth([2]uint8{i.CBSZ, i.BLGP}[n])
		}
		if o := d.source(uint16(d.hi>>(9*n)&0x1ff), &s); o.Kind == SReg || o.Kind == Special || o.Code == SrcLiteral {
			d.fail("scalar register or literal where matrices are")
		} else {
			i.Src[n] = o
		}
	}
	neg, negHi := f.negsOfWMMA()
	d.reserve(uint32(i.Neg&^neg | i.NegHi&^negHi))
	switch {
	case f.Has(MatrixFormats):
	case f.Has(Reuse) && f.Dst.Width < 16:
		i.Reuse = i.OpSel>>2 | i.OpSelHi>>2<<1
		keys := uint8(0)
		if f.Has(Sparse) {
			keys = 1
		}
		d.reserve(uint32(i.OpSel&3&^keys | (i.OpSelHi&3 ^ 3)))
	default:
		d.reserve(uint32(i.OpSel | (i.OpSelHi ^ 7)))
	}
	if i.Clamp && !f.Has(HasClamp) {
		d.reserve(1)
	}
}

// scaleFields takes how the scales of A and B are spelt and where they are.
func (d *decoder) scaleFields() {
	i := d.inst
	i.ScaleRow = [2]uint8{uint8(d.lo >> 11 & 1), uint8(d.hi >> 27 & 1)}
	i.ScaleFormat = [2]uint8{uint8(d.hi >> 29 & 3), uint8(d.lo >> 8 & 3)}
	i.Reuse = uint8(d.lo >> 13 & 3)
	d.reserve(d.lo&0x94ff | d.hi>>31 | d.hi>>28&1 | (d.hi>>18&0x1ff ^ srcVGPR))
}

// scales1250 decodes the scales of a matrix instruction that does not follow.
func (d *decoder) scales1250() {
	for n := range 2 {
		d.inst.Src[n] = d.source(uint16(d.hi>>(9*n)&0x1ff), &d.form.Src[n])
	}
	d.scaleFields()
}
