package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// WaveWide makes a meaning from a kernel on 64-bit operands. The upper half of a 32-bit operand is 0; that of a 32-bit
// result is dropped.
func WaveWide(k alu.WideKernel, d alu.Kind, in ...alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindVector(i, d, in...).stepWide(k, len(in)) }
}

// stepWide is a kernel's step with count sources.
func (v *valu) stepWide(k alu.WideKernel, count int) encoding.Step {
	step := func(w *wave.Wave) {
		al, ah := v.src[0].halves(w, &w.Temp[0])
		bl, bh, cl, ch := &alu.Zeros, &alu.Zeros, &alu.Zeros, &alu.Zeros
		if count > 1 {
			bl, bh = v.src[1].halves(w, &w.Temp[1])
		}
		if count > 2 {
			cl, ch = v.src[2].halves(w, &w.Temp[2])
		}
		if v.straight(w) {
			dh := &w.Temp[3][1]
			if v.out.Wide() {
				dh = v.reg(w, 1)
			}
			k(v.reg(w, 0), dh, al, ah, bl, bh, cl, ch)
			return
		}
		k(&w.Temp[3][0], &w.Temp[3][1], al, ah, bl, bh, cl, ch)
		v.finish(w, &w.Temp[3])
	}
	return v.runsWide(step, k, count, nil)
}

// MadWide makes a meaning of v_mad_u64_u32 and its like: a product of 64 bits
// plus c of kind t, and bit 64 of the sum.
func MadWide(k alu.WideCarrier, t alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v, to := bindVector(i, t, alu.U32, alu.U32, t), maskOut(i)
		step := func(w *wave.Wave) {
			a := v.src[0].lanes(w, &w.Temp[0])
			b := v.src[1].lanes(w, &w.Temp[1])
			cl, ch := v.src[2].halves(w, &w.Temp[2])
			if v.straight(w) {
				to.set(w, k(v.reg(w, 0), v.reg(w, 1), a, b, cl, ch))
				return
			}
			out := k(&w.Temp[3][0], &w.Temp[3][1], a, b, cl, ch)
			out &= w.Exec()
			v.finish(w, &w.Temp[3])
			to.set(w, out)
		}
		return v.runsWide(step, k, 3, func(p *encoding.Part, op *alu.Op) bool { return putMask(p, op, 4, to) })
	}
}
