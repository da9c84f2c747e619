package rows

import (
	"math"
	"math/big"
)

// reference is one vector instruction. in has a letter for each source: i and
// f of 32 bits, I and F of 64, h for halves and w for 16-bit integers; out likewise, or m for a mask.
type reference struct {
	name string
	in   string
	out  string
	f    func(a, b, c uint64, in bool) (r uint64, out bool)
}

func plainRef(f func(a, b, c uint64) uint64) func(a, b, c uint64, in bool) (uint64, bool) {
	return func(a, b, c uint64, _ bool) (uint64, bool) { return f(a, b, c), false }
}

func testRef(f func(a, b uint64) bool) func(a, b, c uint64, in bool) (uint64, bool) {
	return func(a, b, _ uint64, _ bool) (uint64, bool) { return 0, f(a, b) }
}

func references() []reference {
	var all []reference
	add := func(name, in, out string, f func(a, b, c uint64) uint64) {
		all = append(all, reference{name, in, out, plainRef(f)})
	}
	i32of := func(a uint64) int64 { return int64(int32(a)) }

	add("v_mov_b32", "i", "i", func(a, _, _ uint64) uint64 { return a })
	add("v_bfrev_b32", "i", "i", func(a, _, _ uint64) (r uint64) {
		for n := 0; n < 32; n++ {
			r |= a >> n & 1 << (31 - n)
		}
		return r
	})
	add("v_cvt_f32_f16", "h", "f", func(a, _, _ uint64) uint64 { return b32(refHalf(a)) })
	add("v_cvt_f16_f32", "f", "h", func(a, _, _ uint64) uint64 {
		if x := f32of(a); x == x {
			return refToHalf(x)
		}
		return 0x7e00
	})
	add("v_cvt_f32_i32", "i", "f", func(a, _, _ uint64) uint64 { return b32(float64(i32of(a))) })
	add("v_cvt_f32_u32", "i", "f", func(a, _, _ uint64) uint64 { return b32(float64(a)) })
	add("v_cvt_f32_ubyte0", "i", "f", func(a, _, _ uint64) uint64 { return b32(float64(a % 256)) })
	add("v_cvt_f32_ubyte3", "i", "f", func(a, _, _ uint64) uint64 { return b32(float64(a >> 24)) })
	add("v_cvt_f64_i32", "i", "F", func(a, _, _ uint64) uint64 { return b64(float64(i32of(a))) })
	add("v_cvt_i32_f32", "f", "i", func(a, _, _ uint64) uint64 {
		return uint64(uint32(int64(refSaturate(f32of(a), -1<<31, 1<<31-1))))
	})
	add("v_cvt_u32_f32", "f", "i", func(a, _, _ uint64) uint64 { return uint64(refSaturate(f32of(a), 0, 1<<32-1)) })
	add("v_cvt_i32_f64", "F", "i", func(a, _, _ uint64) uint64 {
		return uint64(uint32(int64(refSaturate(f64of(a), -1<<31, 1<<31-1))))
	})
	add("v_cvt_u32_f64", "F", "i", func(a, _, _ uint64) uint64 { return uint64(refSaturate(f64of(a), 0, 1<<32-1)) })
	add("v_cvt_f32_f64", "F", "f", func(a, _, _ uint64) uint64 { return b32(f64of(a)) })
	add("v_cvt_f64_f32", "f", "F", func(a, _, _ uint64) uint64 { return b64(f32of(a)) })
	add("v_fract_f64", "F", "F", func(a, _, _ uint64) uint64 {
		x := f64of(a)
		if !finite(x) {
			return b64(math.NaN())
		}
		return b64(math.Min(x-math.Floor(x), math.Nextafter(1, 0)))
	})
	add("v_frexp_exp_i32_f64", "F", "i", func(a, _, _ uint64) uint64 {
		x := f64of(a)
		if !finite(x) {
			return 0
		}
		_, e := math.Frexp(x)
		return uint64(uint32(int32(e)))
	})
	add("v_frexp_mant_f64", "F", "F", func(a, _, _ uint64) uint64 {
		m, _ := math.Frexp(f64of(a))
		return b64(m)
	})
	add("v_frexp_exp_i32_f32", "f", "i", func(a, _, _ uint64) uint64 {
		if !finite(f32of(a)) {
			return 0
		}
		_, e := math.Frexp(f32of(a))
		return uint64(uint32(int32(e)))
	})
	add("v_frexp_mant_f32", "f", "f", func(a, _, _ uint64) uint64 {
		m, _ := math.Frexp(f32of(a))
		return b32(m)
	})
	for _, name := range []string{"v_rcp_f32", "v_rcp_iflag_f32"} {
		add(name, "f", "f", func(a, _, _ uint64) uint64 {
			x := f32of(a)
			if x == 0 || !finite(x) {
				return b32(1 / x)
			}
			return round32(new(big.Float).SetPrec(400).Quo(exact(1), exact(x)), 0)
		})
	}
	add("v_rcp_f64", "F", "F", func(a, _, _ uint64) uint64 {
		x := f64of(a)
		if x == 0 || !finite(x) {
			return b64(1 / x)
		}
		return round64(new(big.Float).SetPrec(3000).Quo(exact(1), exact(x)), 0)
	})
	add("v_exp_f32", "f", "f", func(a, _, _ uint64) uint64 { return b32(math.Exp2(f32of(a))) })
	add("v_rsq_f64", "F", "F", func(a, _, _ uint64) uint64 { return b64(1 / math.Sqrt(f64of(a))) })
	add("v_sqrt_f32", "f", "f", func(a, _, _ uint64) uint64 { return b32(math.Sqrt(f32of(a))) })
	add("v_rndne_f32", "f", "f", func(a, _, _ uint64) uint64 { return b32(math.RoundToEven(f32of(a))) })
	add("v_rndne_f64", "F", "F", func(a, _, _ uint64) uint64 { return b64(math.RoundToEven(f64of(a))) })
	add("v_trunc_f32", "f", "f", func(a, _, _ uint64) uint64 { return b32(math.Trunc(f32of(a))) })
	add("v_floor_f32", "f", "f", func(a, _, _ uint64) uint64 { return b32(math.Floor(f32of(a))) })
	add("v_ceil_f32", "f", "f", func(a, _, _ uint64) uint64 { return b32(math.Ceil(f32of(a))) })

	add("v_add_f32", "ff", "f", func(a, b, _ uint64) uint64 { return refFMA32(a, b32(1), b) })
	add("v_sub_f32", "ff", "f", func(a, b, _ uint64) uint64 { return refFMA32(b, b32(-1), a) })
	add("v_subrev_f32", "ff", "f", func(a, b, _ uint64) uint64 { return refFMA32(a, b32(-1), b) })
	add("v_mul_f32", "ff", "f", func(a, b, _ uint64) uint64 { return b32(f32of(a) * f32of(b)) })
	add("v_fma_f32", "fff", "f", refFMA32)
	add("v_min_f32", "ff", "f", func(a, b, _ uint64) uint64 { return refMinMax(false, f32of, 1<<22)(a, b) })
	add("v_max_f32", "ff", "f", func(a, b, _ uint64) uint64 { return refMinMax(true, f32of, 1<<22)(a, b) })
	add("v_min_f64", "FF", "F", func(a, b, _ uint64) uint64 { return refMinMax(false, f64of, 1<<51)(a, b) })
	add("v_max_f64", "FF", "F", func(a, b, _ uint64) uint64 { return refMinMax(true, f64of, 1<<51)(a, b) })
	add("v_min_f16", "hh", "h", func(a, b, _ uint64) uint64 { return refMinMax(false, refHalf, 1<<9)(a, b) })
	add("v_max_f16", "hh", "h", func(a, b, _ uint64) uint64 { return refMinMax(true, refHalf, 1<<9)(a, b) })
	add("v_add_f64", "FF", "F", func(a, b, _ uint64) uint64 { return refFMA64(a, b64(1), b) })
	add("v_mul_f64", "FF", "F", func(a, b, _ uint64) uint64 {
		x, y := f64of(a), f64of(b)
		if !finite(x, y) {
			return b64(x * y)
		}
		sign := math.Copysign(1, x) * math.Copysign(1, y)
		return round64(new(big.Float).SetPrec(200).Mul(exact(x), exact(y)), math.Copysign(0, sign))
	})
	add("v_fma_f64", "FFF", "F", refFMA64)
	for _, h := range []struct {
		name string
		f    func(x, y float64) float64
	}{
		{"v_add_f16", func(x, y float64) float64 { return x + y }},
		{"v_sub_f16", func(x, y float64) float64 { return x - y }},
		{"v_mul_f16", func(x, y float64) float64 { return x * y }},
	} {
		add(h.name, "hh", "h", func(a, b, _ uint64) uint64 {
			if r := h.f(refHalf(a), refHalf(b)); r == r {
				return refToHalf(r)
			}
			return 0x7e00
		})
	}
	add("v_ldexp_f32", "fs", "f", func(a, b, _ uint64) uint64 {
		x := f32of(a)
		if !finite(x) || x == 0 {
			return b32(x)
		}
		return round32(new(big.Float).SetMantExp(exact(x), int(i32of(b))), 0)
	})
	add("v_ldexp_f64", "Fs", "F", func(a, b, _ uint64) uint64 {
		x := f64of(a)
		if !finite(x) || x == 0 {
			return b64(x)
		}
		return round64(new(big.Float).SetMantExp(exact(x), int(i32of(b))), 0)
	})
	add("v_trig_preop_f64", "Fi", "F", refTrigPreop)

	ints := map[string]func(a, b, c uint64) uint64{
		"v_add_u32":      func(a, b, _ uint64) uint64 { return a + b },
		"v_sub_u32":      func(a, b, _ uint64) uint64 { return a - b },
		"v_subrev_u32":   func(a, b, _ uint64) uint64 { return b - a },
		"v_and_b32":      func(a, b, _ uint64) uint64 { return a & b },
		"v_or_b32":       func(a, b, _ uint64) uint64 { return a | b },
		"v_xor_b32":      func(a, b, _ uint64) uint64 { return a ^ b },
		"v_lshlrev_b32":  func(a, b, _ uint64) uint64 { return b << (a % 32) },
		"v_lshrrev_b32":  func(a, b, _ uint64) uint64 { return b >> (a % 32) },
		"v_ashrrev_i32":  func(a, b, _ uint64) uint64 { return uint64(int64(int32(b)) >> (a % 32)) },
		"v_min_i32":      func(a, b, _ uint64) uint64 { return uint64(min(i32of(a), i32of(b))) },
		"v_max_i32":      func(a, b, _ uint64) uint64 { return uint64(max(i32of(a), i32of(b))) },
		"v_min_u32":      func(a, b, _ uint64) uint64 { return min(a, b) },
		"v_max_u32":      func(a, b, _ uint64) uint64 { return max(a, b) },
		"v_mul_lo_u32":   func(a, b, _ uint64) uint64 { return a * b },
		"v_mul_hi_u32":   func(a, b, _ uint64) uint64 { return a * b >> 32 },
		"v_mul_hi_i32":   func(a, b, _ uint64) uint64 { return uint64(i32of(a) * i32of(b) >> 32) },
		"v_mul_u32_u24":  func(a, b, _ uint64) uint64 { return mask24(a) * mask24(b) },
		"v_mul_i32_i24":  func(a, b, _ uint64) uint64 { return uint64(int64(int32(a<<8)>>8) * int64(int32(b<<8)>>8)) },
		"v_mad_u32_u24":  func(a, b, c uint64) uint64 { return mask24(a)*mask24(b) + c },
		"v_bfi_b32":      func(a, b, c uint64) uint64 { return a&b | ^a&c },
		"v_bfe_u32":      func(a, b, c uint64) uint64 { return a >> (b % 32) % (1 << (c % 32)) },
		"v_alignbit_b32": func(a, b, c uint64) uint64 { return (a<<32 | b) >> (c % 32) },
		"v_add3_u32":     func(a, b, c uint64) uint64 { return a + b + c },
		"v_lshl_add_u32": func(a, b, c uint64) uint64 { return a<<(b%32) + c },
		"v_add_lshl_u32": func(a, b, c uint64) uint64 { return (a + b) << (c % 32) },
		"v_lshl_or_b32":  func(a, b, c uint64) uint64 { return a<<(b%32) | c },
		"v_and_or_b32":   func(a, b, c uint64) uint64 { return a&b | c },
		"v_or3_b32":      func(a, b, c uint64) uint64 { return a | b | c },
		"v_xad_u32":      func(a, b, c uint64) uint64 { return (a ^ b) + c },
		"v_bcnt_u32_b32": func(a, b, _ uint64) uint64 { return uint64(len(onesOf(a))) + b },
		"v_bfm_b32":      func(a, b, _ uint64) uint64 { return (1<<(a%32) - 1) << (b % 32) },
		"v_min3_u32":     func(a, b, c uint64) uint64 { return min(a, b, c) },
		"v_max3_i32":     func(a, b, c uint64) uint64 { return uint64(max(i32of(a), i32of(b), i32of(c))) },
		"v_med3_i32": func(a, b, c uint64) uint64 {
			return uint64(i32of(a) + i32of(b) + i32of(c) - max(i32of(a), i32of(b), i32of(c)) - min(i32of(a), i32of(b), i32of(c)))
		},
		"v_ffbh_u32":       func(a, _, _ uint64) uint64 { return firstOf(a, func(n int) int { return 31 - n }) },
		"v_ffbl_b32":       func(a, _, _ uint64) uint64 { return firstOf(a, func(n int) int { return n }) },
		"v_not_b32":        func(a, _, _ uint64) uint64 { return ^a },
		"v_perm_b32":       refPerm,
		"v_sad_u8":         refSad,
		"v_cvt_pk_u16_u32": func(a, b, _ uint64) uint64 { return min(a, 65535) | min(b, 65535)<<16 },
	}
	for name, f := range ints {
		n := map[bool]string{true: "iii", false: "ii"}[name == "v_perm_b32" || name == "v_sad_u8"]
		all = append(all, reference{name, n, "i", plainRef(f)})
	}
	for n := range all {
		if _, isInt := ints[all[n].name]; isInt {
			all[n].in = sourcesOf(all[n].name, all[n].in)
		}
	}
	shifts := map[string]func(a, b, c uint64) uint64{
		"v_lshlrev_b64": func(a, b, _ uint64) uint64 { return b << (a % 64) },
		"v_lshrrev_b64": func(a, b, _ uint64) uint64 { return b >> (a % 64) },
		"v_ashrrev_i64": func(a, b, _ uint64) uint64 { return uint64(int64(b) >> (a % 64)) },
	}
	for name, f := range shifts {
		add(name, "iI", "I", f)
	}
	words := map[string]func(a, b int64) int64{
		"v_add_u16": func(a, b int64) int64 { return a + b }, "v_sub_u16": func(a, b int64) int64 { return a - b },
		"v_mul_lo_u16": func(a, b int64) int64 { return a * b }, "v_lshlrev_b16": func(a, b int64) int64 { return b << uint(a%16) },
		"v_lshrrev_b16": func(a, b int64) int64 { return b >> uint(a%16) }, "v_max_u16": func(a, b int64) int64 { return max(a, b) },
		"v_ashrrev_i16": func(a, b int64) int64 { return int64(int16(b)) >> uint(a%16) },
		"v_min_i16":     func(a, b int64) int64 { return min(int64(int16(a)), int64(int16(b))) },
	}
	for name, f := range words {
		add(name, "ww", "w", func(a, b, _ uint64) uint64 { return uint64(f(int64(a), int64(b))) & 0xffff })
	}

	carries := map[string]func(a, b int64, in int64) int64{
		"v_add_co_u32":     func(a, b, _ int64) int64 { return a + b },
		"v_addc_co_u32":    func(a, b, in int64) int64 { return a + b + in },
		"v_sub_co_u32":     func(a, b, _ int64) int64 { return a - b },
		"v_subb_co_u32":    func(a, b, in int64) int64 { return a - b - in },
		"v_subrev_co_u32":  func(a, b, _ int64) int64 { return b - a },
		"v_subbrev_co_u32": func(a, b, in int64) int64 { return b - a - in },
	}
	for name, f := range carries {
		all = append(all, reference{name, "ii", "im", func(a, b, _ uint64, in bool) (uint64, bool) {
			c := int64(0)
			if in {
				c = 1
			}
			r := f(int64(a), int64(b), c)
			return uint64(r), r < 0 || r >= 1<<32
		}})
	}
	all = append(all,
		reference{"v_cndmask_b32", "ii", "i", func(a, b, _ uint64, in bool) (uint64, bool) {
			if in {
				return b, false
			}
			return a, false
		}},
		reference{"v_mad_u64_u32", "iiI", "Im", func(a, b, c uint64, _ bool) (uint64, bool) {
			s := new(big.Int).SetUint64(a)
			s.Mul(s, new(big.Int).SetUint64(b)).Add(s, new(big.Int).SetUint64(c))
			return new(big.Int).And(s, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), s.BitLen() > 64
		}},
	)
	return append(all, comparisons()...)
}
