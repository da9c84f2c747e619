package encoding

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Source numbers, in the 9 bits of a vector source.
const (
	srcFlatScratch = 102
	srcXnackMask   = 104
	srcVcc         = 106
	srcTtmp        = 108
	srcNone        = 125 // of GFX9: a register of later chips
	SrcExec        = 126
	SrcZero        = 128 // integers 0 to 64, then -1 to -16
	srcMinus1      = 193
	srcSharedBase  = 235
	srcPops        = 239
	srcHalf        = 240
	srcInv2Pi      = 248
	SrcDPP8        = 233
	srcDPP8FI      = 234
	SrcSDWA        = 249
	SrcDPP         = 250
	srcVccz        = 251
	srcScc         = 253
	srcLDSDirect   = 254
	SrcLiteral     = 255
	srcVGPR        = 256
	srcAfterTtmp   = 124
)

var inlineFloats = [...]uint32{
	math.Float32bits(0.5), math.Float32bits(-0.5), math.Float32bits(1), math.Float32bits(-1), math.Float32bits(2),
	math.Float32bits(-2), math.Float32bits(4), math.Float32bits(-4), 0x3e22f983,
}

// sregAlign is the alignment to which the number of an operand of so many scalar registers is rounded down.
func sregAlign(width uint8) uint16 {
	switch {
	case width <= 1:
		return 1
	case width == 2:
		return 2
	}
	return 4
}

// sreg resolves a scalar register number, 0 to 127.
func (d *decoder) sreg(code uint16, width uint8) Operand {
	o := Operand{Kind: SReg, Width: width, Reg: code, Code: code}
	align := sregAlign(width)
	switch {
	case code == d.set.null:
		o.Reg = wave.NullRead
	case code == d.set.m0 && width == 1:
		o.Reg = wave.M0
	case code == srcNone:
		d.fail("register %d is reserved", code)
	case code < d.set.Sgprs:
		o.Reg &^= align - 1
		if o.Reg+uint16(width) > d.set.lastSGPR(width) {
			d.fail("scalar registers from %d do not hold %d words", code, width)
		}
	case code >= srcTtmp && code < srcAfterTtmp:
		o.Reg = srcTtmp + (code-srcTtmp)&^(align-1)
		if int(o.Reg)+int(width) > srcAfterTtmp || width == 3 {
			d.fail("trap registers from %d do not hold %d words", code, width)
		}
	case width == 2 && code&1 == 0 && code != d.set.m0:
	case width == 1:
	default:
		d.fail("scalar register %d does not hold %d words", code, width)
	}
	return o
}

// lastSGPR is the number after the last register that a group of so many may have.
func (t *setFacts) lastSGPR(width uint8) uint16 {
	if width <= 2 {
		return t.Sgprs
	}
	return srcXnackMask
}

// discard makes null for reading, as sreg decodes it, null for writing.
func (o *Operand) discard() {
	if o.Kind == SReg && o.Reg == wave.NullRead {
		o.Reg = wave.NullWritten
	}
}

// width is how many registers an operand has: a mask has a bit for each lane.
func (d *decoder) width(s *Slot) uint8 {
	if d.inst.Wave32 && (s.Class == CarryIn || s.Class == CarryOut) {
		return 1
	}
	return s.Width
}

// source resolves a 9-bit source number for slot s.
func (d *decoder) source(code uint16, s *Slot) Operand {
	width := d.width(s)
	if code >= srcVGPR {
		if s.Class == ScalarOnly || s.Class == SGPROnly || s.Class == CarryIn {
			d.fail("vector register v%d where a scalar one is needed", code-srcVGPR)
		}
		return d.file(Operand{Kind: VReg, Width: width, Reg: code - srcVGPR, Code: code}, s.Class == AccOnly)
	}
	if s.Class == AccOnly {
		d.fail("source %d where an accumulator is needed", code)
		return Operand{}
	}
	if s.Class == VectorOnly && (code != srcLDSDirect || d.form.Dst.Class != ScalarOnly || !d.set.specials) {
		d.fail("source %d where a vector register is needed", code)
		return Operand{}
	}
	switch {
	case code < SrcZero:
		return d.sreg(code, width)
	case s.Class == SGPROnly || s.Class == CarryIn:
		d.fail("source %d where a scalar register is needed", code)
		return Operand{}
	case code < srcMinus1:
		return Operand{Kind: Const, Width: width, Code: code, Value: uint32(code - SrcZero)}
	case code <= srcMinus1+15:
		return Operand{Kind: Const, Width: width, Code: code, Value: uint32(srcMinus1 - 1 - int32(code))}
	case code >= srcHalf && code <= srcInv2Pi:
		return Operand{Kind: Const, Width: width, Code: code, Value: inlineFloats[code-srcHalf]}
	case code == SrcLiteral:
		return d.literal(width)
	case code == SrcLiteral64 && d.set.wide:
		return d.literal64(width)
	case code == SrcFlatScratchLo && d.set.wide && width <= 2, code == SrcFlatScratchHi && d.set.wide && width <= 1:
		return Operand{Kind: Special, Width: width, Reg: code, Code: code}
	case !d.set.specials && (code == srcPops || code >= srcVccz && code != srcScc):
	case code == srcLDSDirect && (width > 1 || d.inst.Enc <= SMEM || d.inst.Enc >= DS || s.Class == ScalarOnly):
	case code >= srcSharedBase && code <= srcPops, code >= srcVccz && code <= srcLDSDirect:
		if width <= 2 {
			return Operand{Kind: Special, Width: width, Reg: code, Code: code}
		}
	}
	d.fail("source number %d is reserved", code)
	return Operand{}
}

// literal returns the constant in the word that follows the instruction.
func (d *decoder) literal(width uint8) Operand {
	size := d.set.Encodings[d.inst.Enc].Size
	if d.inst.Suffix != Plain || size != 4 && !d.set.literals || d.inst.Enc == SMEM || d.inst.Enc >= DS && d.inst.Enc != VOPD {
		d.fail("a literal is not allowed here")
		return Operand{}
	}
	v := d.word(int(size) / 4)
	d.inst.Size = size + 4
	return Operand{Kind: Const, Width: width, Code: SrcLiteral, Value: v}
}

func vreg(number uint32, width uint8) Operand {
	return Operand{Kind: VReg, Width: width, Reg: uint16(number & 0xff), Code: srcVGPR + uint16(number&0xff)}
}

// aligned refuses vector operands of several registers that start at an odd
// one, where the chip wants an even one.
func (d *decoder) aligned() {
	if d.inst.Chip.AtLeast(Gfx90a) || d.set.wide {
		d.alignedIn(d.inst)
	}
}

// alignedIn refuses such operands of one instruction.
func (d *decoder) alignedIn(i *Inst) {
	odd := func(o *Operand) bool {
		return (o.Kind == VReg || o.Kind == AReg) && o.Width > 1 && o.Reg&1 != 0
	}
	bad := odd(&i.Dst) && !i.Row.Form.Has(Unaligned)
	for n := range i.Src {
		bad = bad || odd(&i.Src[n])
	}
	if bad {
		d.fail("vector registers of several words start at an even one")
	}
}

// place returns the operand whose number the slot's place holds. Scalar places
// give scalar registers, vector ones vector registers.
func (d *decoder) place(s *Slot) Operand {
	switch s.Place {
	case AtSsrc0:
		if s.Class == ScalarOnly && d.lo&0xff == SrcLiteral {
			d.fail("a literal is not allowed here")
		}
		return d.source(uint16(d.lo&0xff), s)
	case AtSsrc1:
		return d.source(uint16(d.lo>>8&0xff), s)
	case AtSdst:
		return d.sreg(uint16(d.lo>>16&0x7f), s.Width)
	case AtSbase:
		return d.sreg(uint16(d.lo&0x3f)<<1, s.Width)
	case AtSdata:
		return d.noExec(uint16(d.lo>>6&0x7f), s.Width)
	case AtSaddr:
		if s.Width == 2 {
			return d.noExec(uint16(d.hi>>16&0x7f), 2)
		}
		if code := uint16(d.hi >> 16 & 0x7f); code == SrcExec+1 && d.set.null != noNull {
			d.fail("exec_hi is not allowed here")
		}
		return d.sreg(uint16(d.hi>>16&0x7f), s.Width)
	case AtSrsrc:
		return d.sreg(uint16(d.hi>>16&0x1f)<<2, s.Width)
	case AtSsamp:
		return d.sreg(uint16(d.hi>>21&0x1f)<<2, s.Width)
	case AtSoffset:
		return d.source(uint16(d.hi>>24), s)
	case AtAddr:
		return vreg(d.hi, s.Width)
	case AtData0:
		return vreg(d.hi>>8, s.Width)
	case AtData1:
		return vreg(d.hi>>16, s.Width)
	case AtVdst:
		return vreg(d.hi>>24, s.Width)
	}
	d.fail("operand without a place")
	return Operand{}
}

// noExec is sreg for fields that can't name exec and m0.
func (d *decoder) noExec(code uint16, width uint8) Operand {
	if code == d.set.m0 || code >= SrcExec {
		d.fail("scalar register %d is not allowed here", code)
	}
	return d.sreg(code, width)
}

// noM0 is sreg for the scalar results of vector instructions.
func (d *decoder) noM0(code uint16) Operand {
	if code == d.set.m0 && d.set.specials {
		d.fail("m0 is not allowed here")
	}
	return d.sreg(code, 1)
}

// places fills in all operands that the form has.
func (d *decoder) places() {
	i, f := d.inst, d.form
	if f.Dst.Class != NoSlot {
		i.Dst = d.place(&f.Dst)
	}
	for n := range f.Src {
		if f.Src[n].Class != NoSlot {
			i.Src[n] = d.place(&f.Src[n])
		}
	}
}
