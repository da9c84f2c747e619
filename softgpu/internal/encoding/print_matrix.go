package encoding

// matrix prints how a matrix instruction's operands are broadcast or negated.
func (p *printer) matrix() {
	i := p.inst
	if i.Enc == VOP3PX {
		p.bits("op_sel", i.OpSel, 0, 3)
		p.bits("op_sel_hi", i.OpSelHi, 0xff, 3)
		p.labelled("cbsz", int64(i.CBSZ))
		p.labelled("blgp", int64(i.BLGP))
		return
	}
	p.labelled("cbsz", int64(i.CBSZ))
	p.labelled("abid", int64(i.ABID))
	if p.form.Has(MatrixNeg) && i.Chip.AtLeast(Gfx942) {
		p.bits("neg", i.BLGP, 0, 3)
		return
	}
	p.labelled("blgp", int64(i.BLGP))
}
