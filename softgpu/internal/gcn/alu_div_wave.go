package gcn

// Divisions whose operands are far from the ends of the exponent range, which is nearly
// all: nothing is scaled and no quotient is special.

// divisionLimits are those of a format, in whose upper 32 bits exponents are looked at:
// the least and greatest of numerators, and of denominators; how much the latter may be greater, and less; the
// former where quotients are 0; the greatest quotient; where exponents start if signs are shifted away.
type divisionLimits [9]uint32

// Limits within which quotients of halves, singles and doubles need no care.
var (
	divisions16 = divisionLimits{1: 30, 2: 1, 6: 25, 7: 0x7c000000, 8: 27} // for quotients, no more
	divisions32 = divisionLimits{25, 254, 1, 252, 95, 95, 150, 0x7f800000, 24}
	divisions64 = divisionLimits{54, 2046, 1, 2044, 767, 767, 1075, 0x7fefffff, 21}
)

// portablePlainDivision tells whether scaling.scale has nothing to do for any
// lane of n divided by d.
func portablePlainDivision(n, d *Lanes, of *divisionLimits) bool {
	bad := uint32(0)
	for l := range n {
		en, ed := n[l]<<1>>(of[8]&31), d[l]<<1>>(of[8]&31)
		bad |= (en - of[0]) | (of[1] - en) | (ed - of[2]) | (of[3] - ed) | (en - ed + of[4]) | (of[5] - en + ed)
	}
	return bad>>31 == 0
}

// portableFixupPlain is arithmetic.fixup where no operand is 0, denormal, infinite
// or NaN, and no quotient out of range; else it does nothing and says so.
func portableFixupPlain(to, q, d, n *Lanes, of *divisionLimits) bool {
	bad := uint32(0)
	for l := range n {
		en, ed := n[l]<<1>>(of[8]&31), d[l]<<1>>(of[8]&31)
		bad |= (en - of[2]) | (of[1] - en) | (ed - of[2]) | (of[1] - ed) | (en - ed + of[6]) | (of[7] - q[l]&^(1<<31))
	}
	if bad>>31 != 0 {
		return false
	}
	for l := range to {
		to[l] = (d[l]^n[l])&(1<<31) | q[l]&^(1<<31)
	}
	return true
}

// simple tells whether results are written as they are.
func (v *valu) simple(w *Wave) bool {
	return v.unmodified && (v.out != f32 || w.Mode&denormOut32 != 0)
}

// scaleF32 is v_div_scale_f32.
func scaleF32(i *Inst) Step {
	each := flagged(divScaleF32, 3, true, f32, f32, f32, f32)(i)
	v, to := bindVector(i, f32, f32, f32, f32), maskOut(i)
	return func(w *Wave) {
		if !v.simple(w) || !plainDivision(v.src[2].lanes(w, &w.tmp[2]), v.src[1].lanes(w, &w.tmp[1]), &divisions32) {
			each(w)
			return
		}
		blend(v.reg(w, 0), v.src[0].lanes(w, &w.tmp[0]), w.Exec())
		to.set(w, 0)
	}
}

// fmasF32 is v_div_fmas_f32: without lanes that were scaled, a multiplication and addition.
func fmasF32(i *Inst) Step {
	each := stepFmas(i, f32, divFmasF32)
	fma := bindFmas(i, f32).step3(fmaF32)
	return func(w *Wave) {
		if w.Vcc()&w.Exec() != 0 {
			each(w)
			return
		}
		fma(w)
	}
}

// fixupF32 is v_div_fixup_f32.
func fixupF32(i *Inst) Step {
	v := bindFixup(i, f32)
	each := v.stepLanes(divFixupF32)
	return func(w *Wave) {
		r := &w.tmp[3][0]
		if !v.unmodified || !fixupPlain(r, v.src[0].lanes(w, &w.tmp[0]), v.src[1].lanes(w, &w.tmp[1]), v.src[2].lanes(w, &w.tmp[2]), &divisions32) {
			each(w)
			return
		}
		blend(v.reg(w, 0), r, w.Exec())
	}
}

// stepFmas is div_fmas in lanes.
func stepFmas(i *Inst, k kind, f flagFunc) Step {
	return bindFmas(i, k).stepFlagged(f, maskIn(i, 3), false, mask{})
}

// fixupWide is v_div_fixup_f64, fixupHalf v_div_fixup_legacy_f16, and fixupPreserve v_div_fixup_f16.

func fixupWide(i *Inst) Step { return bindFixup(i, f64).stepWide(fixupF64, 3) }

func fixupHalf(i *Inst) Step { return bindFixup(i, f16).stepTemp(fixupF16) }

func fixupPreserve(i *Inst) Step {
	v := bindFixup(i, f16)
	v.preserve, v.unmodified = true, false
	return v.stepTemp(fixupF16)
}

func fixupF64(dl, dh, al, ah, bl, bh, cl, ch *Lanes) {
	if al != dh && fixupPlain(dh, ah, bh, ch, &divisions64) {
		*dl = *al
		return
	}
	for l := range dl {
		r := divFixupF64(join(al[l], ah[l]), join(bl[l], bh[l]), join(cl[l], ch[l]))
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

// fixupF16 is v_div_fixup_f16, whose fast way has halves in the upper half of each lane.
func fixupF16(temp *[4]Pair, d, a, b, c *Lanes) {
	x, y, z := &temp[0][1], &temp[1][1], &temp[2][1]
	lshlrevB32(x, &sixteens, a)
	lshlrevB32(y, &sixteens, b)
	lshlrevB32(z, &sixteens, c)
	if fixupPlain(d, x, y, z, &divisions16) {
		lshrrevB32(d, &sixteens, d)
		return
	}
	bits3(d, a, b, c, divFixupF16)
}

// scaleF64 is v_div_scale_f64.
func scaleF64(i *Inst) Step {
	each := flagged(divScaleF64, 3, true, f64, f64, f64, f64)(i)
	v, to := bindVector(i, f64, f64, f64, f64), maskOut(i)
	return func(w *Wave) {
		_, d := v.src[1].halves(w, &w.tmp[1])
		_, n := v.src[2].halves(w, &w.tmp[2])
		if !v.unmodified || v.denorm&^w.Mode != 0 || !plainDivision(n, d, &divisions64) {
			each(w)
			return
		}
		lo, hi := v.src[0].halves(w, &w.tmp[0])
		w.tmp[3][0], w.tmp[3][1] = *lo, *hi
		blend(v.reg(w, 0), &w.tmp[3][0], w.Exec())
		blend(v.reg(w, 1), &w.tmp[3][1], w.Exec())
		to.set(w, 0)
	}
}

// fmasF64 is v_div_fmas_f64.
func fmasF64(i *Inst) Step {
	each := stepFmas(i, f64, divFmasF64)
	fma := bindFmas(i, f64).stepWide(fmaF64, 3)
	return func(w *Wave) {
		if w.Vcc()&w.Exec() != 0 {
			each(w)
			return
		}
		fma(w)
	}
}
