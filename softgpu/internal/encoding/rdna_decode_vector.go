package encoding

// What RDNA adds to vector instructions: halves of registers, DPP in VOP3, DPP8, pairs.

// IsHalf reports whether an operand of the type is one half of a register, where sets have such.
func (t Type) IsHalf() bool { return t == Bits16 || t == Float16 || t == BFloat16 }

// halvesOf are the bits of op_sel that choose halves: one more that is set is an error, but
// where two halves are one operand.
func (d *decoder) halvesOf(sel uint32) uint32 {
	f := d.form
	if f.Dst.Class == NoSlot {
		d.reserve(sel >> Destination)
	}
	for n := range f.Src[:3] {
		switch {
		case f.Src[n].Class == CarryIn:
			d.reserve(sel >> n & 1)
		case f.Src[n].Type == PackedFloat16 || f.Src[n].Type == PackedBFloat16:
			sel &^= 1 << n
		}
	}
	return sel
}

// half takes the half that a VOP1, VOP2 or VOPC operand's highest bit chooses: bit n of OpSel.
func (d *decoder) half(o *Operand, s *Slot, n int) {
	if !d.set.Halves || !s.Type.IsHalf() || o.Kind != VReg {
		return
	}
	d.inst.OpSel |= uint8(o.Reg>>7) << n
	o.Reg &= 0x7f
}

// Destination is the bit of OpSel that chooses the destination's half.
const Destination = 3

// dppWord takes the controls that all forms of DPP have.
func (d *decoder) dppWord(w uint32) {
	i := d.inst
	i.DPPCtrl = uint16(w >> 8 & 0x1ff)
	i.BoundCtrl = bit(w, 19)
	i.BankMask, i.RowMask = uint8(w>>24&15), uint8(w>>28)
	if d.set.dpp8 {
		i.Fetch = bit(w, 18)
	}
	if !d.dppControlFits() {
		d.fail("dpp_ctrl %#x is reserved", i.DPPCtrl)
	}
}

// dpp8 decodes the second word of a VOP1, VOP2 or VOPC instruction with DPP8.
func (d *decoder) dpp8() {
	i, f, w := d.inst, d.form, d.hi
	i.Suffix = DPP8
	d.vopDst()
	d.dpp8Word(uint16(d.lo&0x1ff), w)
	numbers := [2]uint32{w, uint32(d.vsrc1())}
	for n := range numbers {
		if s := &f.Src[n]; s.Class != NoSlot {
			i.Src[n] = vreg(numbers[n], s.Width)
			d.half(&i.Src[n], s, n)
		}
	}
	if f.Src[2].Class == CarryIn {
		i.Src[2] = d.vcc()
	}
}

func (d *decoder) dpp8Word(code uint16, w uint32) {
	d.inst.Lanes8, d.inst.Fetch = w>>8, code == srcDPP8FI
}

// vop3DPP finds out whether a VOP3 or VOP3P instruction has DPP, whose word follows, and
// decodes that word. The number of source 0 is in it.
func (d *decoder) vop3DPP() (has bool) {
	code := uint16(d.hi & 0x1ff)
	if !d.set.dppVOP3 || code != SrcDPP && code != SrcDPP8 && code != srcDPP8FI || d.form.NoDPP3() {
		return false
	}
	w := d.word(2)
	if d.inst.Size = 12; code == SrcDPP {
		d.inst.Suffix = DPP
		d.dppWord(w)
	} else {
		d.inst.Suffix = DPP8
		d.dpp8Word(code, w)
	}
	d.hi = d.hi&^0x1ff | srcVGPR | w&0xff
	return true
}

// NoDPP3 reports whether a VOP3 instruction can't have DPP.
func (f *Form) NoDPP3() bool {
	switch {
	case f.Has(NoDPP), f.Wide(), f.Src[2].Width == 2 && f.Src[2].Class != CarryIn:
		return true
	}
	return f.Has(PackedMods) && f.Dst.Type != Float32
}

// vopd decodes a pair of vector instructions. The Y half's destination has the lowest bit
// that X's has not.
func (d *decoder) vopd() {
	i := d.inst
	y := d.lo >> 17 & 31
	rows := d.rows[VOPDY]
	if rows[y] == nil {
		d.fail("number %d has no second instruction", y)
		return
	}
	if !i.Wave32 {
		d.fail("pairs of instructions are for waves of 32")
		return
	}
	second := Inst{Row: rows[y], Chip: i.Chip, Wave32: i.Wave32, Enc: VOPDY}
	i.Dst = vreg(d.hi>>24, 1)
	second.Dst = vreg(d.hi>>17&0x7f<<1|^d.hi>>24&1, 1)
	d.vopdSources(i, uint16(d.lo&0x1ff), d.lo>>9&0xff)
	d.vopdSources(&second, uint16(d.hi&0x1ff), d.hi>>9&0xff)
	second.Size = i.Size
	i.Second = &second
}

// vopdSources decodes the sources of one half.
func (d *decoder) vopdSources(half *Inst, src0 uint16, vsrc1 uint32) {
	f := half.Row.Form
	form := d.form
	d.form = f
	defer func() { d.form = form }()
	taken := 0
	for n := range f.Src {
		s := &f.Src[n]
		switch {
		case s.Class == NoSlot:
		case s.Class == LitK:
			half.Src[n] = d.literal(1)
		case s.Class == CarryIn:
			half.Src[n] = d.vcc()
		case taken == 0:
			half.Src[n], taken = d.source(src0, s), 1
		default:
			half.Src[n], taken = vreg(vsrc1, s.Width), 2
		}
	}
	if taken < 2 {
		d.reserve(vsrc1)
	}
}
