package gcn

// matrix decodes matrix instructions. On gfx908 accumulators hold C and D
// always, later where a bit says so; A and B may be in either file everywhere.
func (d *decoder) matrix() {
	i, f := d.inst, d.form
	acc := i.Chip == Gfx908 || bit(d.lo, 15)
	i.CBSZ, i.ABID, i.BLGP = uint8(d.lo>>8&7), uint8(d.lo>>11&15), uint8(d.hi>>29)
	if f.Has(Sparse) {
		d.reserve(uint32(i.BLGP))
	}
	i.Dst = d.file(vreg(d.lo, f.Dst.Width), acc)
	for n := range 2 {
		i.Src[n] = d.file(d.source(uint16(d.hi>>(9*n)&0x1ff), &f.Src[n]), bit(d.hi, 27+uint(n)))
	}
	o := d.source(uint16(d.hi>>18&0x1ff), &f.Src[2])
	switch {
	case o.Kind == SReg || o.Kind == Special:
		d.fail("scalar register where matrices are")
	case !f.Has(Sparse):
		o = d.file(o, acc)
	}
	i.Src[2] = o
}

// file puts an operand into the accumulator file, if it is a register.
func (d *decoder) file(o Operand, acc bool) Operand {
	if acc && o.Kind == VReg {
		o.Kind = AReg
		if int(o.Reg)+int(o.Width) > 256 {
			d.fail("accumulators beyond the last")
		}
	}
	return o
}

// accMove decodes moves from and to accumulators, which take no modifiers.
func (d *decoder) accMove() {
	i, f := d.inst, d.form
	d.reserve(d.lo&0x3f00 | d.hi>>29)
	i.Dst = d.file(vreg(d.lo, 1), f.Dst.Class == AccOnly)
	i.Src[0] = d.source(uint16(d.hi&0x1ff), &f.Src[0])
}
