package encoding

func (d *decoder) smem10() { d.rdnaSmem(14, 16) }

func (d *decoder) smem11() {
	if f := d.form; f.Dst.Class == NoSlot || !f.Has(HasOffset) {
		d.reserve(d.lo >> 13 & 3)
	}
	d.rdnaSmem(13, 14)
}

// rdnaSmem decodes scalar memory instructions: the offset is an immediate, and a register
// unless that is null. dlc and glc are the places of these bits.
func (d *decoder) rdnaSmem(dlc, glc uint) {
	i, f := d.inst, d.form
	if f.Dst.Class != NoSlot {
		i.Dst = d.place(&f.Dst)
		i.DLC, i.GLC = bit(d.lo, dlc) && f.Has(HasOffset), bit(d.lo, glc) && f.Has(HasOffset)
	}
	if !f.Has(HasOffset) {
		return
	}
	if f.Has(ProbeKind) {
		i.Extra = d.lo >> 6 & 0x7f << 1
	}
	d.smemSources()
	i.Imm = int32(d.hi<<11) >> 11
	if i.Imm != 0 || !i.OffEn {
		i.Extra |= smemHasImm
	}
}

// smemSources decodes the sources of scalar memory instructions of RDNA: with a register as offset, unless it is null.
func (d *decoder) smemSources() {
	i, f := d.inst, d.form
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
	d.addressed(off, vector)
}

// flat10 decodes flat, global and scratch instructions of GFX10.
func (d *decoder) flat10() {
	i, f := d.inst, d.form
	i.Seg = uint8(d.lo >> 14 & 3)
	i.DLC, i.LDS, i.GLC, i.SLC = bit(d.lo, 12), bit(d.lo, 13), bit(d.lo, 16), bit(d.lo, 17)
	if i.LDS && !f.Has(HasLDS) {
		d.reserve(1)
	}
	i.Imm = int32(d.lo & 0xfff)
	if i.Seg != SegFlat {
		i.Imm = int32(d.lo<<20) >> 20
	}
	if f.Dst.Class != NoSlot && !i.LDS && (i.GLC || !f.Has(Atomic)) {
		i.Dst = d.place(&f.Dst)
	}
	saddr := uint16(d.hi >> 16 & 0x7f)
	none := i.Seg == SegScratch && saddr == SrcExec+1 // neither a vector nor a scalar register
	off := saddr == d.set.null || none
	if d.reserve(d.hi & (1 << 23)); i.Seg == SegFlat && !off {
		d.reserve(1)
	}
	d.addressed(off, i.Seg != SegScratch || off && !none)
}

// buffer10 decodes MUBUF and MTBUF of GFX10.
func (d *decoder) buffer10() {
	i, f := d.inst, d.form
	if f.Src[0].Class == NoSlot {
		d.reserve(d.lo>>12&31 | d.hi>>23&1)
		return
	}
	i.Imm = int32(d.lo & 0xfff)
	i.OffEn, i.IdxEn, i.GLC, i.DLC = bit(d.lo, 12), bit(d.lo, 13), bit(d.lo, 14), bit(d.lo, 15)
	i.SLC, i.TFE = bit(d.hi, 22), bit(d.hi, 23)
	if i.Enc == MUBUF {
		i.LDS = bit(d.lo, 16)
	} else {
		i.DFmt = uint8(d.lo >> 19 & 0x7f)
	}
	if i.DLC && f.Has(Atomic) || i.LDS && (!f.Has(HasLDS) || i.TFE) || i.TFE && !f.Has(HasTFE) {
		d.reserve(1)
	}
	d.places()
	d.bufferWidths()
}

// buffer11 decodes MUBUF and MTBUF of GFX11.
func (d *decoder) buffer11() {
	i, f := d.inst, d.form
	if f.Src[0].Class == NoSlot {
		d.reserve(d.lo>>13&3 | d.hi>>21&7)
		return
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
