package gcn

import "math"

const full = math.MaxUint64 // EXEC with all lanes active

// valu is a vector instruction bound to its operands.
type valu struct {
	src [3]source
	dst int
	acc bool // dst is an accumulator register
	out kind

	direct bool // a result is written as it is
	clamp  bool
	omod   uint8
	high   bool // a 16-bit result goes to the upper half
	keep   bool // a 16-bit result leaves the other half alone
	part   bool // SDWA selects a part of the destination
	sel    uint8
	unused uint8
	perm   *permutation
}

// bindVector binds a vector instruction whose result is of kind out, or none.
func bindVector(i *Inst, out kind, in ...kind) *valu {
	v := &valu{out: out, dst: int(i.Dst.Reg), acc: i.Dst.Kind == AReg, clamp: i.Clamp, omod: i.Omod}
	for n, k := range in {
		v.src[n] = bindSource(i, n, k)
	}
	if i.Suffix == DPP {
		v.perm = v.src[0].perm
	}
	if i.Suffix == SDWA && out != none && i.DstSel != selDword {
		v.part, v.sel, v.unused = true, i.DstSel, i.DstUnused
	}
	if i.Enc == VOP3 && out.short() && i.OpSel&8 != 0 {
		v.high, v.keep = true, true
	}
	v.seal()
	return v
}

func (v *valu) seal() {
	if !v.out.float() {
		v.clamp, v.omod = false, 0
	}
	v.direct = !v.clamp && v.omod == 0 && !v.high && !v.keep && !v.part && v.perm == nil
}

func (v *valu) reg(w *Wave, n int) *Lanes {
	if v.acc {
		return &w.A[v.dst+n]
	}
	return &w.V[v.dst+n]
}

// active returns the lanes that the instruction writes.
func (v *valu) active(w *Wave) uint64 {
	m := w.Exec()
	if v.perm != nil {
		m = v.perm.writers(m)
	}
	return m
}

// straight tells whether a kernel may write all lanes of the destination itself.
func (v *valu) straight(w *Wave) bool {
	return v.direct && w.Exec() == full && (v.out != f32 || w.Mode&denormOut32 != 0)
}

// finish applies the destination's modifiers to r and writes its active lanes.
func (v *valu) finish(w *Wave, r *Pair) {
	if v.out == f32 && w.Mode&denormOut32 == 0 {
		flushDenorms(&r[0])
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
		mergePart(&r[0], d, v.sel, v.unused)
	case v.high:
		for i, x := range d {
			r[0][i] = x&0xffff | r[0][i]<<16
		}
	case v.keep:
		for i, x := range d {
			r[0][i] = x&^0xffff | r[0][i]&0xffff
		}
	}
	m := v.active(w)
	blend(d, &r[0], m)
	if v.out.wide() {
		blend(v.reg(w, 1), &r[1], m)
	}
}

// blend copies the lanes of m.
func blend(d, s *Lanes, m uint64) {
	if m == full {
		*d = *s
		return
	}
	selectLanes(d, d, s, m)
}

// scale is the output multiplier. Hardware ignores it in IEEE mode and where
// denormal results are on.
func (v *valu) scale(w *Wave, r *Pair) {
	denorms := uint32(denormOut32)
	if v.out != f32 {
		denorms = denorms64 & (denorms64 << 1)
	}
	if w.Mode&ieeeMode != 0 || w.Mode&denorms != 0 {
		return
	}
	by := [4]float64{1, 2, 4, 0.5}[v.omod&3]
	v.each(r, func(x float64) float64 { return x*by + 0 })
	if v.out == f32 {
		flushDenorms(&r[0])
	}
}

func (v *valu) limit(w *Wave, r *Pair) {
	v.each(r, func(x float64) float64 {
		switch {
		case x > 1:
			return 1
		case x > 0:
			return x
		case x != x && w.Mode&dx10Clamp == 0:
			return x
		}
		return 0
	})
}

// each maps a result by value: all formats convert to float64 exactly.
func (v *valu) each(r *Pair, f func(float64) float64) {
	for i := range r[0] {
		switch v.out {
		case f16:
			r[0][i] = uint32(halfFrom64(f(float64(halfTo32(uint16(r[0][i]))))))
		case f32:
			r[0][i] = math.Float32bits(float32(f(float64(math.Float32frombits(r[0][i])))))
		case f64:
			x := math.Float64bits(f(math.Float64frombits(join(r[0][i], r[1][i]))))
			r[0][i], r[1][i] = uint32(x), uint32(x>>32)
		}
	}
}

func join(lo, hi uint32) uint64 { return uint64(lo) | uint64(hi)<<32 }
