package gcn

// modals has the rows that round, or that care for IEEE mode. Conversions to
// integers, comparisons, moves and what is exact in any format need no entry;
// denormals and clamping are the operands' business; and the approximations
// (rcp, rsq, sqrt, exp, log, sin, cos) round to the nearest always.
var modals = map[string]modal{
	"v_add_f32":        binaryModal(f32, arithmetic.add).neverTiny(),
	"v_sub_f32":        binaryModal(f32, arithmetic.sub).neverTiny(),
	"v_subrev_f32":     binaryModal(f32, arithmetic.subrev).neverTiny(),
	"v_mul_f32":        binaryModal(f32, arithmetic.mul),
	"v_mul_legacy_f32": binaryModal(f32, arithmetic.mulLegacy),
	"v_fma_f32":        ternaryModal(f32, arithmetic.fma),
	"v_mad_f32":        ternaryModal(f32, arithmetic.mad).neverTiny(),
	"v_madmk_f32":      ternaryModal(f32, arithmetic.mad).neverTiny(),
	"v_madak_f32":      ternaryModal(f32, arithmetic.mad).neverTiny(),
	"v_mad_legacy_f32": ternaryModal(f32, arithmetic.madLegacy).neverTiny(),
	"v_mac_f32":        accumulatingModal(f32, arithmetic.mad).neverTiny(),
	"v_fmac_f32":       accumulatingModal(f32, arithmetic.fma),
	"v_fmamk_f32":      ternaryModal(f32, arithmetic.fma),
	"v_fmaak_f32":      ternaryModal(f32, arithmetic.fma),
	"v_pk_fma_f32":     ternaryModal(f32, arithmetic.fma).with(bothSingles(&vopF32_F32mF32mF32m_CO)),
	"v_pk_mul_f32":     binaryModal(f32, arithmetic.mul).with(bothSingles(&vopF32_F32mF32m_CO)),
	"v_pk_add_f32":     binaryModal(f32, arithmetic.add).neverTiny().with(bothSingles(&vopF32_F32mF32m_CO)),
	"v_fract_f32":      unaryModal(f32, arithmetic.fract).neverTiny(),

	"v_add_f16":        binaryModal(f16, arithmetic.add).neverTiny(),
	"v_sub_f16":        binaryModal(f16, arithmetic.sub).neverTiny(),
	"v_subrev_f16":     binaryModal(f16, arithmetic.subrev).neverTiny(),
	"v_mul_f16":        binaryModal(f16, arithmetic.mul),
	"v_madmk_f16":      ternaryModal(f16, arithmetic.mad).neverTiny(),
	"v_madak_f16":      ternaryModal(f16, arithmetic.mad).neverTiny(),
	"v_mad_legacy_f16": ternaryModal(f16, arithmetic.mad).neverTiny(),
	"v_fma_legacy_f16": ternaryModal(f16, arithmetic.fma),
	"v_mac_f16":        accumulatingModal(f16, arithmetic.mad).neverTiny(),
	"v_mad_f16":        preserveModal(f16, arithmetic.mad).neverTiny(),
	"v_fma_f16":        preserveModal(f16, arithmetic.fma),
	"v_fract_f16":      unaryModal(f16, arithmetic.fract).neverTiny(),
	"v_pk_add_f16":     packedModal(arithmetic.add, 2).neverTiny(),
	"v_pk_mul_f16":     packedModal(arithmetic.mul, 2),
	"v_pk_fma_f16":     packedModal(arithmetic.fma, 3),
	"v_pk_fmac_f16":    packedModal(arithmetic.fma, 3).with(pkFmac),
	"v_exp_f16":        overflowModal(exp32),
	"v_rcp_f16":        overflowModal(rcp32),

	"v_cvt_pk_fp8_f32": saturatingModal(cvtPkFp8, fp8),
	"v_cvt_pk_bf8_f32": saturatingModal(cvtPkFp8, bf8),
	"v_cvt_sr_fp8_f32": saturatingModal(cvtSr, fp8),
	"v_cvt_sr_bf8_f32": saturatingModal(cvtSr, bf8),
	"v_cvt_sr_f16_f32": saturatingModal(cvtSr, halfSR),

	"v_add_f64":   binaryModal(f64, arithmetic.add).neverTiny(),
	"v_mul_f64":   binaryModal(f64, arithmetic.mul),
	"v_fmac_f64":  accumulatingModal(f64, arithmetic.fma),
	"v_fma_f64":   ternaryModal(f64, arithmetic.fma),
	"v_fract_f64": unaryModal(f64, arithmetic.fract).neverTiny(),

	"v_cvt_f32_f64": convertModal(f32, f64, formatF64),
	"v_cvt_f16_f32": convertModal(f16, f32, formatF32),
	"v_cvt_f32_i32": integerModal(f32, u32, func(x uint64) int64 { return int64(int32(x)) }),
	"v_cvt_f32_u32": integerModal(f32, u32, func(x uint64) int64 { return int64(uint32(x)) }),
	"v_cvt_f16_i16": integerModal(f16, i16, func(x uint64) int64 { return int64(int16(x)) }),
	"v_cvt_f16_u16": integerModal(f16, u16, func(x uint64) int64 { return int64(uint16(x)) }),
	"v_ldexp_f16":   ldexpModal(f16, i16, func(x uint64) int { return int(int16(x)) }),
	"v_ldexp_f32":   ldexpModal(f32, u32, func(x uint64) int { return int(int32(x)) }),
	"v_ldexp_f64":   ldexpModal(f64, u32, func(x uint64) int { return int(int32(x)) }),

	"v_div_scale_f32": scaleModal(f32, &scaling32),
	"v_div_scale_f64": scaleModal(f64, &scaling64),
	"v_div_fmas_f32":  fmasModal(f32, &scaling32),
	"v_div_fmas_f64":  fmasModal(f64, &scaling64),

	"v_div_fixup_f32":        fixupModal(f32, false),
	"v_div_fixup_f64":        fixupModal(f64, false),
	"v_div_fixup_f16":        fixupModal(f16, true),
	"v_div_fixup_legacy_f16": fixupModal(f16, false),

	"v_mad_mix_f32":   mixedModal(f32, false, false),
	"v_mad_mixlo_f16": mixedModal(f16, false, false),
	"v_mad_mixhi_f16": mixedModal(f16, true, false),
	"v_fma_mix_f32":   mixedModal(f32, false, true),
	"v_fma_mixlo_f16": mixedModal(f16, false, true),
	"v_fma_mixhi_f16": mixedModal(f16, true, true),

	"v_min_f32":    ieeeModal(lanewise(minNum32, f32, f32, f32)),
	"v_max_f32":    ieeeModal(lanewise(maxNum32, f32, f32, f32)),
	"v_min3_f32":   ieeeModal(lanewise(of3(minNum32), f32, f32, f32, f32)),
	"v_max3_f32":   ieeeModal(lanewise(of3(maxNum32), f32, f32, f32, f32)),
	"v_med3_f32":   ieeeModal(lanewise(orderF32.middle(minNum32, maxNum32), f32, f32, f32, f32)),
	"v_min_f16":    ieeeModal(lanewise(minNum16, f16, f16, f16)),
	"v_max_f16":    ieeeModal(lanewise(maxNum16, f16, f16, f16)),
	"v_min3_f16":   ieeeModal(preserveLanesF16(of3(minNum16))),
	"v_max3_f16":   ieeeModal(preserveLanesF16(of3(maxNum16))),
	"v_med3_f16":   ieeeModal(preserveLanesF16(orderF16.middle(minNum16, maxNum16))),
	"v_pk_min_f16": ieeeModal(packedHalves(minNum16, 2)),
	"v_pk_max_f16": ieeeModal(packedHalves(maxNum16, 2)),
	"v_min_f64":    ieeeModal(lanewise(minNum64, f64, f64, f64)),
	"v_max_f64":    ieeeModal(lanewise(maxNum64, f64, f64, f64)),

	"ds_add_f32":     ldsModal(nextAddF32),
	"ds_min_f32":     ldsModal(orderF32.least),
	"ds_max_f32":     ldsModal(orderF32.most),
	"ds_add_rtn_f32": ldsModal(nextAddF32),
	"ds_min_rtn_f32": ldsModal(orderF32.least),
	"ds_max_rtn_f32": ldsModal(orderF32.most),
}

var (
	minNum16 = orderF16.tolerant(orderF16.least)
	maxNum16 = orderF16.tolerant(orderF16.most)
	minNum64 = orderF64.tolerant(orderF64.least)
	maxNum64 = orderF64.tolerant(orderF64.most)
	minNum32 = orderF32.tolerant(orderF32.least)
	maxNum32 = orderF32.tolerant(orderF32.most)
)

// roundingBits are those of MODE that results of a kind follow.
func roundingBits(k kind) uint32 {
	switch k {
	case f32:
		return roundF32
	case f16:
		return roundF64 | halfOverflow
	}
	return roundF64
}

// preserveLanesF16 is preserveF16 for a function of a lane.
func preserveLanesF16(f laneFunc) Meaning {
	return preserveF16(func(d, a, b, c *Lanes) { bits3(d, a, b, c, f) })
}

func laneModal(k kind, f func(e arithmetic, a, b, c uint64) uint64, with func(laneFunc) Meaning) modal {
	return modal{k, roundingBits(k), true, func(mode uint32) Meaning {
		e := arithmeticOf(k, mode)
		return with(func(a, b, c uint64) uint64 { return f(e, a, b, c) })
	}}
}

func unaryModal(k kind, f func(e arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, func(f laneFunc) Meaning { return lanewise(f, k, k) })
}

func binaryModal(k kind, f func(e arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, func(f laneFunc) Meaning { return lanewise(f, k, k, k) })
}

func ternaryModal(k kind, f func(e arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, func(f laneFunc) Meaning { return lanewise(f, k, k, k, k) })
}

func accumulatingModal(k kind, f func(e arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, func(f laneFunc) Meaning { return laneAccumulate(f, k, k, k) })
}

func preserveModal(k kind, f func(e arithmetic, a, b, c uint64) uint64) modal {
	return laneModal(k, f, preserveLanesF16)
}

func packedModal(f func(e arithmetic, a, b, c uint64) uint64, n int) modal {
	return laneModal(f16, f, func(f laneFunc) Meaning { return packedHalves(f, n) })
}

func convertModal(to, from kind, f format) modal {
	return modal{to, roundingBits(to), true, func(mode uint32) Meaning { return lanewise(arithmeticOf(to, mode).from(f), to, from) }}
}

func integerModal(to, from kind, f func(uint64) int64) modal {
	return modal{to, roundingBits(to), false, func(mode uint32) Meaning {
		e := arithmeticOf(to, mode)
		return lanewise(func(a, _, _ uint64) uint64 { return e.rounded(integer(f(a))) }, to, from)
	}}
}

func ldexpModal(k, by kind, f func(uint64) int) modal {
	return modal{k, roundingBits(k), true, func(mode uint32) Meaning {
		e := arithmeticOf(k, mode)
		return lanewise(func(a, b, _ uint64) uint64 { return e.ldexp(a, f(b)) }, k, k, by)
	}}
}

func scaleModal(k kind, by *scaling) modal {
	return modal{k, roundingBits(k), true, func(mode uint32) Meaning {
		return flagged(arithmeticOf(k, mode).divScale(by), 3, true, k, k, k, k)
	}}
}

func fmasModal(k kind, by *scaling) modal {
	return modal{k, roundingBits(k), true, func(mode uint32) Meaning {
		f := arithmeticOf(k, mode).divFmas(by)
		return func(i *Inst) Step { return stepFmas(i, k, f) }
	}}
}

// fixupModal is for quotients out of range; others are not rounded, and not flushed.
func fixupModal(k kind, preserve bool) modal {
	return modal{k, roundingBits(k), true, func(mode uint32) Meaning {
		e := arithmeticOf(k, mode)
		own := uint64(2)<<(e.mantissa+e.exponent) - 1 // bits of the format
		return func(i *Inst) Step {
			v := bindFixup(i, k)
			if preserve {
				v.preserve, v.unmodified = true, false
			}
			return v.stepLanes(func(q, d, n uint64) uint64 { return e.fixup(q, d&own, n&own) })
		}
	}}
}

// overflowModal is for approximations of halves: only FP16_OVFL matters.
func overflowModal(f func(float32) float32) modal {
	return modal{f16, halfOverflow, false, func(mode uint32) Meaning {
		e := arithmetic{format: formatF16, to: toNearest, stay: mode&halfOverflow != 0}
		return lanewise(func(a, _, _ uint64) uint64 {
			return e.rounded(formatF32.number(fromSingle(f(half(a)))))
		}, f16, f16)
	}}
}

// saturatingModal is for conversions to formats that FP16_OVFL keeps finite.
func saturatingModal(f func(byteFormat, bool) Meaning, to byteFormat) modal {
	return modal{none, halfOverflow, false, func(mode uint32) Meaning { return f(to, mode&halfOverflow != 0) }}
}

// mixedModal follows the denormal modes of singles and halves as well.
func mixedModal(k kind, high, fused bool) modal {
	return modal{k, roundingBits(k) | roundF32 | denormIn32 | denormIn64, true, func(mode uint32) Meaning {
		single := arithmeticOf(f32, mode)
		to := arithmeticOf(k, mode)
		return mixedIn(mode, k, high, func(a, b, c uint64) uint64 {
			if !fused {
				return to.rounded(formatF32.number(single.mad(a, b, c)))
			}
			return to.rounded(arithmetic{format: formatF32, to: to.to}.fused(a, b, c))
		})
	}}
}

// neverTiny is for what is exact where it is less than the least normal number, and
// for what flushes in every mode: the usual meaning flushes as the complete one does.
func (m modal) neverTiny() modal {
	m.rounds = false
	return m
}

// with makes the meanings of another row from those of m.
func (m modal) with(f func(Meaning) Meaning) modal {
	meaning := m.meaning
	m.meaning = func(mode uint32) Meaning { return f(meaning(mode)) }
	return m
}

// bothSingles is packedSingles for instructions of a form.
func bothSingles(f *Form) func(Meaning) Meaning {
	return func(m Meaning) Meaning { return packedSingles(m, f) }
}

func ieeeModal(m Meaning) modal {
	return modal{none, ieeeMode, false, func(uint32) Meaning { return m }}
}

// ldsModal is for atomics on workgroup memory, which follow the denormal modes
// of singles and round to the nearest.
func ldsModal(f atomicFunc) modal {
	return modal{none, denorms32, false, func(mode uint32) Meaning {
		in, out := mode&denormIn32 == 0, mode&denormOut32 == 0
		return ldsAtomic(&atomicOp{next: func(old, data, cmp uint64) uint64 {
			if in {
				old, data = formatF32.flush(old), formatF32.flush(data)
			}
			r := f(old, data, cmp)
			if out {
				r = formatF32.flush(r)
			}
			return r
		}}, 1)
	}}
}
