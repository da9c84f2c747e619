package encoding

// smem11 decodes scalar memory instructions of GFX11: the offset is an immediate, and a
// register unless that is null.
func (d *decoder) smem11() {
	i, f := d.inst, d.form
	if !f.Has(HasOffset) {
		d.reserve(d.lo >> 13 & 3)
		return
	}
	i.DLC, i.GLC = bit(d.lo, 13), bit(d.lo, 14)
	if f.Dst.Class != NoSlot {
		i.Dst = d.place(&f.Dst)
	} else {
		d.reserve(d.lo >> 13 & 3)
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
		case d.hi>>25 != uint32(d.set.null):
			i.Src[n] = d.sreg(uint16(d.hi>>25), 1)
			i.OffEn = true
		}
	}
	i.Imm = int32(d.hi<<11) >> 11
	if i.Imm != 0 || !i.OffEn {
		i.Extra |= smemHasImm
	}
}

// flat11 decodes flat, global and scratch instructions of GFX11.
func (d *decoder) flat11() {
	i, f := d.inst, d.form
	i.Seg = uint8(d.lo >> 16 & 3)
	i.DLC, i.GLC, i.SLC = bit(d.lo, 13), bit(d.lo, 14), bit(d.lo, 15)
	i.Imm = int32(d.lo & 0x1fff)
	if i.Seg != SegFlat {
		i.Imm = int32(d.lo<<19) >> 19
	}
	if f.Dst.Class != NoSlot && (i.GLC || !f.Has(Atomic)) {
		i.Dst = d.place(&f.Dst)
	}
	saddr, vector := uint16(d.hi>>16&0x7f), bit(d.hi, 23)
	off := saddr == d.set.null
	if i.Seg != SegScratch {
		d.reserve(d.hi & (1 << 23))
		vector = true
	}
	if i.Seg == SegFlat && !off {
		d.reserve(1)
	}
	for n := range f.Src {
		s := &f.Src[n]
		switch {
		case s.Class == NoSlot, s.Place == AtSaddr && off:
		case s.Place != AtAddr:
			i.Src[n] = d.place(s)
		case i.Seg == SegGlobal && !off:
			i.Src[n] = vreg(d.hi, 1)
		case vector:
			i.Src[n] = d.place(s)
		}
	}
}

// buffer11 decodes MUBUF and MTBUF of GFX11.
func (d *decoder) buffer11() {
	i, f := d.inst, d.form
	if f.Src[0].Class == NoSlot {
		d.reserve(d.lo>>13&3 | d.hi>>21&7)
		return
	}
	if i.Enc == MUBUF {
	}
	i.Imm = int32(d.lo & 0xfff)
	i.SLC, i.DLC, i.GLC = bit(d.lo, 12), bit(d.lo, 13), bit(d.lo, 14)
	i.TFE, i.OffEn, i.IdxEn = bit(d.hi, 21), bit(d.hi, 22), bit(d.hi, 23)
	if i.Enc == MTBUF {
		i.DFmt = uint8(d.lo >> 19 & 0x7f)
	}
	if i.TFE && !f.Has(HasTFE) {
		d.reserve(1)
	}
	d.places()
	d.bufferWidths()
}
