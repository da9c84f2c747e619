package encoding

// half prints which half of a register a 16-bit operand is, and the whole number of a register above 255.
func (p *printer) half(o *Operand, s *Slot, n int) {
	if o.Kind != VReg {
		return
	}
	half := ""
	if s.Type.IsHalf() && p.set.Facts().Halves && !p.form.Has(MixMods) {
		half = [2]string{".l", ".h"}[p.inst.OpSel>>n&1]
	}
	p.text(half)
	if o.Reg > lowRegister {
		p.text(" /*")
		p.registers("v", o.Reg, o.Width)
		p.text(half)
		p.text("*/")
	}
}

// RDNAControls are the controls of DPP that RDNA has.
var RDNAControls = []control{
	{"row_shl", 0x101, 0x10f, 1}, {"row_shr", 0x111, 0x11f, 1}, {"row_ror", 0x121, 0x12f, 1},
	{"row_mirror", 0x140, 0x140, -1}, {"row_half_mirror", 0x141, 0x141, -1},
	{"row_share", 0x150, 0x15f, 0}, {"row_xmask", 0x160, 0x16f, 0},
}

func (p *printer) dpp8() {
	p.text(" dpp8:[")
	for n := range 8 {
		if n > 0 {
			p.text(",")
		}
		p.number(int64(p.inst.Lanes8 >> (3 * n) & 7))
	}
	p.text("]")
	p.flag(p.inst.Fetch, "fi:1")
}

// vopd prints the second instruction of a pair.
func (p *printer) vopd() {
	y := p.inst.Second
	if y == nil {
		return
	}
	p.text(" :: ")
	second := printer{b: p.b, inst: y, set: p.set, form: y.Row.Form}
	second.text(y.Row.Name)
	second.operands()
	p.b = second.b
}

// smem11 prints the offset: register, immediate or both.
func (p *printer) smem11() {
	p.smemOffset()
	p.rdnaPolicy()
}

// rdnaPolicy prints the bits that say how caches are used.
func (p *printer) rdnaPolicy() {
	p.flag(p.inst.GLC, "glc")
	p.flag(p.inst.SLC, "slc")
	p.flag(p.inst.DLC, "dlc")
}

func (p *printer) flat11() {
	p.labelled("offset", int64(p.inst.Imm))
	p.rdnaPolicy()
}

func (p *printer) flat10() {
	p.flat11()
	p.flag(p.inst.LDS, "lds")
}

func (p *printer) buffer10() {
	p.buffer11()
	p.flag(p.inst.LDS, "lds")
}

func (p *printer) buffer11() {
	i := p.inst
	if p.form.Src[0].Class == NoSlot {
		return
	}
	p.bufferFormat()
	p.flag(i.IdxEn, "idxen")
	p.flag(i.OffEn, "offen")
	p.labelled("offset", int64(i.Imm))
	p.rdnaPolicy()
	p.flag(i.TFE, "tfe")
}

// bufferFormat prints the format where it is not 8-bit UNORM.
func (p *printer) bufferFormat() {
	i, formats := p.inst, p.inst.Chip.Set().bufferFormats()
	if i.Enc != MTBUF || i.DFmt == 1 {
		return
	}
	p.text(" format:")
	if int(i.DFmt) < len(formats) && formats[i.DFmt] != "" {
		p.text("[BUF_FMT_")
		p.text(formats[i.DFmt])
		p.text("]")
	} else {
		p.number(int64(i.DFmt))
	}
}
