package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// simple reports whether results are written as they are.
func (v *valu) simple(w *wave.Wave) bool {
	return v.Unmodified && (v.out != alu.F32 || w.Mode&alu.DenormOut32 != 0)
}

var ones = alu.LanesOf(0x3f800000)

// onesElsewhere copies a in the active lanes of a wave, and has 1 in the others, whose contents must not matter.
func onesElsewhere(w *wave.Wave, a, temp *alu.Lanes) *alu.Lanes {
	alu.SelectLanes(temp, &ones, a, w.Exec())
	return temp
}

// ScaleF32 is v_div_scale_f32.
func ScaleF32(i *encoding.Inst) encoding.Step {
	each := Flagged(alu.DivScaleF32, 3, true, alu.F32, alu.F32, alu.F32, alu.F32)(i)
	v, to := bindVector(i, alu.F32, alu.F32, alu.F32, alu.F32), maskOut(i)
	return func(w *wave.Wave) {
		n, d := v.src[2].lanes(w, &w.Temp[2]), v.src[1].lanes(w, &w.Temp[1])
		if w.Exec() != alu.Full {
			n, d = onesElsewhere(w, n, &w.Temp[2][1]), onesElsewhere(w, d, &w.Temp[1][1])
		}
		if !v.simple(w) || !alu.PlainDivision(n, d, &alu.Divisions32) {
			each(w)
			return
		}
		alu.Blend(v.reg(w, 0), v.src[0].lanes(w, &w.Temp[0]), w.Exec())
		to.set(w, 0)
	}
}

// FmasF32 is v_div_fmas_f32: without lanes that were scaled, a multiplication and addition.
func FmasF32(i *encoding.Inst) encoding.Step {
	each := StepFmas(i, alu.F32, alu.DivFmasF32)
	fma := bindFmas(i, alu.F32).step3(alu.FmaF32)
	return func(w *wave.Wave) {
		if w.Vcc()&w.Exec() != 0 {
			each(w)
			return
		}
		fma(w)
	}
}

// FixupF32 is v_div_fixup_f32.
func FixupF32(i *encoding.Inst) encoding.Step {
	v := BindFixup(i, alu.F32)
	each := v.StepLanes(alu.DivFixupF32)
	return func(w *wave.Wave) {
		r := &w.Temp[3][0]
		q, d, n := v.src[0].lanes(w, &w.Temp[0]), v.src[1].lanes(w, &w.Temp[1]), v.src[2].lanes(w, &w.Temp[2])
		if w.Exec() != alu.Full {
			q, d, n = onesElsewhere(w, q, &w.Temp[0][1]), onesElsewhere(w, d, &w.Temp[1][1]), onesElsewhere(w, n, &w.Temp[2][1])
		}
		if !v.Unmodified || !alu.FixupPlain(r, q, d, n, &alu.Divisions32) {
			each(w)
			return
		}
		alu.Blend(v.reg(w, 0), r, w.Exec())
	}
}

// StepFmas is div_fmas in lanes.
func StepFmas(i *encoding.Inst, k alu.Kind, f alu.FlagFunc) encoding.Step {
	return bindFmas(i, k).stepFlagged(f, maskIn(i, 3), false, mask{})
}

// FixupWide is v_div_fixup_f64, FixupHalf v_div_fixup_legacy_f16, and FixupPreserve v_div_fixup_f16.

// FixupWide binds v_div_fixup_f64.
func FixupWide(i *encoding.Inst) encoding.Step {
	return BindFixup(i, alu.F64).stepWide(alu.FixupF64, 3)
}

// FixupHalf binds v_div_fixup_legacy_f16.
func FixupHalf(i *encoding.Inst) encoding.Step { return BindFixup(i, alu.F16).stepTemp(alu.FixupF16) }

// FixupPreserve binds v_div_fixup_f16.
func FixupPreserve(i *encoding.Inst) encoding.Step {
	v := BindFixup(i, alu.F16)
	v.Preserve, v.Unmodified = true, false
	return v.stepTemp(alu.FixupF16)
}

// ScaleF64 is v_div_scale_f64.
func ScaleF64(i *encoding.Inst) encoding.Step {
	each := Flagged(alu.DivScaleF64, 3, true, alu.F64, alu.F64, alu.F64, alu.F64)(i)
	v, to := bindVector(i, alu.F64, alu.F64, alu.F64, alu.F64), maskOut(i)
	return func(w *wave.Wave) {
		_, d := v.src[1].halves(w, &w.Temp[1])
		_, n := v.src[2].halves(w, &w.Temp[2])
		if !v.Unmodified || v.denorm&^w.Mode != 0 || !alu.PlainDivision(n, d, &alu.Divisions64) {
			each(w)
			return
		}
		lo, hi := v.src[0].halves(w, &w.Temp[0])
		w.Temp[3][0], w.Temp[3][1] = *lo, *hi
		alu.Blend(v.reg(w, 0), &w.Temp[3][0], w.Exec())
		alu.Blend(v.reg(w, 1), &w.Temp[3][1], w.Exec())
		to.set(w, 0)
	}
}

// FmasF64 is v_div_fmas_f64.
func FmasF64(i *encoding.Inst) encoding.Step {
	each := StepFmas(i, alu.F64, alu.DivFmasF64)
	fma := bindFmas(i, alu.F64).stepWide(alu.FmaF64, 3)
	return func(w *wave.Wave) {
		if w.Vcc()&w.Exec() != 0 {
			each(w)
			return
		}
		fma(w)
	}
}
