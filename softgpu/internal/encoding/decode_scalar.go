package encoding

// scalar decodes SOP1, SOP2, SOPC, SOPK and SOPP.
func (d *decoder) scalar() {
	i, f := d.inst, d.form
	if f.Dst.Class != NoSlot {
		i.Dst = d.place(&f.Dst)
	}
	for n := range f.Src {
		switch f.Src[n].Class {
		case NoSlot:
		case LitK:
			i.Src[n] = d.literal(1)
		default:
			i.Src[n] = d.place(&f.Src[n])
		}
	}
	switch f.Imm {
	case NoImm:
	case ImmGprIdx:
		i.Imm = int32(d.lo & 0xffff)
		if i.Enc == SOPC {
			i.Imm = int32(d.lo >> 8 & 0xff)
		}
	case ImmZero:
		d.reserve(d.lo & 0xffff)
	case ImmMessage:
		i.Imm = int32(d.lo & 0xff)
	default:
		i.Imm = int32(int16(d.lo))
	}
}

// Bits of Inst.Extra in SMEM.
const smemHasImm = 1 // the offset is, or has, an immediate

// smem decodes scalar memory instructions. The offset is an immediate, a
// register (Inst.OffEn) or the sum of both.
func (d *decoder) smem() {
	i, f := d.inst, d.form
	if !f.Has(HasOffset) {
		if f.Dst.Class != NoSlot {
			i.Dst = d.place(&f.Dst)
		}
		d.reserve(d.lo & (1 << 17))
		return
	}
	i.GLC = bit(d.lo, 16) && f.Dst.Class+f.Src[2].Class != NoSlot
	soe, imm := bit(d.lo, 14), bit(d.lo, 17)
	if f.Dst.Class != NoSlot && (i.GLC || !f.Has(Atomic)) {
		i.Dst = d.place(&f.Dst)
	}
	if f.Has(ProbeKind) {
		i.Extra = d.lo >> 6 & 0x7f << 1
	}
	for n := range f.Src {
		s := &f.Src[n]
		switch {
		case s.Class == NoSlot:
		case s.Place != AtSoffset:
			i.Src[n] = d.place(s)
		case soe:
			i.Src[n] = d.sreg(uint16(d.hi>>25), 1)
			i.OffEn = true
		case !imm:
			i.Src[n] = d.sreg(uint16(d.hi&0x7f), 1)
			i.OffEn = true
		}
	}
	if imm {
		i.Imm = int32(d.hi<<11) >> 11
		i.Extra |= smemHasImm
	}
}
