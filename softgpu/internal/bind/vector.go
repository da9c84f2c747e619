package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// valu is a vector instruction bound to its operands.
type valu struct {
	src [3]source
	dst int
	acc bool // dst is an accumulator register
	out alu.Kind

	denorm     uint32 // bits of MODE without which denormal results are zeros
	Unmodified bool   // a result is written as it is
	clamp      bool
	omod       uint8
	high       bool // a 16-bit result goes to the upper half
	Preserve   bool // a 16-bit result leaves the other half alone
	part       bool // SDWA selects a part of the destination
	sel        uint8
	unused     uint8
	perm       *permutation

	asPart *encoding.Part // see Inst.asPart
}

// bindVector binds a vector instruction with a result of kind out, or with none.
func bindVector(i *encoding.Inst, out alu.Kind, in ...alu.Kind) *valu {
	v := &valu{out: out, dst: int(i.Dst.Reg), acc: i.Dst.Kind == encoding.AReg, clamp: i.Clamp, omod: i.Omod, asPart: i.AsPart}
	for n, k := range in {
		v.src[n] = bindSource(i, n, k)
	}
	if i.Suffix >= encoding.DPP {
		v.perm = v.src[0].perm
	}
	if i.Suffix == encoding.SDWA && out != alu.None && i.DstSel != alu.SelDword {
		v.part, v.sel, v.unused = true, i.DstSel, i.DstUnused
	}
	if out.Short() && i.Enc != encoding.VOP3P {
		v.high = i.OpSel>>encoding.Destination&1 != 0
		v.Preserve = v.high || i.Chip.Set().Facts().KeepsHalves
	}
	v.seal()
	return v
}

func (v *valu) seal() {
	if !v.out.Float() {
		v.clamp, v.omod = v.clamp && (v.out == alu.Pf16 || v.out == alu.Pbf16 || v.out == alu.Bf16), 0
	}
	_, v.denorm = v.out.Denormals()
	v.Unmodified = !v.clamp && v.omod == 0 && !v.high && !v.Preserve && !v.part && v.perm == nil
}

func (v *valu) reg(w *wave.Wave, n int) *alu.Lanes {
	if v.acc {
		return &w.A[v.dst+n]
	}
	return &w.V[v.dst+n]
}

// active returns the lanes that the instruction writes.
func (v *valu) active(w *wave.Wave) uint64 {
	m := w.Exec()
	if v.perm != nil {
		m = v.perm.Writers(m)
	}
	return m
}

// straight reports whether a kernel may write all lanes of the destination itself.
func (v *valu) straight(w *wave.Wave) bool {
	return v.Unmodified && w.Full() && v.denorm&^w.Mode == 0
}

// finish applies the destination's modifiers to r and writes its active lanes.
func (v *valu) finish(w *wave.Wave, r *alu.Pair) {
	if v.denorm&^w.Mode != 0 {
		alu.FlushDenormsOf(v.out, &r[0], &r[1])
	}
	if v.omod != 0 {
		v.scale(w, r)
	}
	if v.clamp {
		v.limit(w, r)
	}
	d := v.reg(w, 0)
	switch {
	case v.part:
		alu.MergePart(&r[0], d, v.sel, v.unused)
	case v.high:
		alu.AndB32(&r[1], d, &alu.LowHalves)
		alu.LshlOrB32(&r[0], &r[0], &alu.Sixteens, &r[1])
	case v.Preserve:
		alu.AndB32(&r[0], &r[0], &alu.LowHalves)
		alu.AndOrB32(&r[0], d, &alu.HighHalves, &r[0])
	}
	m := v.active(w)
	alu.Blend(d, &r[0], m)
	if v.out.Wide() {
		alu.Blend(v.reg(w, 1), &r[1], m)
	}
}

// scale is the output multiplier. Hardware ignores it in IEEE mode and where
// denormal results are on.
func (v *valu) scale(w *wave.Wave, r *alu.Pair) {
	if w.Mode&alu.IEEEMode != 0 || w.Mode&v.denorm != 0 {
		return
	}
	by := [4]int{0, 1, 2, -1}[v.omod&3]
	e := alu.ArithmeticOf(v.out, w.Mode)
	v.each(r, func(x uint64) uint64 {
		return e.ScaledBy(x, by)
	})
	alu.FlushDenormsOf(v.out, &r[0], &r[1])
}

// limit clamps to [0,1]. NaNs become 0 where DX10_CLAMP is set.
func (v *valu) limit(w *wave.Wave, r *alu.Pair) {
	f := v.format()
	one := uint64(f.Bias()) << f.Mantissa
	inf := (uint64(1)<<f.Exponent - 1) << f.Mantissa
	negative := uint64(1) << (f.Mantissa + f.Exponent)
	v.each(r, func(x uint64) uint64 {
		switch {
		case x&^negative > inf && w.Mode&alu.DX10Clamp == 0:
			return x
		case x&^negative > inf, x&negative != 0:
			return 0
		}
		return min(x, one)
	})
}

func (v *valu) format() alu.Format {
	switch v.out {
	case alu.F16, alu.Pf16:
		return alu.FormatF16
	case alu.Pbf16, alu.Bf16:
		return alu.FormatBF16
	case alu.F64:
		return alu.FormatF64
	}
	return alu.FormatF32
}

// each maps the bits of a result's floating-point numbers.
func (v *valu) each(r *alu.Pair, f func(uint64) uint64) {
	for i := range r[0] {
		switch v.out {
		case alu.F16, alu.Bf16:
			r[0][i] = uint32(f(uint64(r[0][i] & 0xffff)))
		case alu.Pf16, alu.Pbf16:
			r[0][i] = uint32(f(uint64(r[0][i]&0xffff)) | f(uint64(r[0][i]>>16))<<16)
		case alu.F32:
			r[0][i] = uint32(f(uint64(r[0][i])))
		case alu.F64:
			x := f(alu.Join(r[0][i], r[1][i]))
			r[0][i], r[1][i] = uint32(x), uint32(x>>32)
		}
	}
}
