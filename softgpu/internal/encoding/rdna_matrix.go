package encoding

// wmma decodes matrix instructions of RDNA. Waves of 64 have half as many registers of what is
// spread over all lanes: in GFX11 that is the result alone.
func (d *decoder) wmma() {
	i, f := d.inst, d.form
	if f.Has(Reuse) || f.Has(MatrixFormats) {
		d.wmma1250()
		return
	}
	old := i.Chip.Set() == GFX11
	width := func(s *Slot, spread bool) Slot {
		wide := *s
		if !i.Wave32 && spread {
			wide.Width = max(1, s.Width/2)
		}
		return wide
	}
	dst := width(&f.Dst, true)
	i.Dst = vreg(d.lo, dst.Width)
	for n := range 3 {
		s := width(&f.Src[n], !old || n == 2)
		if o := d.source(uint16(d.hi>>(9*n)&0x1ff), &s); o.Kind == SReg || o.Kind == Special || o.Code == SrcLiteral {
			d.fail("scalar register or literal where matrices are")
		} else {
			i.Src[n] = o
		}
	}
	if d.err != nil {
		return
	}
	i.Clamp = bit(d.lo, 15)
	i.Neg, i.NegHi, i.OpSel = uint8(d.hi>>29), uint8(d.lo>>8&7), uint8(d.lo>>11&7)
	i.OpSelHi = uint8(d.hi>>27&3 | d.lo>>14&1<<2)
	if i.Clamp && !f.Has(HasClamp) {
		d.reserve(1)
	}
	neg, negHi, sel := uint8(7), uint8(7), uint8(0)
	switch {
	case f.Has(HasOpSel):
		sel = 7
	case old:
		i.OpSelHi = 7
	default:
		neg, negHi = f.negsOfWMMA()
		d.reserve(uint32(i.OpSelHi ^ 7))
		if f.Has(Sparse) {
			sel = f.indexKeys(i.Src[0].Width) - 1
		}
	}
	d.reserve(uint32(i.Neg&^neg | i.NegHi&^negHi | i.OpSel&^sel))
}

// negsOfWMMA are the bits of neg_lo and neg_hi that a matrix instruction has from GFX12 on: integers' tell which factor
// has signs, C has the third of each.
func (f *Form) negsOfWMMA() (lo, hi uint8) {
	switch t := f.Src[0].Type; {
	case t == PackedBits8 || t == PackedBits4:
		return 3, 0
	case t == Float32:
		return 7, 4
	case t == PackedFloat8 && f.Has(Sparse):
		return 0, 0
	case t == PackedFloat8:
		return 4, 4
	case f.Has(Sparse):
		return 3, 3
	}
	return 7, 7
}

// indexKeys is how many sets of indices a register holds, for a sparse A of so many registers.
func (f *Form) indexKeys(registers uint8) uint8 {
	entries := registers * 2
	switch f.Src[0].Type {
	case PackedFloat8, PackedBits8:
		entries = registers * 4
	case PackedBits4:
		entries = registers * 8
	}
	return 16 / entries
}

func (p *printer) wmma() {
	i, f := p.inst, p.form
	if f.Has(Reuse) || f.Has(MatrixFormats) {
		p.wmma1250()
		return
	}
	if f.Has(Sparse) {
		p.labelled("index_key", int64(i.OpSel))
	} else {
		p.bits("op_sel", i.OpSel, 0, 3)
		p.bits("op_sel_hi", i.OpSelHi, 7, 3)
	}
	p.bits("neg_lo", i.Neg, 0, 3)
	p.bits("neg_hi", i.NegHi, 0, 3)
	p.flag(i.Clamp, "clamp")
}
