package encoding

import "strconv"

// String returns the instruction as LLVM's assembly text, one space where LLVM
// prints a tab.
func (i *Inst) String() string { return string(i.Print(make([]byte, 0, 64))) }

// Print appends the text of String to b.
func (i *Inst) Print(b []byte) []byte {
	if i.Row == nil {
		return append(b, "(bad instruction)"...)
	}
	p := printer{b: b, inst: i, set: i.Chip.Set(), form: i.Row.Form}
	p.name()
	p.text(p.suffix())
	p.operands()
	printers[p.set][i.Enc](&p)
	return p.b
}

// printers print the modifiers after the operands.
var printers = [numSets][NumEncodings]func(*printer){
	GFX9: {
		SOP2: (*printer).immediate, SOPK: (*printer).nothing, SOP1: (*printer).nothing, SOPC: (*printer).immediate, SOPP: (*printer).immediate,
		SMEM: (*printer).smem, VOP2: (*printer).vop, VOP1: (*printer).vop, VOPC: (*printer).vop, VOP3: (*printer).vop3, VOP3P: (*printer).vop3p, VOP3PX: (*printer).matrix,
		VINTRP: (*printer).nothing, DS: (*printer).ds, FLAT: (*printer).flat, MUBUF: (*printer).buffer, MTBUF: (*printer).buffer,
		MIMG: (*printer).image, EXP: (*printer).export,
	},
	GFX10: {
		SOP2: (*printer).immediate, SOPK: (*printer).nothing, SOP1: (*printer).nothing, SOPC: (*printer).immediate, SOPP: (*printer).immediate,
		SMEM: (*printer).smem11, VOP2: (*printer).vop, VOP1: (*printer).vop, VOPC: (*printer).vop, VOP3: (*printer).vop3, VOP3P: (*printer).vop3p,
		DS: (*printer).ds, FLAT: (*printer).flat10, MUBUF: (*printer).buffer10, MTBUF: (*printer).buffer10,
	},
	GFX11: {
		SOP2: (*printer).immediate, SOPK: (*printer).nothing, SOP1: (*printer).immediate, SOPC: (*printer).immediate, SOPP: (*printer).immediate,
		SMEM: (*printer).smem11, VOP2: (*printer).vop, VOP1: (*printer).vop, VOPC: (*printer).vop, VOP3: (*printer).vop3, VOP3P: (*printer).vop3p, VOPD: (*printer).vopd,
		DS: (*printer).ds, FLAT: (*printer).flat11, MUBUF: (*printer).buffer11, MTBUF: (*printer).buffer11,
	},
	GFX12: {
		SOP2: (*printer).immediate, SOPK: (*printer).nothing, SOP1: (*printer).immediate, SOPC: (*printer).immediate, SOPP: (*printer).immediate,
		SMEM: (*printer).smem12, VOP2: (*printer).vop, VOP1: (*printer).vop, VOPC: (*printer).vop, VOP3: (*printer).vop3, VOP3P: (*printer).vop3p, VOPD: (*printer).vopd,
		DS: (*printer).ds, FLAT: (*printer).flat12, MUBUF: (*printer).buffer12, MTBUF: (*printer).buffer12,
	},
	GFX1250: {
		SOP2: (*printer).immediate, SOPK: (*printer).nothing, SOP1: (*printer).immediate, SOPC: (*printer).immediate, SOPP: (*printer).immediate,
		SMEM: (*printer).smem12, VOP2: (*printer).vop, VOP1: (*printer).vop, VOPC: (*printer).vop, VOP3: (*printer).vop3, VOP3P: (*printer).vop3p, VOP3PX: (*printer).wmma1250,
		VOPD: (*printer).vopd, VOPD3: (*printer).vopd3, DS: (*printer).ds, FLAT: (*printer).flat12, MUBUF: (*printer).buffer12, VTENSOR: (*printer).policy12,
	},
}

type printer struct {
	b       []byte
	inst    *Inst
	set     Set
	form    *Form
	started bool // an operand has been printed
}

func (p *printer) text(s string)  { p.b = append(p.b, s...) }
func (p *printer) number(n int64) { p.b = strconv.AppendInt(p.b, n, 10) }
func (p *printer) nothing()       {}

func (p *printer) hex(n uint64) {
	p.text("0x")
	p.b = strconv.AppendUint(p.b, n, 16)
}

// flag prints a word where on is set.
func (p *printer) flag(on bool, word string) {
	if on {
		p.b = append(p.b, ' ')
		p.text(word)
	}
}

// next starts one more operand.
func (p *printer) next() {
	if p.started {
		p.text(", ")
	} else {
		p.text(" ")
	}
	p.started = true
}

// suffix tells the form that was used, for rows that have several.
func (p *printer) suffix() string {
	i, f := p.inst, p.form
	switch {
	case f.Dst.Class == NoSlot && f.SDst.Class == NoSlot && !f.Has(ToExec):
	case f.Has(Bare) && i.Suffix < DPP:
	case i.Suffix == SDWA:
		return "_sdwa"
	case i.Suffix >= DPP && (i.Enc == VOP3 || i.Enc == VOP3P):
		return "_e64_dpp"
	case i.Suffix >= DPP && i.Enc == VOPC:
		return ""
	case i.Suffix >= DPP:
		return "_dpp"
	case i.Enc == VOP1 || i.Enc == VOP2 || i.Enc == VOPC:
		if !f.Has(NoVOP3) {
			return "_e32"
		}
	case i.Enc == VINTRP:
		return "_e32"
	case i.Enc == VOP3:
		if i.Row.Op < p.set.Facts().FirstVOP3 || f.Has(Interp) && !f.Has(InterpHigh) {
			return "_e64"
		}
	}
	return ""
}

// operands prints destinations and sources.
func (p *printer) operands() {
	i, f := p.inst, p.form
	if i.Enc == EXP {
		p.exportOperands()
		return
	}
	if f.Has(ProbeKind) {
		p.next()
		p.small(i.Extra >> 1)
	}
	// An atomic through a resource returns into its data registers, which are printed once.
	twice := f.Has(Atomic) && (i.Enc == MUBUF || i.Enc == MIMG || i.Enc == SMEM)
	if i.Dst.Kind != NoOperand && !twice {
		p.next()
		p.operand(&i.Dst, &f.Dst)
		p.half(&i.Dst, &f.Dst, Destination)
	}
	if i.SDst.Kind != NoOperand {
		p.next()
		p.operand(&i.SDst, &f.SDst)
	}
	if f.Imm == ImmHwreg && f.Src[0].Class != NoSlot {
		p.next()
		p.hwreg()
	}
	for n := range f.Src {
		s := &f.Src[n]
		if s.Class == NoSlot {
			break
		}
		if s.Place == AtSoffset && i.Enc == SMEM || s.Class == CarryIn && (i.Enc == VOPD || i.Enc == VOPDY) {
			continue
		}
		if p.omitted(n) || i.Src[n].Kind == NoOperand && !p.absent() {
			continue
		}
		p.next()
		if i.Src[n].Kind == NoOperand && n == 0 && i.Enc == FLAT && s.Place == AtSaddr && f.Dst.Class == NoSlot {
			p.text("null")
		} else if i.Src[n].Kind == NoOperand {
			p.text("off")
		} else {
			p.source(n, s)
		}
		if n == 0 && f.Has(Interp) {
			p.attribute()
		}
	}
	if i.Enc == SOPK {
		p.immediate()
	}
	for n := range i.Scale {
		if i.Enc == VOP3PX {
			p.next()
			p.operand(&i.Scale[n], &scaleSlot)
		}
	}
}

// absent reports whether an operand that is not there is printed as off.
func (p *printer) absent() bool {
	switch p.inst.Enc {
	case FLAT:
		return p.inst.Seg != SegFlat
	case MUBUF, MTBUF:
		return true
	}
	return false
}

// source prints source n with its modifiers.
func (p *printer) source(n int, s *Slot) {
	i := p.inst
	if s.Class == InterpParam {
		p.param(i.Src[n].Value)
		return
	}
	packed := (i.Enc == VOP3P || i.Enc == VOP3PX) && !p.form.Has(MixMods)
	neg, abs, sext := i.Neg>>n&1 != 0 && !packed, i.Abs>>n&1 != 0, i.Sext>>n&1 != 0
	mnemonic := neg && !abs && i.Src[n].Kind == Const && !p.marked(&i.Src[n], s)
	switch {
	case mnemonic:
		p.text("neg(")
	case neg:
		p.text("-")
	}
	if abs {
		p.text("|")
	}
	if sext {
		p.text("sext(")
	}
	p.operand(&i.Src[n], s)
	p.half(&i.Src[n], s, n)
	if sext {
		p.text(")")
	}
	if abs {
		p.text("|")
	}
	if mnemonic {
		p.text(")")
	}
}
