package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Wave1 binds v_cvt_f32_f16 and its like.
func Wave1(k alu.Kernel1, d, a alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindVector(i, d, a).step1(k) }
}

func (v *valu) step1(k alu.Kernel1) encoding.Step {
	return v.plain1(k, func(w *wave.Wave) {
		a := v.src[0].lanes(w, &w.Temp[0])
		if v.straight(w) {
			k(v.reg(w, 0), a)
			return
		}
		k(&w.Temp[3][0], a)
		v.finish(w, &w.Temp[3])
	})
}

// Wave2 binds v_ldexp_f32 and its like.
func Wave2(k alu.Kernel2, d, a, b alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindVector(i, d, a, b).step2(k) }
}

func (v *valu) step2(k alu.Kernel2) encoding.Step {
	return v.plain2(k, func(w *wave.Wave) {
		a := v.src[0].lanes(w, &w.Temp[0])
		b := v.src[1].lanes(w, &w.Temp[1])
		if v.straight(w) {
			k(v.reg(w, 0), a, b)
			return
		}
		k(&w.Temp[3][0], a, b)
		v.finish(w, &w.Temp[3])
	})
}

// Wave3 binds v_mad_i32_i16 and v_mad_u32_u16.
func Wave3(k alu.Kernel3, d, a, b, c alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindVector(i, d, a, b, c).step3(k) }
}

func (v *valu) step3(k alu.Kernel3) encoding.Step {
	return v.plain3(k, func(w *wave.Wave) {
		a := v.src[0].lanes(w, &w.Temp[0])
		b := v.src[1].lanes(w, &w.Temp[1])
		c := v.src[2].lanes(w, &w.Temp[2])
		if v.straight(w) {
			k(v.reg(w, 0), a, b, c)
			return
		}
		k(&w.Temp[3][0], a, b, c)
		v.finish(w, &w.Temp[3])
	})
}

// preserve is Wave3 for a 16-bit instruction that, unlike most on GFX9, preserves the half
// of its destination that it does not write.
func preserve(k alu.Kernel3, d, a, b, c alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, d, a, b, c)
		v.Preserve = true
		v.seal()
		return v.step3(k)
	}
}

// WaveTemp binds v_ldexp_f16 and its like.
func WaveTemp(k alu.TempKernel3, d alu.Kind, in ...alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindVector(i, d, in...).stepTemp(k) }
}

// stepTemp is step3 for a kernel that needs temporaries. There may be no third source.
func (v *valu) stepTemp(k alu.TempKernel3) encoding.Step {
	return func(w *wave.Wave) {
		a := v.src[0].lanes(w, &w.Temp[0])
		b := v.src[1].lanes(w, &w.Temp[1])
		c := &alu.Zeros
		if v.src[2].kind != alu.None {
			c = v.src[2].lanes(w, &w.Temp[2])
		}
		k(&w.Temp, &w.Temp[3][0], a, b, c)
		if v.straight(w) {
			*v.reg(w, 0) = w.Temp[3][0]
			return
		}
		v.finish(w, &w.Temp[3])
	}
}

// Accumulate is Wave3 with the destination as third source.
func Accumulate(k alu.Kernel3, t, in alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(withDst(i, 2), t, in, in, t)
		return v.step3(k)
	}
}

// AccumulateTemp is accumulate for a kernel that needs temporaries.
func AccumulateTemp(k alu.TempKernel3, t, in alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindVector(withDst(i, 2), t, in, in, t).stepTemp(k) }
}

// withDst returns the instruction with its destination as source n as well.
func withDst(i *encoding.Inst, n int) *encoding.Inst {
	c := *i
	c.Src[n] = i.Dst
	c.OpSel = c.OpSel&^(1<<n) | c.OpSel>>encoding.Destination&1<<n // the same half
	return &c
}

// Saturating chooses the second meaning for instructions with the clamp bit.
func Saturating(plain, clamped encoding.Meaning) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.Clamp {
			return clamped(i)
		}
		return plain(i)
	}
}

// Refused is the meaning of a form that has none.
func Refused(*encoding.Inst) encoding.Step { return nil }

// maskIn returns the scalar mask that an instruction reads as source n: VCC where none is encoded.
func maskIn(i *encoding.Inst, n int) scalar {
	if i.Src[n].Kind == encoding.NoOperand {
		return scalar{from: encoding.SReg, reg: wave.VccLo}
	}
	return bindScalar(&i.Src[n], alu.U64)
}

// mask is where an instruction writes a bit for each lane: a pair of scalar registers, or
// one where waves have 32 lanes. Who reads a mask may read a pair: the bits of lanes that do
// not exist do not matter.
type mask struct {
	reg  uint8
	pair bool
}

func (m mask) set(w *wave.Wave, v uint64) {
	w.S[m.reg] = uint32(v)
	if m.pair {
		w.S[m.reg+1] = uint32(v >> 32)
	}
}

// maskOut returns the mask that an instruction writes.
func maskOut(i *encoding.Inst) mask {
	m := mask{wave.VccLo, !i.Wave32}
	switch {
	case i.Row.Form.Has(encoding.ToExec):
		m.reg = wave.ExecLo
	case i.SDst.Kind == encoding.SReg:
		m.reg = uint8(i.SDst.Reg)
	case i.Dst.Kind == encoding.SReg:
		m.reg = uint8(i.Dst.Reg)
	}
	return m
}

// Carry makes a meaning of a kernel with a mask as third source, and one as
// second result if writes is set.
func Carry(k alu.Carrier, writes bool, a, b alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, alu.U32, a, b)
		in, out := maskIn(i, 2), maskOut(i)
		return v.plainCarry(k, in, out, writes, func(w *wave.Wave) {
			a := v.src[0].lanes(w, &w.Temp[0])
			b := v.src[1].lanes(w, &w.Temp[1])
			m := in.u64(w)
			var c uint64
			if v.straight(w) {
				c = k(v.reg(w, 0), a, b, m)
			} else {
				c = k(&w.Temp[3][0], a, b, m)
				c &= v.active(w)
				v.finish(w, &w.Temp[3])
			}
			if writes {
				out.set(w, c)
			}
		})
	}
}
