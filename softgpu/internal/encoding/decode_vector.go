package encoding

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// vop decodes VOP1, VOP2 and VOPC with their SDWA and DPP forms.
func (d *decoder) vop() {
	i, f := d.inst, d.form
	switch code := d.lo & 0x1ff; {
	case code == SrcSDWA && d.set.sdwa && !f.Has(NoSDWA) && d.marked(SDWA, d.sdwa),
		code == SrcDPP && !f.Has(NoDPP) && d.marked(DPP, d.dpp):
		return
	case d.set.dpp8 && (code == SrcDPP8 || code == srcDPP8FI) && !f.Has(NoDPP):
		d.needHigh()
		d.dpp8()
		return
	}
	d.vopDst()
	vector := uint16(d.lo & 0x1ff)
	for n := range f.Src {
		s := &f.Src[n]
		switch s.Class {
		case NoSlot:
		case CarryIn:
			i.Src[n] = d.vcc()
		case LitK:
			if s.Width == 2 {
				i.Src[n] = d.literal64(2)
			} else {
				i.Src[n] = d.literal(1)
			}
		default:
			i.Src[n] = d.source(vector, s)
			d.half(&i.Src[n], s, n)
			vector = srcVGPR + d.vsrc1()
		}
	}
}

// marked decodes a form with a second word. v_nop reads no source: where that
// word makes no such form, the first has no mark of one.
func (d *decoder) marked(as Suffix, second func()) bool {
	plain := *d.inst
	d.needHigh()
	d.inst.Suffix = as
	second()
	if d.form.Src[0].Class != NoSlot || d.err != ErrReserved {
		return true
	}
	*d.inst, d.err = plain, nil
	return false
}

// vcc is the operand of instructions that have no field for a mask.
func (d *decoder) vcc() Operand {
	return Operand{Kind: SReg, Width: d.width(&Slot{Class: CarryIn, Width: 2}), Reg: srcVcc, Code: srcVcc}
}

func (d *decoder) vsrc1() uint16 { return uint16(d.lo >> 9 & 0xff) }

// vopDst sets the destinations of a VOP1, VOP2 or VOPC word.
func (d *decoder) vopDst() {
	i, f := d.inst, d.form
	if f.SDst.Class != NoSlot {
		i.SDst = d.vcc()
	}
	number := d.lo >> 17 & 0xff
	switch f.Dst.Class {
	case NoSlot:
		if i.Enc != VOPC {
			d.reserve(number)
		}
	case ScalarOnly:
		d.reserve(number >> 7)
		i.Dst = d.noM0(uint16(number & 0x7f))
	default:
		i.Dst = d.file(vreg(number, f.Dst.Width), f.Dst.Class == AccOnly)
		d.half(&i.Dst, &f.Dst, Destination)
	}
}

// sdwa decodes the second word of an SDWA form.
func (d *decoder) sdwa() {
	i, f, w := d.inst, d.form, d.hi
	d.vopDst()
	if f.Src[0].Class == NoSlot {
		const modifiers = 0xbf3fe000
		d.reserve(w & modifiers)
		return
	}
	if i.Enc == VOPC {
		switch {
		case f.Has(ToExec):
			d.reserve(w >> 15 & 1)
		case bit(w, 15):
			i.SDst = d.sreg(uint16(w>>8&0x7f), d.width(&f.SDst))
		}
	} else {
		i.DstSel, i.DstUnused = uint8(w>>8&7), uint8(w>>11&3)
		i.Clamp, i.Omod = bit(w, 13), uint8(w>>14&3)
		if i.Omod != 0 && !f.Dst.Type.isFloat() {
			d.reserve(1)
		}
		if f.Has(NoDstSel) {
			d.reserve(uint32(i.DstSel ^ alu.SelDword))
			i.DstUnused = 0
		}
		if i.DstSel == 7 || i.DstUnused == 3 {
			d.fail("dst_sel %d, dst_unused %d: reserved", i.DstSel, i.DstUnused)
		}
	}
	numbers := [2]uint16{uint16(w & 0xff), d.vsrc1()}
	for n := range numbers {
		s, fields := &f.Src[n], w>>(16+8*n)&0xff
		if s.Class == NoSlot {
			d.reserve(fields & 0xbf)
			continue
		}
		number := numbers[n]
		if !bit(fields, 7) {
			number += srcVGPR
		}
		i.Src[n] = d.source(number, s)
		sel := uint8(fields & 7)
		if sel == 7 {
			d.fail("src%d_sel 7 is reserved", n)
		}
		if n == 0 {
			i.Src0Sel = sel
		} else {
			i.Src1Sel = sel
		}
		if s.Mods == FloatMods {
			d.reserve(fields & 8)
		} else {
			d.reserve(fields & 0x30)
		}
		if s.Type == PackedFloat16 {
			continue // neg and abs have bits, which do nothing
		}
		i.Sext |= uint8(fields>>3&1) << n
		i.Neg |= uint8(fields>>4&1) << n
		i.Abs |= uint8(fields>>5&1) << n
	}
	if f.Src[2].Class == CarryIn {
		i.Src[2] = d.vcc()
	}
}

func (t Type) isFloat() bool {
	return t == Float16 || t == Float32 || t == Float64 || t == PackedFloat16 || t == PackedFloat32 || t == BFloat16 || t == PackedBFloat16
}

// dppControlFits reports whether the instruction may have its DPP control:
// broadcasts within rows came with gfx90a, where doubles take nothing else.
func (d *decoder) dppControlFits() bool {
	ctrl := d.inst.DPPCtrl
	if d.set.dpp8 {
		return dppControl(RDNAControls, ctrl).name != ""
	}
	if newBcast := ctrl&^15 == DPPNewBcast; newBcast || d.inst.Chip.AtLeast(Gfx90a) && d.form.Wide() {
		return newBcast && d.inst.Chip.AtLeast(Gfx90a)
	}
	return dppControl(controls, ctrl).name != ""
}

// Wide reports whether an operand has 64 bits.
func (f *Form) Wide() bool {
	return f.Dst.Width == 2 || f.Src[0].Width == 2 || f.Src[1].Width == 2
}

// dpp decodes the second word of a DPP form.
func (d *decoder) dpp() {
	i, f, w := d.inst, d.form, d.hi
	d.vopDst()
	d.dppWord(w)
	numbers := [2]uint32{w, uint32(d.vsrc1())}
	for n := range numbers {
		s, neg, abs := &f.Src[n], w>>(20+2*n)&1, w>>(21+2*n)&1
		if s.Class != NoSlot {
			i.Src[n] = vreg(numbers[n], s.Width)
			d.half(&i.Src[n], s, n)
		}
		switch s.Mods {
		case FloatMods:
			i.Neg |= uint8(neg) << n
			i.Abs |= uint8(abs) << n
		case NoMods:
			d.reserve(neg | abs)
		}
	}
	if f.Src[2].Class == CarryIn {
		i.Src[2] = d.vcc()
	}
}
