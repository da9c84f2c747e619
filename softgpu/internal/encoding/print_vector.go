package encoding

var omodNames = [4]string{1: "mul:2", 2: "mul:4", 3: "div:2"}

var selNames = [8]string{"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"}

var unusedNames = [4]string{"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"}

// vop prints the modifiers of VOP1, VOP2 and VOPC with their SDWA and DPP forms.
func (p *printer) vop() {
	switch p.inst.Suffix {
	case SDWA:
		p.sdwa()
	case DPP:
		p.dpp()
	case DPP8:
		p.dpp8()
	}
}

func (p *printer) output() {
	p.flag(p.inst.Clamp, "clamp")
	p.flag(p.inst.Omod != 0, omodNames[p.inst.Omod&3])
}

func (p *printer) sdwa() {
	i := p.inst
	p.output()
	if i.Enc != VOPC && !p.form.Has(NoDstSel) {
		p.text(" dst_sel:")
		p.text(selNames[i.DstSel&7])
		p.text(" dst_unused:")
		p.text(unusedNames[i.DstUnused&3])
	}
	if i.Src[0].Kind != NoOperand {
		p.text(" src0_sel:")
		p.text(selNames[i.Src0Sel&7])
	}
	if i.Src[1].Kind != NoOperand {
		p.text(" src1_sel:")
		p.text(selNames[i.Src1Sel&7])
	}
}

// control is a range of DPP controls that share a name.
type control struct {
	name        string
	First, Last uint16
	value       int64 // of the first one; -1: printed without
}

var controls = []control{
	{"row_shl", 0x101, 0x10f, 1}, {"row_shr", 0x111, 0x11f, 1}, {"row_ror", 0x121, 0x12f, 1},
	{"wave_shl", 0x130, 0x130, 1}, {"wave_rol", 0x134, 0x134, 1}, {"wave_shr", 0x138, 0x138, 1}, {"wave_ror", 0x13c, 0x13c, 1},
	{"row_mirror", 0x140, 0x140, -1}, {"row_half_mirror", 0x141, 0x141, -1},
	{"row_bcast", 0x142, 0x142, 15}, {"row_bcast", 0x143, 0x143, 31}, {"row_newbcast", 0x150, 0x15f, 0},
}

var quadPerm = control{"quad_perm", 0, 0xff, 0}

// dppControl returns the control that ctrl belongs to; without a name: reserved.
func dppControl(of []control, ctrl uint16) control {
	if ctrl <= quadPerm.Last {
		return quadPerm
	}
	for _, c := range of {
		if ctrl >= c.First && ctrl <= c.Last {
			return c
		}
	}
	return control{}
}

func (p *printer) dpp() {
	i := p.inst
	of := controls
	if p.set.Facts().dpp8 {
		of = RDNAControls
	}
	c := dppControl(of, i.DPPCtrl)
	p.flag(true, c.name)
	switch {
	case c.name == quadPerm.name:
		p.text(":[")
		for n := 0; n < 4; n++ {
			if n > 0 {
				p.text(",")
			}
			p.number(int64(i.DPPCtrl >> (2 * n) & 3))
		}
		p.text("]")
	case c.value >= 0:
		p.text(":")
		p.number(c.value + int64(i.DPPCtrl-c.First))
	}
	p.text(" row_mask:")
	p.hex(uint64(i.RowMask))
	p.text(" bank_mask:")
	p.hex(uint64(i.BankMask))
	p.flag(i.BoundCtrl, "bound_ctrl:1")
	p.flag(i.Fetch, "fi:1")
}

// bits prints a list of one bit per operand, unless all of them are usual.
func (p *printer) bits(name string, bits, usual uint8, count int) {
	mask := uint8(1<<count - 1)
	if bits&mask == usual&mask {
		return
	}
	p.flag(true, name)
	p.text(":[")
	for n := 0; n < count; n++ {
		if n > 0 {
			p.text(",")
		}
		p.number(int64(bits >> n & 1))
	}
	p.text("]")
}

func (p *printer) sources() int {
	n := 0
	for n < len(p.form.Src) && p.form.Src[n].Class != NoSlot {
		n++
	}
	return n
}

func (p *printer) vop3() {
	i, f := p.inst, p.form
	if f.Has(Interp) {
		p.flag(i.Extra&interpHigh != 0, "high")
	}
	if f.Has(TruthTable) && i.Extra != 0 {
		p.text(" bitop3:")
		p.digits(i.Extra)
	}
	switch {
	case f.Has(ScaleSel):
		p.labelled("scale_sel", int64(i.OpSel))
	case f.Has(SwapLanes) && p.set != GFX9 && f.Src[1].Class != NoSlot:
		p.bits("op_sel", i.OpSel, 0, 2)
	case f.Has(SwapLanes):
		p.flag(i.OpSel&2 != 0, "bound_ctrl:1")
		p.flag(i.OpSel&1 != 0, "fi:1")
	case f.Has(ByteSel) && p.set >= GFX12:
		if f.Dst.Type.IsHalf() {
			p.bits("op_sel", i.OpSel>>Destination&1<<1, 0, 2)
		}
		if f.Src[0].Type.IsHalf() {
			p.bits("op_sel", i.OpSel&3, 0, 3)
		}
		p.output()
		p.labelled("byte_sel", int64(i.ByteSel()))
		p.vop()
		return
	case f.Has(HasOpSel | Interp), f.Has(HasOpSel | ByteSel):
		p.output()
		p.bits("op_sel", i.OpSel, 0, 4)
		p.vop()
		return
	case f.Has(HasOpSel) && f.Src[2].Class != CarryIn:
		n := p.sources()
		sel := i.OpSel&(1<<n-1) | i.OpSel>>3&1<<n
		if f.Dst.Class != NoSlot || f.SDst.Class != NoSlot && i.Suffix < DPP {
			n++
		}
		if f.Has(Accumulates) { // LLVM has the destination as a source, whose bit comes first
			sel = sel&3 | sel>>2&1<<3
			n++
		}
		p.bits("op_sel", sel, 0, n)
	}
	p.output()
	p.vop()
}

func (p *printer) vop3p() {
	i, f := p.inst, p.form
	if f.Has(WMMA) {
		p.wmma()
		return
	}
	if f.Has(Matrix) {
		p.matrix()
		return
	}
	if f.Has(AccMove) {
		return
	}
	if f.Has(Scales) && p.set == GFX1250 {
		p.scales1250()
		return
	}
	if f.Has(Scales) {
		p.bits("op_sel", i.OpSel, 0, 2)
		p.bits("op_sel_hi", i.OpSelHi, 0xff, 2)
		return
	}
	n := p.sources()
	p.bits("op_sel", i.OpSel, 0, n)
	if f.Has(MixMods) {
		p.bits("op_sel_hi", i.OpSelHi, 0, n)
	} else {
		p.bits("op_sel_hi", i.OpSelHi, 0xff, n)
		p.bits("neg_lo", i.Neg, 0, n)
		p.bits("neg_hi", i.NegHi, 0, n)
	}
	p.flag(i.Clamp, "clamp")
	p.vop()
}

// attribute prints the attribute and channel of an interpolation.
func (p *printer) attribute() {
	p.next()
	p.text("attr")
	p.number(int64(p.inst.Extra & 0x3f))
	p.text(".")
	p.b = append(p.b, "xyzw"[p.inst.Extra>>interpChannel&3])
}

var params = [...]string{"p10", "p20", "p0"}

func (p *printer) param(n uint32) {
	if n < uint32(len(params)) {
		p.text(params[n])
		return
	}
	p.text("invalid_param_")
	p.number(int64(n))
}
