package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// Packed instructions on two singles, each in a register of its own. Both
// halves are bound as the instruction on one single, so what is true of that
// one (denormals, clamp, EXEC) is true here.

// packedSingles makes a meaning that runs one on both halves: m is the meaning of an instruction of form f.
func packedSingles(m Meaning, f *Form) Meaning {
	row := &Row{Form: f}
	return func(i *Inst) Step {
		half := func(n int) (Step, Inst) {
			c := *i
			c.Row, c.Enc, c.OpSel, c.OpSelHi, c.NegHi = row, VOP3, 0, 0, 0
			c.Dst = registerOf(i.Dst, n)
			sel, neg := i.OpSel, i.Neg
			if n == 1 {
				sel, neg = i.OpSelHi, i.NegHi
			}
			c.Neg = neg
			for s := range c.Src {
				c.Src[s] = registerOf(i.Src[s], int(sel>>s&1))
			}
			return m(&c), c
		}
		low, _ := half(0)
		high, needs := half(1)
		return inTurn(low, high, int(i.Dst.Reg), reads(&needs, i.Dst.Kind, i.Dst.Reg), i.Dst.Kind == AReg)
	}
}

// registerOf returns the nth register of an operand of two. A constant is the lower one; the upper is 0.
func registerOf(o Operand, n int) Operand {
	switch o.Kind {
	case VReg, AReg, SReg:
		o.Reg += uint16(n)
		o.Code += uint16(n)
		o.Width = 1
	case Const:
		o.Width = 1
		if n == 1 {
			o = Operand{Kind: Const, Width: 1, Code: srcZero}
		}
	}
	return o
}

// reads tells whether a source of i is the register.
func reads(i *Inst, kind OperandKind, reg uint16) bool {
	for n := range i.Src {
		if i.Src[n].Kind == kind && i.Src[n].Reg == reg {
			return true
		}
	}
	return false
}

// inTurn runs the two halves of an instruction. If the high one reads what the
// low one writes, register d, it sees the value from before.
func inTurn(low, high Step, d int, saved, acc bool) Step {
	if low == nil || high == nil {
		return nil
	}
	if !saved {
		return func(w *Wave) {
			low(w)
			high(w)
		}
	}
	at := registers{at: d, acc: acc}
	return func(w *Wave) {
		reg := at.of(w, 0)
		before := *reg
		low(w)
		w.old = *reg
		*reg = before
		high(w)
		*reg = w.old
	}
}

// pkMovB32 moves a register of each of its sources, which op_sel chooses.
func pkMovB32(i *Inst) Step {
	move := func(n int) (Step, Inst) {
		c := *i
		c.Row, c.Enc, c.OpSel, c.OpSelHi, c.Neg, c.NegHi = movRow, VOP3, 0, 0, 0, 0
		c.Dst = registerOf(i.Dst, n)
		c.Src = [4]Operand{registerOf(i.Src[n], int(i.OpSel>>n&1))}
		return unaryU32(alu.CopyLanes)(&c), c
	}
	low, _ := move(0)
	high, needs := move(1)
	return inTurn(low, high, int(i.Dst.Reg), reads(&needs, i.Dst.Kind, i.Dst.Reg), i.Dst.Kind == AReg)
}

var movRow = &Row{Form: &Form{Dst: Slot{Class: VectorOnly, Width: 1, Type: Bits32}, Src: [4]Slot{{Class: AnySrc, Width: 1, Type: Bits32}}}}
