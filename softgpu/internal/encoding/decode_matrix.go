package encoding

import (
	"encoding/binary"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// matrix decodes matrix instructions. On gfx908 accumulators hold C and D
// always, later where a bit says so; A and B may be in either file everywhere.
func (d *decoder) matrix() {
	i, f := d.inst, d.form
	acc := i.Chip == Gfx908 || bit(d.lo, 15)
	i.CBSZ, i.ABID, i.BLGP = uint8(d.lo>>8&7), uint8(d.lo>>11&15), uint8(d.hi>>29)
	if f.Has(Sparse) {
		d.reserve(uint32(i.BLGP))
	}
	i.Dst = d.file(vreg(d.lo, f.Dst.Width), acc)
	for n := range 2 {
		s := f.Src[n]
		if f.Has(MatrixFormats) {
			s.Width = matrix.FormatWidth([2]uint8{i.CBSZ, i.BLGP}[n])
		}
		i.Src[n] = d.file(d.source(uint16(d.hi>>(9*n)&0x1ff), &s), bit(d.hi, 27+uint(n)))
	}
	if f.Has(MatrixFormats) && i.Enc == VOP3P {
		d.reserve(uint32(i.ABID))
	}
	o := d.source(uint16(d.hi>>18&0x1ff), &f.Src[2])
	switch {
	case o.Kind == SReg || o.Kind == Special:
		d.fail("scalar register where matrices are")
	case !f.Has(Sparse):
		o = d.file(o, acc)
	}
	i.Src[2] = o
}

// Marks of a matrix instruction with scales: the upper half of the first word,
// and the field that is ABID elsewhere.
const (
	ScalesMark  = 0xd3ac
	ScaledABID  = 1
	vop3pMark   = 0x1a7
	vop3pNumber = 0x7f
)

// scaled takes the scales of a matrix instruction, if they and the instruction
// are there, and goes on to the latter's words.
func (d *decoder) scaled(code []byte) bool {
	if d.lo>>16 != ScalesMark || len(code) < 16 {
		return false
	}
	lo, hi := binary.LittleEndian.Uint32(code[8:]), binary.LittleEndian.Uint32(code[12:])
	if lo>>23 != vop3pMark || d.rows[VOP3PX][lo>>16&vop3pNumber] == nil || lo>>11&15 != ScaledABID {
		return false
	}
	i := d.inst
	for n := range i.Scale {
		i.Scale[n] = d.source(uint16(d.hi>>(9*n)&0x1ff), &scaleSlot)
	}
	i.OpSel, i.OpSelHi = uint8(d.lo>>11&3), uint8(d.hi>>27&3)
	d.lo, d.hi = lo, hi
	return true
}

var scaleSlot = Slot{Class: VectorOnly, Width: 1, Type: Bits32}

// scales decodes the scales of a matrix instruction that does not follow.
func (d *decoder) scales() {
	i, f := d.inst, d.form
	if d.set.wide {
		d.scales1250()
		return
	}
	d.reserve(d.lo&0xa4ff | d.hi>>31)
	for n := range 2 {
		i.Src[n] = d.source(uint16(d.hi>>(9*n)&0x1ff), &f.Src[n])
	}
	i.OpSel, i.OpSelHi = uint8(d.lo>>11&3), uint8(d.hi>>27&3)
}

// file puts an operand into the accumulator file, if it is a register.
func (d *decoder) file(o Operand, acc bool) Operand {
	if acc && o.Kind == VReg {
		o.Kind = AReg
		if int(o.Reg)+int(o.Width) > 256 {
			d.fail("accumulators beyond the last")
		}
	}
	return o
}

// accMove decodes moves from and to accumulators, which take no modifiers.
func (d *decoder) accMove() {
	i, f := d.inst, d.form
	d.reserve(d.lo&0x3f00 | d.hi>>29)
	i.Dst = d.file(vreg(d.lo, 1), f.Dst.Class == AccOnly)
	i.Src[0] = d.source(uint16(d.hi&0x1ff), &f.Src[0])
}
