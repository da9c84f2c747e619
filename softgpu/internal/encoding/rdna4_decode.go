package encoding

// Memory instructions of GFX12 have 12 bytes, but for LDS and scalar memory. Their fields are put where
// those of GFX11 are, so that places tell the same.

// cachePolicy12 takes how an access uses the caches: bits of TH and of the scope.
func (d *decoder) cachePolicy12(th, scope uint32, nv bool) {
	i := d.inst
	i.TH, i.Scope, i.NV = uint8(th), uint8(scope&3), nv
	i.GLC = d.form.Has(Atomic) && th&1 != 0 // it returns something
}

// smem12 decodes scalar memory instructions.
func (d *decoder) smem12() {
	i, f := d.inst, d.form
	if !f.Has(HasOffset) {
		return
	}
	if f.Has(Prefetch) || f.Has(ProbeKind) {
		i.Extra = d.lo >> 6 & 0x7f << 1
		d.reserve(i.Extra >> 6)
	} else {
		d.cachePolicy12(d.lo>>23&3, d.lo>>21, bit(d.lo, 20))
		i.ScaleOffset = bit(d.hi, 24)
	}
	if f.Dst.Class != NoSlot {
		i.Dst = d.place(&f.Dst)
	}
	d.smemSources()
	i.Imm = int32(d.hi<<8) >> 8
	i.Extra |= smemHasImm
	if i.Imm < 0 && f.Src[0].Width == 4 {
		d.fail("negative offset in a buffer")
	}
}

// flat12 decodes flat, global and scratch instructions.
func (d *decoder) flat12() {
	i, f := d.inst, d.form
	first, second, third := d.lo, d.hi, d.word(2)
	i.Seg = uint8(first >> 24 & 3)
	d.reserve(first & (1 << 21)) // of the number
	d.cachePolicy12(second>>20&7, second>>18, bit(first, 7))
	i.ScaleOffset = bit(second, 16)
	i.Imm = int32(third) >> 8
	d.hi = third&0xff | second>>23&0xff<<8 | first&0x7f<<16 | second<<24
	if f.Dst.Class != NoSlot && (i.GLC || !f.Has(Atomic)) {
		i.Dst = d.place(&f.Dst)
		if f.Has(Spread) && !i.Wave32 {
			i.Dst.Width /= 2
		}
	}
	saddr, vector := uint16(first&0x7f), bit(second, 17)
	off := saddr == d.set.null
	if i.Seg != SegScratch {
		d.reserve(second & (1 << 17))
		vector = true
	}
	if (i.Seg == SegFlat && !d.set.wide || f.Has(CachePolicy)) && !off {
		d.reserve(1)
	}
	if f.Has(TensorStop) {
		d.reserve(first&0x7f ^ uint32(d.set.null))
		i.Imm = 0
	}
	if f.Has(CachePolicy) {
		d.reserve(second & 0xff)
		if !d.set.wide {
			d.reserve(third & 0xff)
		}
	}
	d.addressed(off, vector)
}

// buffer12 decodes VBUFFER.
func (d *decoder) buffer12() {
	i, f := d.inst, d.form
	first, second, third := d.lo, d.hi, d.word(2)
	d.cachePolicy12(second>>20&7, second>>18, bit(first, 7))
	i.TFE, i.OffEn, i.IdxEn = bit(first, 22), bit(second, 30), bit(second, 31)
	if i.Imm = int32(third >> 8); i.Imm < 0 || i.Imm>>23 != 0 {
		d.reserve(1)
	}
	if i.Enc == MTBUF {
		d.reserve(first >> 18 & 7) // of the number
		i.DFmt = uint8(second >> 23 & 0x7f)
	}
	if i.TFE && !f.Has(HasTFE) || d.set.wide && bit(first, 21) {
		d.reserve(1)
	}
	resource := second >> 9 & 0x1ff
	if resource > uint32(d.set.null) {
		d.fail("scalar register %d does not exist", resource)
	}
	d.hi = third&0xff | second&0xff<<8 | resource>>2<<16 | first&0x7f<<24
	d.places()
	d.bufferWidths()
}

// ByteSel is the byte that two bits of op_sel choose: of the destination, or of the only source, whose bits
// stand the other way round.
func (i *Inst) ByteSel() uint8 {
	if i.Row.Form.Src[1].Class != NoSlot {
		return i.OpSel >> 2 & 3
	}
	return i.OpSel>>1&1 | i.OpSel&1<<1
}
