package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Most instructions have no modifiers and read registers and constants. Their
// steps look at EXEC, and at the bits of MODE that they cannot do without.

// plainSource is where a plain operand is: in a register, the same for all lanes, or constant.
type plainSource struct {
	reg  int
	k    *alu.Lanes
	s    *scalar
	wide bool // of 64 bits: the upper halves follow

	// Steps of plain instructions have no modifiers: the lanes that are read, then bits to clear, then bits to flip.
	perm        *permutation
	clear, flip uint32
}

func (p *plainSource) of(w *wave.Wave, temp *alu.Pair) *alu.Lanes {
	if p.k != nil {
		return p.k
	}
	if p.s != nil {
		return p.spread(w, temp)
	}
	return &w.V[p.reg]
}

func (p *plainSource) spread(w *wave.Wave, temp *alu.Pair) *alu.Lanes {
	temp[0].Fill(p.s.U32(w))
	return &temp[0]
}

// plainWave are the operands of such an instruction.
type plainWave struct {
	src  [3]plainSource
	dst  int
	need uint32 // bits of MODE
}

// sources are the first count of them.
func (p *plainWave) sources(count int) (list []*plainSource) {
	for n := range count {
		list = append(list, &p.src[n])
	}
	return list
}

// denormalBits are the bits of MODE with which denormal operands of a kind are not flushed.
func denormalBits(k alu.Kind) uint32 {
	switch k {
	case alu.F32:
		return alu.Denorms32
	case alu.F16, alu.Pf16, alu.F64:
		return alu.Denorms64
	}
	return 0
}

// plain returns the operands of an instruction without modifiers whose operands
// have at most 32 bits.
func (v *valu) plain() (p plainWave, ok bool) {
	if p, ok = v.plainWide(); !ok || v.out.Wide() || p.src[0].wide || p.src[1].wide || p.src[2].wide {
		return p, false
	}
	return p, true
}

// plainWide returns those of one whose operands have 32 or 64 bits.
func (v *valu) plainWide() (p plainWave, ok bool) {
	if !v.Unmodified || v.acc {
		return p, false
	}
	p.dst, p.need = v.dst, denormalBits(v.out)
	for n := range v.src {
		s := &v.src[n]
		if s.kind == alu.None {
			continue
		}
		if s.modified || s.from == encoding.AReg {
			return p, false
		}
		p.need |= denormalBits(s.kind)
		p.src[n].wide = s.kind.Wide()
		switch s.from {
		case encoding.VReg:
			p.src[n].reg = s.reg
		case encoding.Const:
			p.src[n].k = &s.k[0]
		default:
			p.src[n].s = &s.s
		}
	}
	return p, true
}

func (v *valu) plain1(k alu.Kernel1, slow encoding.Step) encoding.Step {
	p, ok := v.plain()
	if !ok {
		return v.runsSigned(slow, k, 1)
	}
	a, d, need := &p.src[0], p.dst, p.need
	return v.runs(func(w *wave.Wave) {
		if w.Mode&need != need {
			slow(w)
			return
		}
		r := w.Into(d)
		k(r, a.of(w, &w.Temp[0]))
		w.Settle(d, r)
	}, k, &p, []*plainSource{a}, nil)
}

func (v *valu) plain2(k alu.Kernel2, slow encoding.Step) encoding.Step {
	p, ok := v.plain()
	if !ok {
		return v.runsSigned(slow, k, 2)
	}
	a, b, d, need := &p.src[0], &p.src[1], p.dst, p.need
	return v.runs(func(w *wave.Wave) {
		if w.Mode&need != need {
			slow(w)
			return
		}
		r := w.Into(d)
		k(r, a.of(w, &w.Temp[0]), b.of(w, &w.Temp[1]))
		w.Settle(d, r)
	}, k, &p, []*plainSource{a, b}, nil)
}

func (v *valu) plain3(k alu.Kernel3, slow encoding.Step) encoding.Step {
	p, ok := v.plain()
	if !ok {
		return v.runsSigned(slow, k, 3)
	}
	a, b, c, d, need := &p.src[0], &p.src[1], &p.src[2], p.dst, p.need
	return v.runs(func(w *wave.Wave) {
		if w.Mode&need != need {
			slow(w)
			return
		}
		r := w.Into(d)
		k(r, a.of(w, &w.Temp[0]), b.of(w, &w.Temp[1]), c.of(w, &w.Temp[2]))
		w.Settle(d, r)
	}, k, &p, []*plainSource{a, b, c}, nil)
}

// plainCarry is for integers: they need nothing of MODE.
func (v *valu) plainCarry(k alu.Carrier, in scalar, out mask, writes bool, slow encoding.Step) encoding.Step {
	p, ok := v.plain()
	if !ok {
		return slow
	}
	a, b, d := &p.src[0], &p.src[1], p.dst
	masks := func(part *encoding.Part, op *alu.Op) bool {
		return putScalar(part, op, 3, &in) && (!writes || putMask(part, op, 4, out))
	}
	if !writes {
		return v.runs(func(w *wave.Wave) {
			r := w.Into(d)
			k(r, a.of(w, &w.Temp[0]), b.of(w, &w.Temp[1]), in.u64(w))
			w.Settle(d, r)
		}, k, &p, []*plainSource{a, b}, masks)
	}
	return v.runs(func(w *wave.Wave) {
		r := w.Into(d)
		c := k(r, a.of(w, &w.Temp[0]), b.of(w, &w.Temp[1]), in.u64(w))
		w.Settle(d, r)
		out.set(w, c&w.Exec())
	}, k, &p, []*plainSource{a, b}, masks)
}

func (v *valu) plainTest(k alu.Tester, exchange bool, flip uint64, to mask, slow encoding.Step) encoding.Step {
	p, ok := v.plain()
	if !ok {
		return slow
	}
	a, b, need := &p.src[0], &p.src[1], p.need
	if exchange {
		a, b = b, a
	}
	return v.runs(func(w *wave.Wave) {
		if w.Mode&need != need {
			slow(w)
			return
		}
		to.set(w, (k(a.of(w, &w.Temp[0]), b.of(w, &w.Temp[1]))^flip)&w.Exec())
	}, k, &p, []*plainSource{a, b}, ofTest(flip, to))
}
