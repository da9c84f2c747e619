package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// modals has the rows that round, or that depend on IEEE mode. Conversions to
// integers, comparisons, moves and functions that are exact in any format need no
// entry. Operands handle denormals and clamping. Approximations (rcp, rsq, sqrt,
// exp, log, sin, cos) always round to the nearest.
var modals = map[string]modal{
	"v_add_f32":           binaryModal(alu.F32, alu.Arithmetic.Add).neverTiny(),
	"v_sub_f32":           binaryModal(alu.F32, alu.Arithmetic.Sub).neverTiny(),
	"v_subrev_f32":        binaryModal(alu.F32, alu.Arithmetic.Subrev).neverTiny(),
	"v_mul_f32":           binaryModal(alu.F32, alu.Arithmetic.Mul),
	"v_mul_legacy_f32":    binaryModal(alu.F32, alu.Arithmetic.MulLegacy),
	"v_fma_f32":           ternaryModal(alu.F32, alu.Arithmetic.Fma),
	"v_mad_f32":           ternaryModal(alu.F32, alu.Arithmetic.Mad).neverTiny(),
	"v_madmk_f32":         ternaryModal(alu.F32, alu.Arithmetic.Mad).neverTiny(),
	"v_madak_f32":         ternaryModal(alu.F32, alu.Arithmetic.Mad).neverTiny(),
	"v_mad_legacy_f32":    ternaryModal(alu.F32, alu.Arithmetic.MadLegacy).neverTiny(),
	"v_mac_f32":           accumulatingModal(alu.F32, alu.Arithmetic.Mad).neverTiny(),
	"v_fmac_f32":          accumulatingModal(alu.F32, alu.Arithmetic.Fma),
	"v_fmamk_f32":         ternaryModal(alu.F32, alu.Arithmetic.Fma),
	"v_fmaak_f32":         ternaryModal(alu.F32, alu.Arithmetic.Fma),
	"v_pk_fma_f32":        ternaryModal(alu.F32, alu.Arithmetic.Fma).with(bothSingles(&vopF32_F32mF32mF32m_CO)),
	"v_pk_mul_f32":        binaryModal(alu.F32, alu.Arithmetic.Mul).with(bothSingles(&vopF32_F32mF32m_CO)),
	"v_pk_add_f32":        binaryModal(alu.F32, alu.Arithmetic.Add).neverTiny().with(bothSingles(&vopF32_F32mF32m_CO)),
	"v_cubema_f32":        ternaryModal(alu.F32, alu.Arithmetic.CubeMA).neverTiny(),
	"v_fma_dx9_zero_f32":  ternaryModal(alu.F32, alu.Arithmetic.FmaLegacy),
	"v_fmac_dx9_zero_f32": accumulatingModal(alu.F32, alu.Arithmetic.FmaLegacy),
	"v_mullit_f32":        ternaryModal(alu.F32, alu.Arithmetic.Mullit),
	"v_fract_f32":         unaryModal(alu.F32, alu.Arithmetic.Fract).neverTiny(),

	"v_add_f16":        binaryModal(alu.F16, alu.Arithmetic.Add).neverTiny(),
	"v_sub_f16":        binaryModal(alu.F16, alu.Arithmetic.Sub).neverTiny(),
	"v_subrev_f16":     binaryModal(alu.F16, alu.Arithmetic.Subrev).neverTiny(),
	"v_mul_f16":        binaryModal(alu.F16, alu.Arithmetic.Mul),
	"v_madmk_f16":      ternaryModal(alu.F16, alu.Arithmetic.Mad).neverTiny(),
	"v_madak_f16":      ternaryModal(alu.F16, alu.Arithmetic.Mad).neverTiny(),
	"v_mad_legacy_f16": ternaryModal(alu.F16, alu.Arithmetic.Mad).neverTiny(),
	"v_fma_legacy_f16": ternaryModal(alu.F16, alu.Arithmetic.Fma),
	"v_mac_f16":        accumulatingModal(alu.F16, alu.Arithmetic.Mad).neverTiny(),
	"v_mad_f16":        preserveModal(alu.F16, alu.Arithmetic.Mad).neverTiny(),
	"v_fma_f16":        preserveModal(alu.F16, alu.Arithmetic.Fma),
	"v_fmac_f16":       accumulatingModal(alu.F16, alu.Arithmetic.Fma),
	"v_fmamk_f16":      ternaryModal(alu.F16, alu.Arithmetic.Fma),
	"v_fmaak_f16":      ternaryModal(alu.F16, alu.Arithmetic.Fma),
	"v_fract_f16":      unaryModal(alu.F16, alu.Arithmetic.Fract).neverTiny(),
	"v_pk_add_f16":     packedModal(alu.Arithmetic.Add, 2).neverTiny(),
	"v_pk_mul_f16":     packedModal(alu.Arithmetic.Mul, 2),
	"v_pk_fma_f16":     packedModal(alu.Arithmetic.Fma, 3),
	"v_pk_fmac_f16":    packedModal(alu.Arithmetic.Fma, 3).with(bind.PkFmac),
	"v_exp_f16":        overflowModal(alu.Exp32),
	"v_rcp_f16":        overflowModal(alu.Rcp32),

	"v_cvt_pk_fp8_f32": saturatingModal(bind.CvtPkFp8, bind.FP8),
	"v_cvt_pk_bf8_f32": saturatingModal(bind.CvtPkFp8, bind.BF8),
	"v_cvt_sr_fp8_f32": saturatingModal(bind.CvtSr, bind.FP8),
	"v_cvt_sr_bf8_f32": saturatingModal(bind.CvtSr, bind.BF8),
	"v_cvt_sr_f16_f32": saturatingModal(bind.CvtSr, bind.HalfSR),
	"v_cvt_pk_fp8_f16": saturatingModal(bind.CvtPkOfHalves, bind.FP8),
	"v_cvt_pk_bf8_f16": saturatingModal(bind.CvtPkOfHalves, bind.BF8),
	"v_cvt_sr_fp8_f16": saturatingModal(bind.CvtSrOfHalf, bind.FP8),
	"v_cvt_sr_bf8_f16": saturatingModal(bind.CvtSrOfHalf, bind.BF8),

	"v_add_f64":   binaryModal(alu.F64, alu.Arithmetic.Add).neverTiny(),
	"v_mul_f64":   binaryModal(alu.F64, alu.Arithmetic.Mul),
	"v_fmac_f64":  accumulatingModal(alu.F64, alu.Arithmetic.Fma),
	"v_fma_f64":   ternaryModal(alu.F64, alu.Arithmetic.Fma),
	"v_fmamk_f64": ternaryModal(alu.F64, alu.Arithmetic.Fma),
	"v_fmaak_f64": ternaryModal(alu.F64, alu.Arithmetic.Fma),
	"v_fract_f64": unaryModal(alu.F64, alu.Arithmetic.Fract).neverTiny(),

	"v_cvt_f32_f64": convertModal(alu.F32, alu.F64, alu.FormatF64),
	"v_cvt_f16_f32": convertModal(alu.F16, alu.F32, alu.FormatF32),
	"v_cvt_f32_i32": integerModal(alu.F32, alu.U32, func(x uint64) int64 { return int64(int32(x)) }),
	"v_cvt_f32_u32": integerModal(alu.F32, alu.U32, func(x uint64) int64 { return int64(uint32(x)) }),
	"v_cvt_f16_i16": integerModal(alu.F16, alu.I16, func(x uint64) int64 { return int64(int16(x)) }),
	"v_cvt_f16_u16": integerModal(alu.F16, alu.U16, func(x uint64) int64 { return int64(uint16(x)) }),
	"v_ldexp_f16":   ldexpModal(alu.F16, alu.I16, func(x uint64) int { return int(int16(x)) }),
	"v_ldexp_f32":   ldexpModal(alu.F32, alu.U32, func(x uint64) int { return int(int32(x)) }),
	"v_ldexp_f64":   ldexpModal(alu.F64, alu.U32, func(x uint64) int { return int(int32(x)) }),

	"v_div_scale_f32": scaleModal(alu.F32, &alu.Scaling32),
	"v_div_scale_f64": scaleModal(alu.F64, &alu.Scaling64),
	"v_div_fmas_f32":  fmasModal(alu.F32, &alu.Scaling32),
	"v_div_fmas_f64":  fmasModal(alu.F64, &alu.Scaling64),

	"v_div_fixup_f32":        fixupModal(alu.F32, false),
	"v_div_fixup_f64":        fixupModal(alu.F64, false),
	"v_div_fixup_f16":        fixupModal(alu.F16, true),
	"v_div_fixup_legacy_f16": fixupModal(alu.F16, false),

	"v_mad_mix_f32":   mixedModal(alu.F32, false, false),
	"v_mad_mixlo_f16": mixedModal(alu.F16, false, false),
	"v_mad_mixhi_f16": mixedModal(alu.F16, true, false),
	"v_fma_mix_f32":   mixedModal(alu.F32, false, true),
	"v_fma_mixlo_f16": mixedModal(alu.F16, false, true),
	"v_fma_mixhi_f16": mixedModal(alu.F16, true, true),

	"v_fma_mix_f32_bf16": mixedBF16Modal(),

	"v_min_f32":    ieeeModal(bind.Lanewise(alu.MinNum32, alu.F32, alu.F32, alu.F32)),
	"v_max_f32":    ieeeModal(bind.Lanewise(alu.MaxNum32, alu.F32, alu.F32, alu.F32)),
	"v_min3_f32":   ieeeModal(bind.Lanewise(alu.Of3(alu.MinNum32), alu.F32, alu.F32, alu.F32, alu.F32)),
	"v_max3_f32":   ieeeModal(bind.Lanewise(alu.Of3(alu.MaxNum32), alu.F32, alu.F32, alu.F32, alu.F32)),
	"v_med3_f32":   ieeeModal(bind.Lanewise(alu.OrderF32.Middle(alu.MinNum32, alu.MaxNum32), alu.F32, alu.F32, alu.F32, alu.F32)),
	"v_minmax_f32": ieeeModal(bind.Lanewise(alu.TwoOf(alu.MinNum32, alu.MaxNum32), alu.F32, alu.F32, alu.F32, alu.F32)),
	"v_maxmin_f32": ieeeModal(bind.Lanewise(alu.TwoOf(alu.MaxNum32, alu.MinNum32), alu.F32, alu.F32, alu.F32, alu.F32)),
	"v_minmax_f16": ieeeModal(preserveLanesF16(alu.TwoOf(alu.MinNum16, alu.MaxNum16))),
	"v_maxmin_f16": ieeeModal(preserveLanesF16(alu.TwoOf(alu.MaxNum16, alu.MinNum16))),
	"v_min_f16":    ieeeModal(bind.Lanewise(alu.MinNum16, alu.F16, alu.F16, alu.F16)),
	"v_max_f16":    ieeeModal(bind.Lanewise(alu.MaxNum16, alu.F16, alu.F16, alu.F16)),
	"v_min3_f16":   ieeeModal(preserveLanesF16(alu.Of3(alu.MinNum16))),
	"v_max3_f16":   ieeeModal(preserveLanesF16(alu.Of3(alu.MaxNum16))),
	"v_med3_f16":   ieeeModal(preserveLanesF16(alu.OrderF16.Middle(alu.MinNum16, alu.MaxNum16))),
	"v_pk_min_f16": ieeeModal(bind.PackedHalves(alu.MinNum16, 2)),
	"v_pk_max_f16": ieeeModal(bind.PackedHalves(alu.MaxNum16, 2)),
	"v_min_f64":    ieeeModal(bind.Lanewise(alu.MinNum64, alu.F64, alu.F64, alu.F64)),
	"v_max_f64":    ieeeModal(bind.Lanewise(alu.MaxNum64, alu.F64, alu.F64, alu.F64)),

	"ds_add_f32":     ldsModal(memory.NextAddF32),
	"ds_min_f32":     ldsModal(alu.OrderF32.Least),
	"ds_max_f32":     ldsModal(alu.OrderF32.Most),
	"ds_add_rtn_f32": ldsModal(memory.NextAddF32),
	"ds_min_rtn_f32": ldsModal(alu.OrderF32.Least),
	"ds_max_rtn_f32": ldsModal(alu.OrderF32.Most),
}

// preserveLanesF16 is PreserveF16 for a function of a lane.
func preserveLanesF16(f alu.LaneFunc) encoding.Meaning {
	return bind.PreserveF16(func(d, a, b, c *alu.Lanes) { alu.Bits3(d, a, b, c, f) })
}

func laneModal(k alu.Kind, f func(e alu.Arithmetic, a, b, c uint64) uint64, with func(alu.LaneFunc) encoding.Meaning) modal {
	return modal{k, alu.RoundingBits(k), true, func(mode uint32) encoding.Meaning {
		e := alu.ArithmeticOf(k, mode)
		return with(func(a, b, c uint64) uint64 { return f(e, a, b, c) })
	}}
}

func unaryModal(k alu.Kind, f func(e alu.Arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, func(f alu.LaneFunc) encoding.Meaning { return bind.Lanewise(f, k, k) })
}

func binaryModal(k alu.Kind, f func(e alu.Arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, func(f alu.LaneFunc) encoding.Meaning { return bind.Lanewise(f, k, k, k) })
}

func ternaryModal(k alu.Kind, f func(e alu.Arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, func(f alu.LaneFunc) encoding.Meaning { return bind.Lanewise(f, k, k, k, k) })
}

func accumulatingModal(k alu.Kind, f func(e alu.Arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, func(f alu.LaneFunc) encoding.Meaning { return bind.LaneAccumulate(f, k, k, k) })
}

func preserveModal(k alu.Kind, f func(e alu.Arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, preserveLanesF16)
}

func packedModal(f func(e alu.Arithmetic, a, b, c uint64) uint64, n int) modal {
	return laneModal(alu.F16, f, func(f alu.LaneFunc) encoding.Meaning { return bind.PackedHalves(f, n) })
}

func convertModal(to, from alu.Kind, f alu.Format) modal {
	return modal{to, alu.RoundingBits(to), true, func(mode uint32) encoding.Meaning { return bind.Lanewise(alu.ArithmeticOf(to, mode).From(f), to, from) }}
}

func integerModal(to, from alu.Kind, f func(uint64) int64) modal {
	return modal{to, alu.RoundingBits(to), false, func(mode uint32) encoding.Meaning {
		e := alu.ArithmeticOf(to, mode)
		return bind.Lanewise(func(a, _, _ uint64) uint64 { return e.Rounded(alu.Integer(f(a))) }, to, from)
	}}
}

func ldexpModal(k, by alu.Kind, f func(uint64) int) modal {
	return modal{k, alu.RoundingBits(k), true, func(mode uint32) encoding.Meaning {
		e := alu.ArithmeticOf(k, mode)
		return bind.Lanewise(func(a, b, _ uint64) uint64 { return e.Ldexp(a, f(b)) }, k, k, by)
	}}
}

func scaleModal(k alu.Kind, by *alu.Scaling) modal {
	return modal{k, alu.RoundingBits(k), true, func(mode uint32) encoding.Meaning {
		return bind.Flagged(alu.ArithmeticOf(k, mode).DivScale(by), 3, true, k, k, k, k)
	}}
}

func fmasModal(k alu.Kind, by *alu.Scaling) modal {
	return modal{k, alu.RoundingBits(k), true, func(mode uint32) encoding.Meaning {
		f := alu.ArithmeticOf(k, mode).DivFmas(by)
		return func(i *encoding.Inst) encoding.Step { return bind.StepFmas(i, k, f) }
	}}
}

// fixupModal is for quotients out of range; others are not rounded, and not flushed.
func fixupModal(k alu.Kind, preserve bool) modal {
	return modal{k, alu.RoundingBits(k), true, func(mode uint32) encoding.Meaning {
		e := alu.ArithmeticOf(k, mode)
		own := uint64(2)<<(e.Mantissa+e.Exponent) - 1 // bits of the format
		return func(i *encoding.Inst) encoding.Step {
			v := bind.BindFixup(i, k)
			if preserve {
				v.Preserve, v.Unmodified = true, false
			}
			return v.StepLanes(func(q, d, n uint64) uint64 { return e.Fixup(q, d&own, n&own) })
		}
	}}
}

// overflowModal is for approximations of halves: only FP16_OVFL matters.
func overflowModal(f func(float32) float32) modal {
	return modal{alu.F16, alu.HalfOverflow, false, func(mode uint32) encoding.Meaning {
		e := alu.Arithmetic{Format: alu.FormatF16, To: alu.ToNearest, Stay: mode&alu.HalfOverflow != 0}
		return bind.Lanewise(func(a, _, _ uint64) uint64 {
			return e.Rounded(alu.FormatF32.Number(alu.FromSingle(f(alu.Half(a)))))
		}, alu.F16, alu.F16)
	}}
}

// saturatingModal is for conversions to formats that FP16_OVFL keeps finite.
func saturatingModal(f func(bind.ByteFormat, bool) encoding.Meaning, to bind.ByteFormat) modal {
	return modal{alu.None, alu.HalfOverflow, false, func(mode uint32) encoding.Meaning { return f(to, mode&alu.HalfOverflow != 0) }}
}

// mixedModal follows the denormal modes of singles and halves as well.
func mixedModal(k alu.Kind, high, fused bool) modal {
	return modal{k, alu.RoundingBits(k) | alu.RoundF32 | alu.DenormIn32 | alu.DenormIn64, true, func(mode uint32) encoding.Meaning {
		single := alu.ArithmeticOf(alu.F32, mode)
		to := alu.ArithmeticOf(k, mode)
		return bind.MixedIn(mode, k, high, func(a, b, c uint64) uint64 {
			if !fused {
				return to.Rounded(alu.FormatF32.Number(single.Mad(a, b, c)))
			}
			return to.Rounded(alu.Arithmetic{Format: alu.FormatF32, To: to.To}.Fused(a, b, c))
		})
	}}
}

// mixedBF16Modal is for singles and bfloats whose result is a single.
func mixedBF16Modal() modal {
	return modal{alu.F32, alu.RoundingBits(alu.F32) | alu.DenormIn32, true, func(mode uint32) encoding.Meaning {
		e := alu.ArithmeticOf(alu.F32, mode)
		flush := func(x uint64) uint64 {
			if mode&alu.DenormIn32 == 0 {
				return alu.FormatF32.Flush(x)
			}
			return x
		}
		return bind.MixedBF16(alu.F32, false, func(a, b, c uint64) uint64 { return e.Fma(flush(a), flush(b), flush(c)) })
	}}
}

// neverTiny is for functions whose results are exact below the least normal number,
// or flushed in every mode: the usual meaning flushes as the complete one does.
func (m modal) neverTiny() modal {
	m.rounds = false
	return m
}

// with makes the meanings of another row from those of m.
func (m modal) with(f func(encoding.Meaning) encoding.Meaning) modal {
	meaning := m.meaning
	m.meaning = func(mode uint32) encoding.Meaning { return f(meaning(mode)) }
	return m
}

// bothSingles is PackedSingles for instructions of a form.
func bothSingles(f *encoding.Form) func(encoding.Meaning) encoding.Meaning {
	return func(m encoding.Meaning) encoding.Meaning { return bind.PackedSingles(m, f) }
}

func ieeeModal(m encoding.Meaning) modal {
	return modal{alu.None, alu.IEEEMode, false, func(uint32) encoding.Meaning { return m }}
}

// ldsModal is for atomics on workgroup memory, which follow the denormal modes
// of singles and round to the nearest.
func ldsModal(f memory.AtomicFunc) modal {
	return modal{alu.None, alu.Denorms32, false, func(mode uint32) encoding.Meaning {
		in, out := mode&alu.DenormIn32 == 0, mode&alu.DenormOut32 == 0
		return bind.LDSAtomic(&memory.AtomicOp{Next: func(old, data, cmp uint64) uint64 {
			if in {
				old, data = alu.FormatF32.Flush(old), alu.FormatF32.Flush(data)
			}
			r := f(old, data, cmp)
			if out {
				r = alu.FormatF32.Flush(r)
			}
			return r
		}}, 1)
	}}
}
