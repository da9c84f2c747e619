package encoding

import (
	"math"
	"slices"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Names of source numbers without a numbered register.
var specialNames = map[uint16]string{
	235: "src_shared_base", 236: "src_shared_limit", 237: "src_private_base", 238: "src_private_limit",
	srcPops: "src_pops_exiting_wave_id", SrcFlatScratchLo: "src_flat_scratch_base_lo", SrcFlatScratchHi: "src_flat_scratch_base_hi",
	251: "src_vccz", 252: "src_execz", 253: "src_scc", 254: "src_lds_direct",
}

var namedPairs = map[uint16]string{srcFlatScratch: "flat_scratch", srcXnackMask: "xnack_mask", srcVcc: "vcc", SrcExec: "exec"}

var inlineFloatNames = [...]string{"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"}

// inlineHalves are the same as 16-bit floats.
var inlineHalves = [...]uint16{0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118}

// lowRegister are the bits of a vector register's number that an instruction has.
const lowRegister = 0xff

// Inline constants' integers lie between these.
const (
	minInline = -16
	maxInline = 64
)

// operand prints a register, special value or constant.
func (p *printer) operand(o *Operand, s *Slot) {
	switch o.Kind {
	case VReg:
		p.registers("v", o.Reg&lowRegister, o.Width)
	case AReg:
		p.registers("a", o.Reg, o.Width)
	case SReg:
		p.sreg(o)
	case Special:
		p.text(specialNames[o.Reg])
	case Const:
		p.constant(o, s)
	}
}

func (p *printer) registers(file string, first uint16, width uint8) {
	p.text(file)
	if width <= 1 {
		p.number(int64(first))
		return
	}
	p.text("[")
	p.number(int64(first))
	p.text(":")
	p.number(int64(first) + int64(width) - 1)
	p.text("]")
}

func (p *printer) sreg(o *Operand) {
	n := o.Reg
	switch {
	case n < p.set.Facts().Sgprs:
		p.registers("s", n, o.Width)
	case n >= srcTtmp && n < srcAfterTtmp:
		p.registers("ttmp", n-srcTtmp, o.Width)
	case n == wave.M0:
		p.text("m0")
	case n >= wave.NamedScalars:
		p.text("null")
	default:
		p.text(namedPairs[n&^1])
		if o.Width == 1 {
			p.text([2]string{"_lo", "_hi"}[n&1])
		}
	}
}

// constant prints an inline constant or a literal. A literal that an inline
// constant could stand for is marked, else assembling the text would give that.
func (p *printer) constant(o *Operand, s *Slot) {
	switch {
	case o.Code >= srcHalf && o.Code <= srcInv2Pi && s.Type == Bits16:
		p.hex(uint64(inlineHalves[o.Code-srcHalf]))
	case o.Code >= srcHalf && o.Code <= srcInv2Pi:
		long := o.Width == 2 && s.Type != PackedFloat32 && s.Type != PackedFloat16 && s.Type != Float16 || s.Type == Float64 || o.Width == 8 && p.set == GFX11
		if o.Code == srcInv2Pi && long {
			p.text("0.15915494309189532")
			return
		}
		p.text(inlineFloatNames[o.Code-srcHalf])
	case o.Code == SrcLiteral64:
		p.literal64(o, s)
	case o.Code != SrcLiteral:
		p.number(int64(int32(o.Value)))
	case s.Class != LitK && s.Type == Float64:
		p.highDouble(o.Value)
	case p.marked(o, s):
		p.text("lit(")
		p.hex(uint64(o.Value))
		p.text(")")
	case s.Class != LitK && (s.Type == Bits16 || s.Type == Float16) && p.inst.Enc != SOP1:
		p.hex(uint64(o.Value & 0xffff))
	case s.Class == LitK && s.Type == Bits32:
		p.asInline(o.Value)
	default:
		p.hex(uint64(p.literal(o)))
	}
}

// literal is the part of a literal that an instruction reads: half of it where operands are halves.
func (p *printer) literal(o *Operand) uint32 {
	if p.form.Has(MixMods) {
		return o.Value & 0xffff
	}
	return o.Value
}

// marked reports whether an operand is a literal that is printed in lit().
func (p *printer) marked(o *Operand, s *Slot) bool {
	if o.Code != SrcLiteral || s.Class == LitK || s.Type == Float64 {
		return false
	}
	if p.form.Has(MixMods) {
		return inlinable(p.literal(o), &Slot{Type: Float16})
	}
	if p.inst.Enc == SOP1 && s.Type == Float16 {
		return inlinable(o.Value, &Slot{Type: Float32}) // printed whole
	}
	return inlinable(o.Value, s)
}

// asInline prints the literal of s_setreg_imm32_b32, which LLVM spells as the
// inline constant of the same bits where there is one.
func (p *printer) asInline(v uint32) {
	if n := int32(v); n >= minInline && n <= maxInline {
		p.number(int64(n))
		return
	}
	for n, f := range inlineFloats {
		if f == v {
			p.text(inlineFloatNames[n])
			return
		}
	}
	p.hex(uint64(v))
}

// highDouble prints a literal that is the upper half of a double: as the constant,
// if there is one.
func (p *printer) highDouble(v uint32) {
	double := math.Float64frombits(uint64(v) << 32)
	for n, name := range inlineFloatNames[:8] {
		if float64(math.Float32frombits(inlineFloats[n])) == double {
			p.text(name)
			return
		}
	}
	if v == 0 {
		p.text("0")
		return
	}
	p.hex(uint64(v))
}

// inlinable reports whether a literal has the bits of an inline constant, as
// an operand of the slot's type reads both.
func inlinable(v uint32, s *Slot) bool {
	switch n := int32(v); s.Type {
	case Bits64:
		return v <= maxInline
	case Float16:
		return inlineInt(int32(int16(v))) || among(inlineHalves[:], uint16(v))
	case BFloat16:
		half := func(f uint32) bool { return uint16(f>>16) == uint16(v) }
		return inlineInt(int32(int16(v))) || slices.ContainsFunc(inlineFloats[:], half)
	case PackedFloat16:
		return inlineInt(n) || v <= math.MaxUint16 && among(inlineHalves[:], uint16(v))
	default:
		return inlineInt(n) || among(inlineFloats[:], v)
	}
}

func inlineInt(n int32) bool { return n >= minInline && n <= maxInline }

func among[T comparable](list []T, v T) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}
