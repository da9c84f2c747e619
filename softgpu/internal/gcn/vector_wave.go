package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

func wave1(k alu.Kernel1, d, a alu.Kind) Meaning {
	return func(i *Inst) Step { return bindVector(i, d, a).step1(k) }
}

func (v *valu) step1(k alu.Kernel1) Step {
	return v.plain1(k, func(w *Wave) {
		a := v.src[0].lanes(w, &w.tmp[0])
		if v.straight(w) {
			k(v.reg(w, 0), a)
			return
		}
		k(&w.tmp[3][0], a)
		v.finish(w, &w.tmp[3])
	})
}

func wave2(k alu.Kernel2, d, a, b alu.Kind) Meaning {
	return func(i *Inst) Step { return bindVector(i, d, a, b).step2(k) }
}

func (v *valu) step2(k alu.Kernel2) Step {
	return v.plain2(k, func(w *Wave) {
		a := v.src[0].lanes(w, &w.tmp[0])
		b := v.src[1].lanes(w, &w.tmp[1])
		if v.straight(w) {
			k(v.reg(w, 0), a, b)
			return
		}
		k(&w.tmp[3][0], a, b)
		v.finish(w, &w.tmp[3])
	})
}

func wave3(k alu.Kernel3, d, a, b, c alu.Kind) Meaning {
	return func(i *Inst) Step { return bindVector(i, d, a, b, c).step3(k) }
}

func (v *valu) step3(k alu.Kernel3) Step {
	return v.plain3(k, func(w *Wave) {
		a := v.src[0].lanes(w, &w.tmp[0])
		b := v.src[1].lanes(w, &w.tmp[1])
		c := v.src[2].lanes(w, &w.tmp[2])
		if v.straight(w) {
			k(v.reg(w, 0), a, b, c)
			return
		}
		k(&w.tmp[3][0], a, b, c)
		v.finish(w, &w.tmp[3])
	})
}

// preserve is wave3 for a 16-bit instruction that, unlike most on GFX9, preserves the half
// of its destination that it does not write.
func preserve(k alu.Kernel3, d, a, b, c alu.Kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, d, a, b, c)
		v.preserve = true
		v.seal()
		return v.step3(k)
	}
}

func waveTemp(k alu.TempKernel3, d alu.Kind, in ...alu.Kind) Meaning {
	return func(i *Inst) Step { return bindVector(i, d, in...).stepTemp(k) }
}

// stepTemp is step3 for a kernel that needs temporaries. There may be no third source.
func (v *valu) stepTemp(k alu.TempKernel3) Step {
	return func(w *Wave) {
		a := v.src[0].lanes(w, &w.tmp[0])
		b := v.src[1].lanes(w, &w.tmp[1])
		c := &alu.Zeros
		if v.src[2].kind != alu.None {
			c = v.src[2].lanes(w, &w.tmp[2])
		}
		k(&w.tmp, &w.tmp[3][0], a, b, c)
		if v.straight(w) {
			*v.reg(w, 0) = w.tmp[3][0]
			return
		}
		v.finish(w, &w.tmp[3])
	}
}

// accumulate is wave3 whose third source is the destination.
func accumulate(k alu.Kernel3, t, in alu.Kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(withDst(i, 2), t, in, in, t)
		return v.step3(k)
	}
}

// accumulateTemp is accumulate for a kernel that needs temporaries.
func accumulateTemp(k alu.TempKernel3, t, in alu.Kind) Meaning {
	return func(i *Inst) Step { return bindVector(withDst(i, 2), t, in, in, t).stepTemp(k) }
}

// withDst returns the instruction with its destination as source n as well.
func withDst(i *Inst, n int) *Inst {
	c := *i
	c.Src[n] = i.Dst
	c.OpSel = c.OpSel&^(1<<n) | c.OpSel>>destination&1<<n // the same half
	return &c
}

// saturating chooses the second meaning for instructions with the clamp bit.
func saturating(plain, clamped Meaning) Meaning {
	return func(i *Inst) Step {
		if i.Clamp {
			return clamped(i)
		}
		return plain(i)
	}
}

// refused is the meaning of a form that has none.
func refused(*Inst) Step { return nil }

// maskIn returns the scalar mask that an instruction reads as source n: VCC where none is encoded.
func maskIn(i *Inst, n int) scalar {
	if i.Src[n].Kind == NoOperand {
		return scalar{from: SReg, reg: VccLo}
	}
	return bindScalar(&i.Src[n], alu.U64)
}

// mask is where an instruction writes a bit for each lane: a pair of scalar registers, or
// one where waves have 32 lanes. Who reads a mask may read a pair: the bits of lanes that do
// not exist matter to nobody.
type mask struct {
	reg  uint8
	pair bool
}

func (m mask) set(w *Wave, v uint64) {
	w.S[m.reg] = uint32(v)
	if m.pair {
		w.S[m.reg+1] = uint32(v >> 32)
	}
}

// maskOut returns the mask that an instruction writes.
func maskOut(i *Inst) mask {
	m := mask{VccLo, !i.Wave32}
	switch {
	case i.Row.Form.Has(ToExec):
		m.reg = ExecLo
	case i.SDst.Kind == SReg:
		m.reg = uint8(i.SDst.Reg)
	case i.Dst.Kind == SReg:
		m.reg = uint8(i.Dst.Reg)
	}
	return m
}

// carry makes a meaning of a kernel with a mask as third source, and one as
// second result if writes is set.
func carry(k alu.Carrier, writes bool, a, b alu.Kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, alu.U32, a, b)
		in, out := maskIn(i, 2), maskOut(i)
		return v.plainCarry(k, in, out, writes, func(w *Wave) {
			a := v.src[0].lanes(w, &w.tmp[0])
			b := v.src[1].lanes(w, &w.tmp[1])
			m := in.u64(w)
			var c uint64
			if v.straight(w) {
				c = k(v.reg(w, 0), a, b, m)
			} else {
				c = k(&w.tmp[3][0], a, b, m)
				c &= v.active(w)
				v.finish(w, &w.tmp[3])
			}
			if writes {
				out.set(w, c)
			}
		})
	}
}
