package gcn

// valu is a vector instruction bound to its operands.
type valu struct {
	src [3]source
	dst int
	acc bool // dst is an accumulator register
	out kind

	denorm     uint32 // bits of MODE without which denormal results are zeros
	unmodified bool   // a result is written as it is
	clamp      bool
	omod       uint8
	high       bool // a 16-bit result goes to the upper half
	preserve   bool // a 16-bit result leaves the other half alone
	part       bool // SDWA selects a part of the destination
	sel        uint8
	unused     uint8
	perm       *permutation
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
		v.high, v.preserve = true, true
	}
	v.seal()
	return v
}

func (v *valu) seal() {
	if !v.out.float() {
		v.clamp, v.omod = v.clamp && (v.out == pf16 || v.out == pbf16), 0
	}
	_, v.denorm = v.out.denormals()
	v.unmodified = !v.clamp && v.omod == 0 && !v.high && !v.preserve && !v.part && v.perm == nil
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
	return v.unmodified && w.full() && v.denorm&^w.Mode == 0
}

// finish applies the destination's modifiers to r and writes its active lanes.
func (v *valu) finish(w *Wave, r *Pair) {
	if v.denorm&^w.Mode != 0 {
		flushDenormsOf(v.out, &r[0], &r[1])
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
		andB32(&r[1], d, &lowHalves)
		lshlOrB32(&r[0], &r[0], &sixteens, &r[1])
	case v.preserve:
		andB32(&r[0], &r[0], &lowHalves)
		andOrB32(&r[0], d, &highHalves, &r[0])
	}
	m := v.active(w)
	blend(d, &r[0], m)
	if v.out.wide() {
		blend(v.reg(w, 1), &r[1], m)
	}
}

// scale is the output multiplier. Hardware ignores it in IEEE mode and where
// denormal results are on.
func (v *valu) scale(w *Wave, r *Pair) {
	if w.Mode&ieeeMode != 0 || w.Mode&v.denorm != 0 {
		return
	}
	by := [4]int{0, 1, 2, -1}[v.omod&3]
	e := arithmeticOf(v.out, w.Mode)
	v.each(r, func(x uint64) uint64 {
		return e.scaledBy(x, by)
	})
	flushDenormsOf(v.out, &r[0], &r[1])
}

// limit clamps to [0,1]. NaNs become 0 where DX10_CLAMP is set.
func (v *valu) limit(w *Wave, r *Pair) {
	f := v.format()
	one := uint64(f.bias()) << f.mantissa
	inf := (uint64(1)<<f.exponent - 1) << f.mantissa
	negative := uint64(1) << (f.mantissa + f.exponent)
	v.each(r, func(x uint64) uint64 {
		switch {
		case x&^negative > inf && w.Mode&dx10Clamp == 0:
			return x
		case x&^negative > inf, x&negative != 0:
			return 0
		}
		return min(x, one)
	})
}

func (v *valu) format() format {
	switch v.out {
	case f16, pf16:
		return formatF16
	case pbf16:
		return formatBF16
	case f64:
		return formatF64
	}
	return formatF32
}

// each maps the bits of a result's floating-point numbers.
func (v *valu) each(r *Pair, f func(uint64) uint64) {
	for i := range r[0] {
		switch v.out {
		case f16:
			r[0][i] = uint32(f(uint64(r[0][i] & 0xffff)))
		case pf16, pbf16:
			r[0][i] = uint32(f(uint64(r[0][i]&0xffff)) | f(uint64(r[0][i]>>16))<<16)
		case f32:
			r[0][i] = uint32(f(uint64(r[0][i])))
		case f64:
			x := f(join(r[0][i], r[1][i]))
			r[0][i], r[1][i] = uint32(x), uint32(x>>32)
		}
	}
}
