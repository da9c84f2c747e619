package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Packed instructions on two singles, each in its own register. Each half is bound like the instruction on one single,
// and so has the same denormals, clamp and EXEC.

// PackedSingles makes a meaning that runs one on both halves: m is the meaning of an instruction of form f.
func PackedSingles(m encoding.Meaning, f *encoding.Form) encoding.Meaning {
	row := &encoding.Row{Form: f}
	return func(i *encoding.Inst) encoding.Step {
		half := func(n int) (encoding.Step, encoding.Inst) {
			c := *i
			c.Row, c.Enc, c.OpSel, c.OpSelHi, c.NegHi = row, encoding.VOP3, 0, 0, 0
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
		return inTurn(low, high, int(i.Dst.Reg), reads(&needs, i.Dst.Kind, i.Dst.Reg), i.Dst.Kind == encoding.AReg)
	}
}

// registerOf returns the nth register of an operand of two. A constant is the lower one; the upper is 0.
func registerOf(o encoding.Operand, n int) encoding.Operand {
	switch o.Kind {
	case encoding.VReg, encoding.AReg, encoding.SReg:
		o.Reg += uint16(n)
		o.Code += uint16(n)
		o.Width = 1
	case encoding.Const:
		o.Width = 1
		if n == 1 {
			o = encoding.Operand{Kind: encoding.Const, Width: 1, Code: encoding.SrcZero}
		}
	}
	return o
}

// reads reports whether a source of i is the register.
func reads(i *encoding.Inst, kind encoding.OperandKind, reg uint16) bool {
	for n := range i.Src {
		if i.Src[n].Kind == kind && i.Src[n].Reg == reg {
			return true
		}
	}
	return false
}

// inTurn runs the two halves of an instruction. If the high one reads what the
// low one writes, register d, it sees the value from before.
func inTurn(low, high encoding.Step, d int, saved, acc bool) encoding.Step {
	if low == nil || high == nil {
		return nil
	}
	if !saved {
		return func(w *wave.Wave) {
			low(w)
			high(w)
		}
	}
	at := wave.Registers{At: d, Acc: acc}
	return func(w *wave.Wave) {
		reg := at.Of(w, 0)
		before := *reg
		low(w)
		w.Old = *reg
		*reg = before
		high(w)
		*reg = w.Old
	}
}

// PkMovB32 moves a register of each of its sources, which op_sel chooses.
func PkMovB32(i *encoding.Inst) encoding.Step {
	move := func(n int) (encoding.Step, encoding.Inst) {
		c := *i
		c.Row, c.Enc, c.OpSel, c.OpSelHi, c.Neg, c.NegHi = movRow, encoding.VOP3, 0, 0, 0, 0
		c.Dst = registerOf(i.Dst, n)
		c.Src = [4]encoding.Operand{registerOf(i.Src[n], int(i.OpSel>>n&1))}
		return UnaryU32(alu.CopyLanes)(&c), c
	}
	low, _ := move(0)
	high, needs := move(1)
	return inTurn(low, high, int(i.Dst.Reg), reads(&needs, i.Dst.Kind, i.Dst.Reg), i.Dst.Kind == encoding.AReg)
}

var movRow = &encoding.Row{Form: &encoding.Form{Dst: encoding.Slot{Class: encoding.VectorOnly, Width: 1, Type: encoding.Bits32}, Src: [4]encoding.Slot{{Class: encoding.AnySrc, Width: 1, Type: encoding.Bits32}}}}
