package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

func bindMixing(i *encoding.Inst, n int) alu.Mixing {
	m := alu.Mixing{Half: i.OpSelHi>>n&1 != 0, Shift: uint(i.OpSel>>n&1) * 16}
	if (i.NegHi|i.Abs)>>n&1 != 0 {
		m.Clear = 1 << 31
	}
	if i.Neg>>n&1 != 0 {
		m.Flip = 1 << 31
	}
	return m
}

// bindMixed binds an instruction with such sources; a result that is a half goes
// to the low or the high one of its register.
func bindMixed(i *encoding.Inst, out alu.Kind, high bool) (v *valu, from [3]alu.Mixing) {
	c := *i
	c.Neg, c.Abs, c.OpSel = 0, 0, 0
	for n := range from {
		from[n] = bindMixing(i, n)
		if o := &c.Src[n]; from[n].Half && o.Kind == encoding.Const && o.Code >= codeFloats && o.Code <= codeInv2Pi {
			o.Value, o.Code = uint32(constant(o, alu.F16)), CodeLiteral
		}
	}
	v = bindVector(&c, out, alu.U32, alu.U32, alu.U32)
	if out == alu.F16 {
		v.Preserve, v.high = true, high
	}
	v.seal()
	return v, from
}

// MixedIn makes a meaning of a function of the bits of three singles, for sources under a MODE.
func MixedIn(mode uint32, out alu.Kind, high bool, f alu.LaneFunc) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v, from := bindMixed(i, out, high)
		return v.StepLanes(func(a, b, c uint64) uint64 {
			return f(from[0].Single(mode, a), from[1].Single(mode, b), from[2].Single(mode, c))
		})
	}
}

// MixedSingle makes a meaning of a kernel on singles, MixedHalf of one whose results are low halves.

// MixedSingle binds v_fma_mix_f32 and v_mad_mix_f32.
func MixedSingle(k alu.Kernel3) encoding.Meaning { return mixed(k, alu.F32, false) }

// MixedHalf binds v_fma_mixlo_f16 and its like.
func MixedHalf(high bool, k alu.Kernel3) encoding.Meaning { return mixed(k, alu.F16, high) }

func mixed(k alu.Kernel3, out alu.Kind, high bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v, from := bindMixed(i, out, high)
		return v.runsMixed(func(w *wave.Wave) {
			var x [3]*alu.Lanes
			for n := range x {
				temp := &w.Temp[n]
				x[n] = from[n].Singles(v.src[n].lanes(w, temp), &temp[0])
			}
			if v.straight(w) {
				k(v.reg(w, 0), x[0], x[1], x[2])
				return
			}
			k(&w.Temp[3][0], x[0], x[1], x[2])
			v.finish(w, &w.Temp[3])
		}, k, &from)
	}
}

// Dot2F32F16 adds two products of halves to a single, each step rounded to the
// nearest. Denormal operands and results are zeros in any MODE (CDNA3 ISA, 6.4). On
// gfx950 denormal halves keep their values, as LLVM's developers measured.
func Dot2F32F16(i *encoding.Inst) encoding.Step {
	v := bindPacked(i, alu.Pf16, 2)
	for n := range 2 {
		v.src[n].denorm = 0
	}
	v.out, v.omod, v.src[2] = alu.F32, i.Omod, bindSource(i, 2, alu.U32)
	v.seal()
	flush := uint32(alu.DenormalHalves)
	if i.Chip.AtLeast(encoding.Gfx950) {
		flush = 0
	}
	flip := uint32(i.Neg>>2&1) << 31
	step := v.stepTemp(func(_ *[4]alu.Pair, d, a, b, c *alu.Lanes) { alu.Dot2F32F16(d, a, b, c, flush, flip) })
	p, ok := v.plain()
	if !ok {
		return step
	}
	return v.runs(step, alu.Dot2F32F16, &p, p.sources(3), func(_ *encoding.Part, op *alu.Op) bool {
		op.At[alu.Dot2Flush], op.At[alu.Dot2Flip] = uintptr(flush), uintptr(flip)
		return true
	})
}
