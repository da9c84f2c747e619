package rows

import (
	"math"
	"math/big"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Floating-point instructions beside those of references: on numbers, by
// float64 or math/big, rounded once.

func refFlush(x float64) float64 {
	if math.Abs(x) < math.Pow(2, -126) {
		return math.Copysign(0, x)
	}
	return x
}

func round32of(x float64) float64 { return float64(float32(x)) }

// refMad is a*b+c as instructions compute it that know no denormals and round twice.
func refMad(x, y, z float64) float64 {
	p := refFlush(round32of(refFlush(x) * refFlush(y)))
	return refFlush(round32of(p + refFlush(z)))
}

// turns reduces to the half turn around 0, exactly.
func turns(x float64) float64 { return x - math.RoundToEven(x) }

func refSin(x float64) float64 {
	switch r := turns(x); {
	case math.IsInf(x, 0) || x != x:
		return math.NaN()
	case x == 0, math.Abs(x) > 256:
		return math.Copysign(0, x)
	case math.Abs(r) == 0.5, r == 0:
		return 0
	default:
		return math.Sin(2 * math.Pi * r)
	}
}

func refCos(x float64) float64 {
	switch r := turns(x); {
	case math.IsInf(x, 0) || x != x:
		return math.NaN()
	case math.Abs(x) > 256:
		return 1
	case math.Abs(r) == 0.25:
		return 0
	default:
		return math.Cos(2 * math.Pi * r)
	}
}

func noInfinity(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(math.MaxFloat32, x)
	}
	return x
}

func refFract(x, most float64) float64 { return math.Min(x-math.Floor(x), most) }

// onNumbers is a function of numbers as a semantic on a format.
func onNumbers(in func(uint64) float64, out func(float64) uint64, f func(x, y, z float64) float64) semantic {
	return func(x refLane) (uint64, bool) { return out(f(in(x.a), in(x.b), in(x.c))), false }
}

func one64(f func(float64) float64) func(x, _, _ float64) float64 {
	return func(x, _, _ float64) float64 { return f(x) }
}

// refCube finds the face of a direction by its longest component, of which later ones win.
func refCube(f func(d [3]float64, axis int) float64) semantic {
	return onNumbers(f32of, b32, func(x, y, z float64) float64 {
		d, axis := [3]float64{x, y, z}, 0
		for n := 1; n < 3; n++ {
			wins := true
			for before := range n {
				wins = wins && math.Abs(d[n]) >= math.Abs(d[before])
			}
			if wins {
				axis = n
			}
		}
		return f(d, axis)
	})
}

func cubeFloats(m map[string]semantic) {
	m["v_cubeid_f32"] = refCube(func(d [3]float64, axis int) float64 {
		if d[axis] < 0 {
			return float64(2*axis + 1)
		}
		return float64(2 * axis)
	})
	m["v_cubema_f32"] = refCube(func(d [3]float64, axis int) float64 { return 2 * d[axis] })
	m["v_cubesc_f32"] = refCube(func(d [3]float64, axis int) float64 {
		return [2][3]float64{{-d[2], d[0], d[0]}, {d[2], d[0], -d[0]}}[below0(d[axis])][axis]
	})
	m["v_cubetc_f32"] = refCube(func(d [3]float64, axis int) float64 {
		return [2][3]float64{{-d[1], d[2], -d[1]}, {-d[1], -d[2], -d[1]}}[below0(d[axis])][axis]
	})
}

func below0(x float64) int {
	if x < 0 {
		return 1
	}
	return 0
}

func unaryFloats(m map[string]semantic) {
	cubeFloats(m)
	for name, f := range map[string]func(float64) float64{
		"trunc": math.Trunc, "ceil": math.Ceil, "floor": math.Floor, "rndne": math.RoundToEven, "sqrt": math.Sqrt,
	} {
		m["v_"+name+"_f64"] = onNumbers(f64of, b64, one64(f))
		m["v_"+name+"_f32"] = onNumbers(f32of, b32, one64(f))
		m["v_"+name+"_f16"] = onNumbers(refHalf, refNarrow, one64(f))
	}
	for name, f := range map[string]func(float64) float64{
		"exp": math.Exp2, "log": math.Log2, "sin": refSin, "cos": refCos,
		"rsq": func(x float64) float64 { return 1 / math.Sqrt(x) }, "rcp": func(x float64) float64 { return 1 / x },
	} {
		m["v_"+name+"_f32"] = onNumbers(f32of, b32, one64(f))
		m["v_"+name+"_f16"] = onNumbers(refHalf, refNarrow, one64(f))
		m["v_"+name+"_legacy_f32"] = onNumbers(f32of, b32, one64(func(x float64) float64 { return noInfinity(f(x)) }))
	}
	m["v_fract_f32"] = onNumbers(f32of, b32, one64(func(x float64) float64 { return refFract(x, 1-math.Pow(2, -24)) }))
	m["v_fract_f16"] = onNumbers(refHalf, refNarrow, one64(func(x float64) float64 { return refFract(x, 1-math.Pow(2, -11)) }))
	m["v_frexp_mant_f16"] = onNumbers(refHalf, refNarrow, one64(func(x float64) float64 { r, _ := math.Frexp(x); return r }))
	m["v_frexp_exp_i16_f16"] = func(x refLane) (uint64, bool) {
		v := refHalf(x.a)
		if !finite(v) {
			return 0, false
		}
		_, e := math.Frexp(v)
		return uint64(e) & 0xffff, false
	}
	for name, t := range map[string]struct {
		value func(uint64) float64
		round func(x *big.Float, z float64) uint64
		plain func(float64) uint64
	}{"v_ldexp_f32": {f32of, round32, b32}, "v_ldexp_f64": {f64of, round64, b64}} {
		m[name] = func(x refLane) (uint64, bool) {
			v := t.value(x.a)
			if !finite(v) || v == 0 {
				return t.plain(v), false
			}
			return t.round(new(big.Float).SetMantExp(exact(v), min(max(int(int32(x.b)), -9999), 9999)), v), false
		}
	}
	m["v_ldexp_f16"] = func(x refLane) (uint64, bool) {
		v := refHalf(x.a)
		if !finite(v) || v == 0 {
			return refNarrow(v), false
		}
		return refRoundHalf(new(big.Float).SetMantExp(exact(v), int(int16(x.b))), v), false
	}
}

func conversions(m map[string]semantic) {
	plain := func(name string, f func(a, b, c uint64) uint64) {
		m[name] = func(x refLane) (uint64, bool) { return f(x.a, x.b, x.c), false }
	}
	plain("v_cvt_f32_ubyte1", func(a, _, _ uint64) uint64 { return b32(float64(a >> 8 & 255)) })
	plain("v_cvt_f32_ubyte2", func(a, _, _ uint64) uint64 { return b32(float64(a >> 16 & 255)) })
	plain("v_cvt_f64_u32", func(a, _, _ uint64) uint64 { return b64(float64(a)) })
	plain("v_cvt_off_f32_i4", func(a, _, _ uint64) uint64 {
		v := float64(a & 15)
		if v >= 8 {
			v -= 16
		}
		return b32(v / 16)
	})
	toI32 := func(x float64) uint64 { return uint64(int64(refSaturate(x, -1<<31, 1<<31-1))) & math.MaxUint32 }
	plain("v_cvt_rpi_i32_f32", func(a, _, _ uint64) uint64 { return toI32(math.Floor(f32of(a) + 0.5)) })
	plain("v_cvt_flr_i32_f32", func(a, _, _ uint64) uint64 { return toI32(math.Floor(f32of(a))) })
	plain("v_cvt_f16_u16", func(a, _, _ uint64) uint64 { return refToHalf(float64(a)) })
	plain("v_cvt_f16_i16", func(a, _, _ uint64) uint64 { return refToHalf(float64(int16(a))) })
	i16 := func(x float64) uint64 { return uint64(int64(refSaturate(x, -32768, 32767))) & 0xffff }
	u16 := func(x float64) uint64 { return uint64(refSaturate(x, 0, 65535)) }
	plain("v_cvt_u16_f16", func(a, _, _ uint64) uint64 { return u16(refHalf(a)) })
	plain("v_cvt_i16_f16", func(a, _, _ uint64) uint64 { return i16(refHalf(a)) })
	normI := func(x float64) uint64 { return i16(math.RoundToEven(math.Min(math.Max(x, -1), 1) * 32767)) }
	normU := func(x float64) uint64 { return u16(math.RoundToEven(math.Min(math.Max(x, 0), 1) * 65535)) }
	plain("v_cvt_norm_i16_f16", func(a, _, _ uint64) uint64 { return normI(refHalf(a)) })
	plain("v_cvt_norm_u16_f16", func(a, _, _ uint64) uint64 { return normU(refHalf(a)) })
	plain("v_cvt_pknorm_i16_f32", func(a, b, _ uint64) uint64 { return normI(f32of(a)) | normI(f32of(b))<<16 })
	plain("v_cvt_pknorm_u16_f32", func(a, b, _ uint64) uint64 { return normU(f32of(a)) | normU(f32of(b))<<16 })
	plain("v_cvt_pknorm_i16_f16", func(a, b, _ uint64) uint64 { return normI(refHalf(a)) | normI(refHalf(b))<<16 })
	plain("v_cvt_pknorm_u16_f16", func(a, b, _ uint64) uint64 { return normU(refHalf(a)) | normU(refHalf(b))<<16 })
	plain("v_cvt_pk_u8_f32", func(a, b, c uint64) uint64 {
		at := b % 4 * 8
		return c&^(255<<at) | uint64(refSaturate(math.RoundToEven(f32of(a)), 0, 255))<<at
	})
	toZero := func(a uint64) uint64 { // the half next to a number on the side of 0
		x := f32of(a)
		h := refNarrow(x)
		if finite(x) && math.Abs(refHalf(h)) > math.Abs(x) {
			h--
		}
		return h
	}
	plain("v_cvt_pkrtz_f16_f32", func(a, b, _ uint64) uint64 { return toZero(a) | toZero(b)<<16 })
	for name, f := range map[string]fp8Numbers{"fp8": {3, 8}, "bf8": {2, 16}} {
		ocp := refFormats[name]
		young := func(chip encoding.Chip) bool { return chip.AtLeast(encoding.Gfx950) || chip.RDNA() }
		value := func(x refLane, a uint64) uint64 {
			if young(x.inst.Chip) {
				return b32(ocp.value(a & 255))
			}
			return b32(f.value(a & 255))
		}
		m["v_cvt_f32_"+name] = func(x refLane) (uint64, bool) { return value(x, x.a), false }
		m["v_cvt_pk_f32_"+name] = func(x refLane) (uint64, bool) { return value(x, x.a) | value(x, x.a>>8)<<32, false }
		m["v_cvt_pk_"+name+"_f32"] = func(x refLane) (uint64, bool) {
			v := f.nearest(f32of(x.a)) | f.nearest(f32of(x.b))<<8
			if young(x.inst.Chip) {
				v = ocp.round(f32of(x.a), nil) | ocp.round(f32of(x.b), nil)<<8
			}
			if x.inst.OpSel&8 != 0 {
				return x.old&0xffff | v<<16, false
			}
			return x.old&^0xffff | v, false
		}
		m["v_cvt_sr_"+name+"_f32"] = func(x refLane) (uint64, bool) {
			at := x.inst.OpSel >> 2 & 3 * 8
			if random := uint32(x.b); young(x.inst.Chip) {
				return x.old&^(255<<at) | ocp.round(f32of(x.a), &random)<<at, false
			}
			return x.old&^(255<<at) | f.random(f32of(x.a), x.b)<<at, false
		}
	}
}

// sumsOfFloats are additions, products and choices.
func sumsOfFloats(m map[string]semantic) {
	plain := func(name string, f func(a, b, c uint64) uint64) {
		m[name] = func(x refLane) (uint64, bool) { return f(x.a, x.b, x.c), false }
	}
	mulLegacy := func(x, y float64) float64 {
		if x == 0 || y == 0 {
			return 0
		}
		return round32of(x * y)
	}
	plain("v_mul_legacy_f32", func(a, b, _ uint64) uint64 { return b32(mulLegacy(f32of(a), f32of(b))) })
	plain("v_mad_legacy_f32", func(a, b, c uint64) uint64 {
		p := refFlush(mulLegacy(refFlush(f32of(a)), refFlush(f32of(b))))
		return b32(refFlush(round32of(p + refFlush(f32of(c)))))
	})
	for _, name := range []string{"v_mad_f32", "v_madmk_f32", "v_madak_f32"} {
		plain(name, func(a, b, c uint64) uint64 { return b32(refMad(f32of(a), f32of(b), f32of(c))) })
	}
	m["v_mac_f32"] = func(x refLane) (uint64, bool) { return b32(refMad(f32of(x.a), f32of(x.b), f32of(x.old))), false }
	m["v_fmac_f32"] = func(x refLane) (uint64, bool) { return refFMA32(x.a, x.b, x.old), false }
	m["v_fmac_f64"] = func(x refLane) (uint64, bool) { return refFMA64(x.a, x.b, x.old), false }
	plain("v_fmamk_f32", refFMA32)
	plain("v_fmaak_f32", refFMA32)
	flush := func(h uint64) uint64 {
		if h&0x7c00 == 0 {
			return h & 0x8000
		}
		return h
	}
	mad16 := func(a, b, c uint64) uint64 {
		product := flush(refNarrow(refHalf(flush(a)) * refHalf(flush(b))))
		return flush(refNarrow(refHalf(product) + refHalf(flush(c))))
	}
	for _, name := range []string{"v_mad_f16", "v_mad_legacy_f16", "v_madmk_f16", "v_madak_f16"} {
		plain(name, mad16)
	}
	m["v_mac_f16"] = func(x refLane) (uint64, bool) { return mad16(x.a, x.b, x.old&0xffff), false }
	fma16 := func(a, b, c uint64) uint64 { return refFMA16(refHalf(a), refHalf(b), refHalf(c)) }
	plain("v_fma_f16", fma16)
	plain("v_fma_legacy_f16", fma16)
	plain("v_subrev_f16", func(a, b, _ uint64) uint64 { return refNarrow(refHalf(b) - refHalf(a)) })
	for suffix, t := range map[string]struct {
		value func(uint64) float64
		quiet uint64
	}{"f32": {f32of, 1 << 22}, "f16": {refHalf, 1 << 9}} {
		least, most := refMinMax(false, t.value, t.quiet), refMinMax(true, t.value, t.quiet)
		plain("v_min3_"+suffix, func(a, b, c uint64) uint64 { return least(least(a, b), c) })
		plain("v_max3_"+suffix, func(a, b, c uint64) uint64 { return most(most(a, b), c) })
		plain("v_med3_"+suffix, func(a, b, c uint64) uint64 {
			x, y, z := t.value(a), t.value(b), t.value(c)
			top := most(most(a, b), c)
			switch {
			case x != x || y != y || z != z:
				return least(least(a, b), c)
			case top == a:
				return most(b, c)
			case top == b:
				return most(a, c)
			}
			return most(a, b)
		})
	}
}
