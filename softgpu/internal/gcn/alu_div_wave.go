package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// simple tells whether results are written as they are.
func (v *valu) simple(w *Wave) bool {
	return v.unmodified && (v.out != alu.F32 || w.Mode&alu.DenormOut32 != 0)
}

// scaleF32 is v_div_scale_f32.
func scaleF32(i *Inst) Step {
	each := flagged(alu.DivScaleF32, 3, true, alu.F32, alu.F32, alu.F32, alu.F32)(i)
	v, to := bindVector(i, alu.F32, alu.F32, alu.F32, alu.F32), maskOut(i)
	return func(w *Wave) {
		if !v.simple(w) || !alu.PlainDivision(v.src[2].lanes(w, &w.tmp[2]), v.src[1].lanes(w, &w.tmp[1]), &alu.Divisions32) {
			each(w)
			return
		}
		alu.Blend(v.reg(w, 0), v.src[0].lanes(w, &w.tmp[0]), w.Exec())
		to.set(w, 0)
	}
}

// fmasF32 is v_div_fmas_f32: without lanes that were scaled, a multiplication and addition.
func fmasF32(i *Inst) Step {
	each := stepFmas(i, alu.F32, alu.DivFmasF32)
	fma := bindFmas(i, alu.F32).step3(alu.FmaF32)
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
	v := bindFixup(i, alu.F32)
	each := v.stepLanes(alu.DivFixupF32)
	return func(w *Wave) {
		r := &w.tmp[3][0]
		if !v.unmodified || !alu.FixupPlain(r, v.src[0].lanes(w, &w.tmp[0]), v.src[1].lanes(w, &w.tmp[1]), v.src[2].lanes(w, &w.tmp[2]), &alu.Divisions32) {
			each(w)
			return
		}
		alu.Blend(v.reg(w, 0), r, w.Exec())
	}
}

// stepFmas is div_fmas in lanes.
func stepFmas(i *Inst, k alu.Kind, f alu.FlagFunc) Step {
	return bindFmas(i, k).stepFlagged(f, maskIn(i, 3), false, mask{})
}

// fixupWide is v_div_fixup_f64, fixupHalf v_div_fixup_legacy_f16, and fixupPreserve v_div_fixup_f16.

func fixupWide(i *Inst) Step { return bindFixup(i, alu.F64).stepWide(alu.FixupF64, 3) }

func fixupHalf(i *Inst) Step { return bindFixup(i, alu.F16).stepTemp(alu.FixupF16) }

func fixupPreserve(i *Inst) Step {
	v := bindFixup(i, alu.F16)
	v.preserve, v.unmodified = true, false
	return v.stepTemp(alu.FixupF16)
}

// scaleF64 is v_div_scale_f64.
func scaleF64(i *Inst) Step {
	each := flagged(alu.DivScaleF64, 3, true, alu.F64, alu.F64, alu.F64, alu.F64)(i)
	v, to := bindVector(i, alu.F64, alu.F64, alu.F64, alu.F64), maskOut(i)
	return func(w *Wave) {
		_, d := v.src[1].halves(w, &w.tmp[1])
		_, n := v.src[2].halves(w, &w.tmp[2])
		if !v.unmodified || v.denorm&^w.Mode != 0 || !alu.PlainDivision(n, d, &alu.Divisions64) {
			each(w)
			return
		}
		lo, hi := v.src[0].halves(w, &w.tmp[0])
		w.tmp[3][0], w.tmp[3][1] = *lo, *hi
		alu.Blend(v.reg(w, 0), &w.tmp[3][0], w.Exec())
		alu.Blend(v.reg(w, 1), &w.tmp[3][1], w.Exec())
		to.set(w, 0)
	}
}

// fmasF64 is v_div_fmas_f64.
func fmasF64(i *Inst) Step {
	each := stepFmas(i, alu.F64, alu.DivFmasF64)
	fma := bindFmas(i, alu.F64).stepWide(alu.FmaF64, 3)
	return func(w *Wave) {
		if w.Vcc()&w.Exec() != 0 {
			each(w)
			return
		}
		fma(w)
	}
}
