package gcn

import (
	"math"
	"math/bits"
)

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

// Whole-wave kernels. They write all lanes; a destination may be one of the
// sources, so a kernel must not read a lane that it has written.
type (
	kernel1 func(d, a *Lanes)
	kernel2 func(d, a, b *Lanes)
	kernel3 func(d, a, b, c *Lanes)
	carrier func(d, a, b *Lanes, in uint64) (out uint64)
	tester  func(a, b *Lanes) uint64
)

func wave1(k kernel1, d, a kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, d, a)
		return func(w *Wave) {
			a := v.src[0].lanes(w, &w.tmp[0])
			if v.straight(w) {
				k(v.reg(w, 0), a)
				return
			}
			k(&w.tmp[3][0], a)
			v.finish(w, &w.tmp[3])
		}
	}
}

func wave2(k kernel2, d, a, b kind) Meaning {
	return func(i *Inst) Step { return bindVector(i, d, a, b).step2(k) }
}

func (v *valu) step2(k kernel2) Step {
	return func(w *Wave) {
		a := v.src[0].lanes(w, &w.tmp[0])
		b := v.src[1].lanes(w, &w.tmp[1])
		if v.straight(w) {
			k(v.reg(w, 0), a, b)
			return
		}
		k(&w.tmp[3][0], a, b)
		v.finish(w, &w.tmp[3])
	}
}

func wave3(k kernel3, d, a, b, c kind) Meaning {
	return func(i *Inst) Step { return bindVector(i, d, a, b, c).step3(k) }
}

func (v *valu) step3(k kernel3) Step {
	return func(w *Wave) {
		a := v.src[0].lanes(w, &w.tmp[0])
		b := v.src[1].lanes(w, &w.tmp[1])
		c := v.src[2].lanes(w, &w.tmp[2])
		if v.straight(w) {
			k(v.reg(w, 0), a, b, c)
			return
		}
		k(&w.tmp[3][0], a, b, c)
		v.finish(w, &w.tmp[3])
	}
}

// accumulate is wave3 whose third source is the destination.
func accumulate(k kernel3, t, in kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(withDst(i, 2), t, in, in, t)
		return v.step3(k)
	}
}

// withDst returns the instruction with its destination as source n as well.
func withDst(i *Inst, n int) *Inst {
	c := *i
	c.Src[n] = i.Dst
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

// maskIn returns the scalar mask that an instruction reads as source n: VCC where none is encoded.
func maskIn(i *Inst, n int) scalar {
	if i.Src[n].Kind == NoOperand {
		return scalar{from: SReg, reg: VccLo}
	}
	return bindScalar(&i.Src[n], u64)
}

// maskOut returns the register of the scalar mask that an instruction writes.
func maskOut(i *Inst) int {
	switch {
	case i.SDst.Kind == SReg:
		return int(i.SDst.Reg)
	case i.Dst.Kind == SReg:
		return int(i.Dst.Reg)
	}
	return VccLo
}

// carry makes a meaning of a kernel with a mask as third source, and one as
// second result if writes is set.
func carry(k carrier, writes bool, a, b kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, u32, a, b)
		in, out := maskIn(i, 2), maskOut(i)
		return func(w *Wave) {
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
				w.setS64(out, c)
			}
		}
	}
}

// laneFunc computes one lane. Narrow operands come zero-extended; of a narrow result the low bits count.
type laneFunc func(a, b, c uint64) uint64

// lanewise makes a meaning of a function of one lane, called for the active lanes only.
func lanewise(f laneFunc, d kind, in ...kind) Meaning {
	return func(i *Inst) Step { return bindVector(i, d, in...).stepLanes(f) }
}

func (v *valu) stepLanes(f laneFunc) Step {
	return func(w *Wave) {
		al, ah := v.src[0].halves(w, &w.tmp[0])
		bl, bh, cl, ch := &zeros, &zeros, &zeros, &zeros
		if v.src[1].kind != none {
			bl, bh = v.src[1].halves(w, &w.tmp[1])
		}
		if v.src[2].kind != none {
			cl, ch = v.src[2].halves(w, &w.tmp[2])
		}
		direct := v.direct && (v.out != f32 || w.Mode&denormOut32 != 0)
		dl, dh := &w.tmp[3][0], &w.tmp[3][1]
		if direct {
			dl = v.reg(w, 0)
			if v.out.wide() {
				dh = v.reg(w, 1)
			}
		}
		wide := v.out.wide()
		for m := w.Exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			r := f(join(al[l], ah[l]), join(bl[l], bh[l]), join(cl[l], ch[l]))
			dl[l] = uint32(r)
			if wide {
				dh[l] = uint32(r >> 32)
			}
		}
		if !direct {
			v.finish(w, &w.tmp[3])
		}
	}
}

// keepHalf marks a 16-bit instruction that, other than most on GFX9, leaves
// the half of its destination alone that it does not write.
func keepHalf(f laneFunc, d kind, in ...kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, d, in...)
		v.keep = true
		v.seal()
		return v.stepLanes(f)
	}
}

// laneAccumulate is lanewise with the destination as third source.
func laneAccumulate(f laneFunc, d kind, a, b kind) Meaning {
	return func(i *Inst) Step { return bindVector(withDst(i, 2), d, a, b, d).stepLanes(f) }
}

// flagFunc computes one lane with one bit of a mask as further operand and result.
type flagFunc func(a, b, c uint64, in bool) (r uint64, out bool)

// flagged makes a meaning of f. The mask that it reads is source from (3: VCC);
// the one that it writes is the second destination if writes is set.
func flagged(f flagFunc, from int, writes bool, d kind, in ...kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, d, in...)
		from, to := maskIn(i, from), maskOut(i)
		return func(w *Wave) {
			al, ah := v.src[0].halves(w, &w.tmp[0])
			bl, bh := v.src[1].halves(w, &w.tmp[1])
			cl, ch := v.src[2].halves(w, &w.tmp[2])
			r := &w.tmp[3]
			var flags uint64
			given := from.u64(w)
			for m := w.Exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				x, out := f(join(al[l], ah[l]), join(bl[l], bh[l]), join(cl[l], ch[l]), given>>uint(l)&1 != 0)
				r[0][l], r[1][l] = uint32(x), uint32(x>>32)
				if out {
					flags |= 1 << uint(l)
				}
			}
			v.finish(w, r)
			if writes {
				w.setS64(to, flags)
			}
		}
	}
}
