package encoding

// vop3 decodes VOP3a and VOP3b.
func (d *decoder) vop3() {
	i, f := d.inst, d.form
	d.vop3Dst()
	if f.Has(TruthTable) {
		d.truthTable()
		return
	}
	i.Clamp = bit(d.lo, 15)
	i.Omod = uint8(d.hi >> 27 & 3)
	if i.Clamp && !f.Has(HasClamp) || i.Omod != 0 && !f.Has(HasOmod) {
		d.reserve(1)
	}
	if f.Has(Interp) {
		d.interp()
		return
	}
	if f.Dst.Type == PackedBFloat16 {
		d.reserve(d.lo >> 13 & 1) // the only bit of op_sel that LLVM minds there
	}
	abs, neg := d.lo>>8&7, d.hi>>29&7
	if d.isVOP3b() {
		abs = 0
	}
	d.vop3DPP()
	sources := 0
	for n := 0; n < 3; n++ {
		s := &f.Src[n]
		if s.Class != NoSlot {
			i.Src[n] = d.source(uint16(d.hi>>(9*n)&0x1ff), s)
			sources++
		}
		d.mods(s, n, abs, neg)
	}
	if f.Has(ScaleSel) {
		i.OpSel = uint8(d.lo >> 11 & 15)
		return
	}
	if f.Has(SwapLanes) {
		i.OpSel = uint8(d.lo >> 11 & 3)
		if sources == 2 {
			d.reserve(d.lo >> 13 & 1)
		}
		return
	}
	d.opSel(sources)
}

// TruthTable decodes instructions whose modifiers are the values of a function of three bits.
func (d *decoder) truthTable() {
	i := d.inst
	d.reserve(d.lo >> 15 & 1)
	i.Extra = d.hi>>27&3<<6 | d.lo>>8&7<<3 | d.hi>>29
	d.vop3DPP()
	for n := range 3 {
		i.Src[n] = d.source(uint16(d.hi>>(9*n)&0x1ff), &d.form.Src[n])
	}
	if !d.form.Has(HasOpSel) {
		d.reserve(d.lo >> 11 & 15)
	}
	d.opSel(3)
}

func (d *decoder) isVOP3b() bool {
	return d.form.SDst.Class != NoSlot && d.form.Dst.Class != NoSlot
}

// mods takes the neg and abs bits of source n.
func (d *decoder) mods(s *Slot, n int, abs, neg uint32) {
	switch s.Mods {
	case FloatMods:
		d.inst.Abs |= uint8(abs >> n & 1 << n)
		d.inst.Neg |= uint8(neg >> n & 1 << n)
	case NoMods:
		d.reserve((abs | neg) >> n & 1)
	}
}

// opSel takes the bits that choose halves: one of each source, then the destination's.
func (d *decoder) opSel(sources int) {
	if !d.form.Has(HasOpSel) {
		return
	}
	sel := d.lo >> 11 & 15
	switch {
	case !d.form.Has(ByteSel):
		d.reserve(sel & 7 >> sources)
	case d.form.Src[0].Type.IsHalf() && sources == 2:
	case d.inst.Chip.Set() >= GFX12: // two bits choose the byte of the source, or of the destination
		used := [3]uint32{1: 3, 2: 12}[sources]
		if d.form.Dst.Type.IsHalf() {
			used |= 1 << Destination
		}
		d.reserve(sel &^ used)
	}
	if d.set.Halves {
		sel = d.halvesOf(sel)
	}
	d.inst.OpSel = uint8(sel)
}

// vop3Dst sets the destinations of a VOP3 or VOP3P word.
func (d *decoder) vop3Dst() {
	i, f := d.inst, d.form
	number := d.lo & 0xff
	switch {
	case f.Dst.Class == ScalarOnly:
		d.reserve(number >> 7)
		i.Dst = d.noM0(uint16(number & 0x7f))
	case f.Dst.Class != NoSlot:
		i.Dst = vreg(number, f.Dst.Width)
		if f.SDst.Class != NoSlot {
			i.SDst = d.sreg(uint16(d.lo>>8&0x7f), d.width(&f.SDst))
		}
	case f.Has(ToExec):
	case f.SDst.Class != NoSlot:
		d.reserve(number >> 7)
		i.SDst = d.sreg(uint16(number&0x7f), d.width(&f.SDst))
	default:
		d.reserve(number)
	}
}

// vop3p decodes packed instructions.
func (d *decoder) vop3p() {
	i, f := d.inst, d.form
	if f.Has(WMMA) {
		d.wmma()
		return
	}
	if f.Has(Matrix) {
		d.matrix()
		return
	}
	if f.Has(AccMove) {
		d.accMove()
		return
	}
	if f.Has(Scales) {
		d.scales()
		return
	}
	d.vop3Dst()
	if d.vop3DPP() && (f.Has(MixMods) || f.Src[0].Type == PackedFloat8) {
		d.reserve(^d.hi >> 17 & 1) // source 1 is a vector register
		if !f.Has(MixMods) {
			d.reserve(^d.hi >> 26 & 1) // and source 2
		}
	}
	i.Clamp = bit(d.lo, 15)
	sources := 0
	for n := 0; n < 3; n++ {
		if s := &f.Src[n]; s.Class != NoSlot {
			i.Src[n] = d.source(uint16(d.hi>>(9*n)&0x1ff), s)
			sources++
		}
	}
	neg, hi, sel := uint8(d.hi>>29), uint8(d.lo>>8&7), uint8(d.lo>>11&7)
	if f.Src[0].Mods == IgnoredMods && f.Src[0].Type == PackedBits16 {
		neg, hi = 0, 0
	}
	selHi := uint8(d.hi>>27&3 | d.lo>>14&1<<2)
	beyond := uint32(neg|hi) >> sources
	if f.Src[0].Type == PackedFloat8 {
		beyond |= uint32((neg|hi)&3) | uint32(selHi^7) | d.lo>>15&1
	}
	if f.Has(HasOpSel) || f.Has(MixMods) {
		i.OpSel, i.OpSelHi = sel, selHi&(1<<sources-1)
		beyond |= uint32(sel) >> sources
	} else {
		beyond |= uint32(sel)
		i.OpSelHi = 1<<sources - 1
	}
	d.reserve(beyond)
	i.Neg = neg
	if f.Has(MixMods) {
		i.Abs = hi
	} else {
		i.NegHi = hi
	}
}

// Fields of Inst.Extra in interpolation instructions.
const (
	interpChannel = 6 // shift of the channel; the attribute's number is below
	interpHigh    = 1 << 8
)

// interp decodes the sources of an interpolation in VOP3: the attribute takes the first source's place.
func (d *decoder) interp() {
	i, f := d.inst, d.form
	i.Extra = d.hi & 0xff
	if f.Has(InterpHigh) {
		i.Extra |= d.hi & interpHigh
	} else {
		d.reserve(d.hi & 0x100)
	}
	abs, neg := d.lo>>8&7, d.hi>>29&7
	d.reserve((abs | neg) & 1)
	for n := range f.Src {
		s := &f.Src[n]
		bit, shift := 1, 9
		if s.Place == AtSrc2 {
			bit, shift = 2, 18
		}
		number := d.hi >> shift & 0x1ff
		switch s.Class {
		case NoSlot:
			continue
		case InterpParam:
			i.Src[n] = Operand{Kind: Const, Width: 1, Value: number}
			d.reserve((abs | neg) >> bit & 1)
			continue
		}
		i.Src[n] = d.source(uint16(number), s)
		i.Abs |= uint8(abs >> bit & 1 << n)
		i.Neg |= uint8(neg >> bit & 1 << n)
	}
	if f.Src[1].Class == NoSlot {
		d.reserve((abs | neg) >> 2 & 1)
	}
	if f.Has(HasOpSel) {
		i.OpSel = uint8(d.lo >> 11 & 13)
	}
}

// vintrp decodes interpolations in their own encoding.
func (d *decoder) vintrp() {
	i, f := d.inst, d.form
	i.Extra = d.lo>>10&0x3f | d.lo>>8&3<<interpChannel
	i.Dst = vreg(d.lo>>18, 1)
	if f.Src[0].Class == InterpParam {
		i.Src[0] = Operand{Kind: Const, Width: 1, Value: d.lo & 0xff}
		return
	}
	i.Src[0] = vreg(d.lo, 1)
}
