package gcn

// Divisions of singles whose operands are far from the ends of the exponent
// range, which is nearly all: nothing is scaled and no quotient is special.

// portablePlainDivision tells whether scaling.scale has nothing to do for any
// lane of n divided by d.
func portablePlainDivision(n, d *Lanes) bool {
	for i := range n {
		en, ed := int(n[i]>>23&0xff), int(d[i]>>23&0xff)
		if en < 24 || en > 254 || ed < 1 || ed > 252 || en-ed < -125 || en-ed > 95 {
			return false
		}
	}
	return true
}

// portableFixupPlain is scaling.fixup where no operand is 0, denormal, infinite
// or NaN, and no quotient out of range; else it does nothing and says so.
func portableFixupPlain(to, q, d, n *Lanes) bool {
	for i := range n {
		en, ed := int(n[i]>>23&0xff), int(d[i]>>23&0xff)
		if en < 1 || en > 254 || ed < 1 || ed > 254 || en-ed < -150 || isNaN32(q[i]) {
			return false
		}
	}
	for i := range to {
		to[i] = (d[i]^n[i])&(1<<31) | q[i]&(1<<31-1)
	}
	return true
}

// simple tells whether results are written as they are.
func (v *valu) simple(w *Wave) bool {
	return v.direct && (v.out != f32 || w.Mode&denormOut32 != 0)
}

// scaleF32 is v_div_scale_f32.
func scaleF32(i *Inst) Step {
	each := flagged(divScaleF32, 3, true, f32, f32, f32, f32)(i)
	v, to := bindVector(i, f32, f32, f32, f32), maskOut(i)
	return func(w *Wave) {
		if !v.simple(w) || !plainDivision(v.src[2].lanes(w, &w.tmp[2]), v.src[1].lanes(w, &w.tmp[1])) {
			each(w)
			return
		}
		blend(v.reg(w, 0), v.src[0].lanes(w, &w.tmp[0]), w.Exec())
		w.setS64(to, 0)
	}
}

// fmasF32 is v_div_fmas_f32: without lanes that were scaled, a multiplication and addition.
func fmasF32(i *Inst) Step {
	each := flagged(divFmasF32, 3, false, f32, f32, f32, f32)(i)
	fma := bindVector(i, f32, f32, f32, f32).step3(fmaF32)
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
	each := lanewise(divFixupF32, f32, f32, f32, f32)(i)
	v := bindVector(i, f32, f32, f32, f32)
	return func(w *Wave) {
		r := &w.tmp[3][0]
		if !v.simple(w) || !fixupPlain(r, v.src[0].lanes(w, &w.tmp[0]), v.src[1].lanes(w, &w.tmp[1]), v.src[2].lanes(w, &w.tmp[2])) {
			each(w)
			return
		}
		blend(v.reg(w, 0), r, w.Exec())
	}
}

// fixupF64 is v_div_fixup_f64.
func fixupF64(dl, dh, al, ah, bl, bh, cl, ch *Lanes) {
	for l := range dl {
		en, ed := int(ch[l]>>20&0x7ff), int(bh[l]>>20&0x7ff)
		if uint(en-1) < 2046 && uint(ed-1) < 2046 && en-ed >= -1075 && ah[l]<<1 < 0x7ff<<21 {
			dl[l], dh[l] = al[l], (bh[l]^ch[l])&(1<<31)|ah[l]&(1<<31-1)
			continue
		}
		r := scaling64.fixup(join(al[l], ah[l]), join(bl[l], bh[l]), join(cl[l], ch[l]))
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

// plainDivision64 is plainDivision for the upper halves of doubles.
func plainDivision64(n, d *Lanes) bool {
	bad := uint32(0)
	for l := range n {
		en, ed := n[l]>>20&0x7ff, d[l]>>20&0x7ff
		bad |= (en - 54) | (2046 - en) | (ed - 1) | (2044 - ed) | (en - ed + 1020) | (767 - en + ed)
	}
	return bad>>31 == 0
}

// scaleF64 is v_div_scale_f64.
func scaleF64(i *Inst) Step {
	each := flagged(divScaleF64, 3, true, f64, f64, f64, f64)(i)
	v, to := bindVector(i, f64, f64, f64, f64), maskOut(i)
	return func(w *Wave) {
		_, d := v.src[1].halves(w, &w.tmp[1])
		_, n := v.src[2].halves(w, &w.tmp[2])
		if !v.direct || v.denorm&^w.Mode != 0 || !plainDivision64(n, d) {
			each(w)
			return
		}
		lo, hi := v.src[0].halves(w, &w.tmp[0])
		w.tmp[3][0], w.tmp[3][1] = *lo, *hi
		blend(v.reg(w, 0), &w.tmp[3][0], w.Exec())
		blend(v.reg(w, 1), &w.tmp[3][1], w.Exec())
		w.setS64(to, 0)
	}
}

// fmasF64 is v_div_fmas_f64.
func fmasF64(i *Inst) Step {
	each := flagged(divFmasF64, 3, false, f64, f64, f64, f64)(i)
	fma := waveWide(fmaF64, f64, f64, f64, f64)(i)
	return func(w *Wave) {
		if w.Vcc()&w.Exec() != 0 {
			each(w)
			return
		}
		fma(w)
	}
}
