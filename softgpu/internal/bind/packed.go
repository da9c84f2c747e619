package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

func bindHalves(i *encoding.Inst, n int, float bool) alu.Halves {
	h := alu.Halves{Low: uint(i.OpSel>>n&1) * 16, High: uint(i.OpSelHi>>n&1) * 16}
	if float {
		h.NegLow, h.NegHigh = uint32(i.Neg>>n&1)<<15, uint32(i.NegHi>>n&1)<<15
	}
	return h
}

// bindPacked binds an instruction on n packed sources of a kind.
func bindPacked(i *encoding.Inst, k alu.Kind, n int) *valu {
	c := *i
	c.Neg, c.Abs, c.OpSel, c.Omod = 0, 0, 0, 0
	in := [3]alu.Kind{k, k, k}
	v := bindVector(&c, k, in[:n]...)
	for s := range n {
		if h := bindHalves(i, s, k == alu.Pf16 || k == alu.Pbf16); h != (alu.Halves{High: 16}) {
			v.src[s].halved, v.src[s].modified = &h, true
		}
	}
	return v
}

// PackedHalves makes a meaning of a function on halves that works on both of registers.
func PackedHalves(f alu.LaneFunc, n int) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		return bindPacked(i, alu.Pf16, n).StepLanes(func(a, b, c uint64) uint64 {
			return f(a&0xffff, b&0xffff, c&0xffff)&0xffff | f(a>>16, b>>16, c>>16)&0xffff<<16
		})
	}
}

// Dot makes a meaning of a sum of products of parts of registers, added to the third
// source: of a kernel, and of the lanes' function where sums are limited.
func Dot(k alu.Kernel3, parts alu.DotParts) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		c := *i
		c.Neg, c.Abs, c.OpSel = 0, 0, 0
		v := bindVector(&c, alu.U32, alu.Pu16, alu.Pu16, alu.U32)
		if i.Clamp {
			return v.StepLanes(parts.Limited)
		}
		return v.step3(k)
	}
}
