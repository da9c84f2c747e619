package gcn

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The second implementation: one lane at a time, slow and obvious. Numbers go
// through math/big, which rounds once.

// exact is the value of a finite number.
func exact(x float64) *big.Float { return new(big.Float).SetPrec(6000).SetFloat64(x) }

func bigFMA(a, b, c float64) *big.Float {
	p := new(big.Float).SetPrec(6000).Mul(exact(a), exact(b))
	return p.Add(p, exact(c))
}

func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// round32 and round64 round an exact result; a zero takes its sign from z.
func round32(x *big.Float, z float64) uint64 {
	r, _ := x.Float32()
	if x.Sign() == 0 {
		r = float32(z)
	}
	return uint64(math.Float32bits(r))
}

func round64(x *big.Float, z float64) uint64 {
	r, _ := x.Float64()
	if x.Sign() == 0 {
		r = z
	}
	return math.Float64bits(r)
}

func refFMA32(a, b, c uint64) uint64 {
	x, y, z := f32of(a), f32of(b), f32of(c)
	if finite(x, y) && !finite(z) {
		return b32(z)
	}
	if !finite(x, y, z) || x == 0 || y == 0 {
		return uint64(math.Float32bits(float32(float32(x*y) + float32(z))))
	}
	return round32(bigFMA(x, y, z), 0)
}

func refFMA64(a, b, c uint64) uint64 {
	x, y, z := math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)
	if finite(x, y) && !finite(z) {
		return b64(z)
	}
	if !finite(x, y, z) || x == 0 || y == 0 {
		return math.Float64bits(float64(x*y) + z)
	}
	return round64(bigFMA(x, y, z), 0)
}

func f32of(a uint64) float64 { return float64(math.Float32frombits(uint32(a))) }
func f64of(a uint64) float64 { return math.Float64frombits(a) }
func b32(x float64) uint64   { return uint64(math.Float32bits(float32(x))) }
func b64(x float64) uint64   { return math.Float64bits(x) }

// refHalf reads a half by its definition.
func refHalf(h uint64) float64 {
	sign := 1.0
	if h>>15&1 != 0 {
		sign = -1
	}
	e, m := int(h>>10&31), float64(h&1023)
	switch {
	case e == 31 && m != 0:
		return math.NaN()
	case e == 31:
		return sign * math.Inf(1)
	case e == 0:
		return sign * m * math.Pow(2, -24)
	}
	return sign * (1024 + m) * math.Pow(2, float64(e-25))
}

// refToHalf finds the nearest half among all.
func refToHalf(x float64) uint64 {
	sign := uint64(0)
	if math.Signbit(x) {
		sign = 1 << 15
	}
	x = math.Abs(x)
	if x >= 65520 {
		return sign | 0x7c00
	}
	low, high := uint64(0), uint64(0x7c00)
	for low+1 < high {
		if mid := (low + high) / 2; refHalf(mid) <= x {
			low = mid
		} else {
			high = mid
		}
	}
	above := refHalf(low + 1)
	if low == 0x7bff {
		above = 65536
	}
	down, up := x-refHalf(low), above-x
	if up < down || up == down && low&1 != 0 {
		low++
	}
	return sign | low
}

// refMinMax follows the manual's text for min and max in IEEE mode, for a format by its quiet bit.
func refMinMax(isMax bool, value func(uint64) float64, top, quiet uint64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		x, y := value(a), value(b)
		switch {
		case x != x && a&quiet == 0:
			return a | quiet
		case y != y && b&quiet == 0:
			return b | quiet
		case x != x:
			return b
		case y != y:
			return a
		case x == 0 && y == 0 && isMax:
			return a & b
		case x == 0 && y == 0:
			return a | b
		case (x > y) == isMax:
			return a
		}
		return b
	}
}

func refClass(value func(uint64) float64, quiet uint64, least float64) func(a, b uint64) bool {
	return func(a, b uint64) bool {
		x := value(a)
		neg := math.Signbit(x)
		n := 0
		switch {
		case x != x && a&quiet == 0:
			n = 0
		case x != x:
			n = 1
		case math.IsInf(x, 0):
			n = 9
		case math.Abs(x) >= least:
			n = 8
		case x != 0:
			n = 7
		default:
			n = 6
		}
		if n >= 6 && neg {
			n = 11 - n
		}
		return b>>n&1 != 0
	}
}

func refSaturate(x, low, high float64) float64 {
	if x != x {
		return 0
	}
	return math.Trunc(math.Min(math.Max(x, low), high))
}

func mask24(a uint64) uint64 { return a & 0xffffff }

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
	add("v_min_f32", "ff", "f", func(a, b, _ uint64) uint64 { return refMinMax(false, f32of, 1<<31, 1<<22)(a, b) })
	add("v_max_f32", "ff", "f", func(a, b, _ uint64) uint64 { return refMinMax(true, f32of, 1<<31, 1<<22)(a, b) })
	add("v_min_f64", "FF", "F", func(a, b, _ uint64) uint64 { return refMinMax(false, f64of, 1<<63, 1<<51)(a, b) })
	add("v_max_f64", "FF", "F", func(a, b, _ uint64) uint64 { return refMinMax(true, f64of, 1<<63, 1<<51)(a, b) })
	add("v_min_f16", "hh", "h", func(a, b, _ uint64) uint64 { return refMinMax(false, refHalf, 1<<15, 1<<9)(a, b) })
	add("v_max_f16", "hh", "h", func(a, b, _ uint64) uint64 { return refMinMax(true, refHalf, 1<<15, 1<<9)(a, b) })
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

// sourcesOf gives integer instructions the right number of sources.
func sourcesOf(name, in string) string {
	for n := range rowsVOP3 {
		if rowsVOP3[n].Name == name {
			count := 0
			for _, s := range rowsVOP3[n].Form.Src {
				if s.Class != NoSlot {
					count++
				}
			}
			return "iii"[:count]
		}
	}
	for n := range rowsVOP1 {
		if rowsVOP1[n].Name == name {
			return "i"
		}
	}
	return in
}

func onesOf(a uint64) (at []int) {
	for n := 0; n < 32; n++ {
		if a>>n&1 != 0 {
			at = append(at, n)
		}
	}
	return at
}

func firstOf(a uint64, place func(n int) int) uint64 {
	for n := 0; n < 32; n++ {
		if a>>place(n)&1 != 0 {
			return uint64(n)
		}
	}
	return math.MaxUint32
}

func refPerm(a, b, c uint64) (r uint64) {
	bytes := make([]uint64, 8)
	for n := 0; n < 4; n++ {
		bytes[n], bytes[n+4] = b>>(8*n)&255, a>>(8*n)&255
	}
	for n := 0; n < 4; n++ {
		sel := c >> (8 * n) & 255
		v := uint64(255)
		switch {
		case sel <= 7:
			v = bytes[sel]
		case sel == 12:
			v = 0
		case sel <= 11 && bytes[2*(sel-8)+1] < 128:
			v = 0
		}
		r |= v << (8 * n)
	}
	return r
}

func refSad(a, b, c uint64) uint64 {
	for n := 0; n < 32; n += 8 {
		c += uint64(math.Abs(float64(a>>n&255) - float64(b>>n&255)))
	}
	return c
}

// refTrigPreop takes its bits from 2/pi computed by Machin's formula.
func refTrigPreop(a, b, _ uint64) uint64 {
	shift := int(b&31) * 53
	e := int(a >> 52 & 0x7ff)
	if e > 1077 {
		shift += e - 1077
	}
	if shift > 1201 {
		return 0
	}
	m := new(big.Int).Rsh(twoOverPiBits(), uint(1280-1201)) // 1201 bits
	m.Lsh(m, uint(shift))
	m.And(m, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 1201), big.NewInt(1)))
	m.Rsh(m, 1201-53)
	scale := -53 - shift
	if e >= 1968 {
		scale += 128
	}
	return round64(new(big.Float).SetMantExp(new(big.Float).SetInt(m), scale), 0)
}

var twoOverPiCache *big.Int

func twoOverPiBits() *big.Int {
	if twoOverPiCache != nil {
		return twoOverPiCache
	}
	one := new(big.Int).Lsh(big.NewInt(1), 1400)
	arctan := func(x int64) *big.Int {
		sum, term := new(big.Int), new(big.Int).Quo(one, big.NewInt(x))
		for n := int64(1); term.Sign() != 0; n += 2 {
			part := new(big.Int).Quo(term, big.NewInt(n))
			if n%4 == 3 {
				part.Neg(part)
			}
			sum.Add(sum, part)
			term.Quo(term, big.NewInt(x*x))
		}
		return sum
	}
	pi := new(big.Int).Mul(big.NewInt(4), arctan(5))
	pi.Sub(pi, arctan(239)).Mul(pi, big.NewInt(4))
	two := new(big.Int).Lsh(big.NewInt(2), 1400+1280)
	twoOverPiCache = two.Quo(two, pi)
	return twoOverPiCache
}

func comparisons() []reference {
	type relation struct{ lt, eq, gt, un bool }
	floats := map[string]relation{
		"f": {}, "lt": {lt: true}, "eq": {eq: true}, "le": {lt: true, eq: true}, "gt": {gt: true}, "lg": {lt: true, gt: true},
		"ge": {gt: true, eq: true}, "o": {lt: true, eq: true, gt: true}, "u": {un: true}, "nge": {lt: true, un: true},
		"nlg": {eq: true, un: true}, "ngt": {lt: true, eq: true, un: true}, "nle": {gt: true, un: true},
		"neq": {lt: true, gt: true, un: true}, "nlt": {gt: true, eq: true, un: true}, "tru": {true, true, true, true},
	}
	ints := map[string]relation{
		"f": {}, "lt": {lt: true}, "eq": {eq: true}, "le": {lt: true, eq: true}, "gt": {gt: true},
		"ne": {lt: true, gt: true}, "ge": {gt: true, eq: true}, "t": {lt: true, eq: true, gt: true},
	}
	pick := func(r relation, lt, eq, gt bool) bool {
		switch {
		case lt:
			return r.lt
		case eq:
			return r.eq
		case gt:
			return r.gt
		}
		return r.un
	}
	var all []reference
	for _, t := range []struct {
		name, in string
		value    func(uint64) float64
	}{{"f16", "hh", refHalf}, {"f32", "ff", f32of}, {"f64", "FF", f64of}} {
		for n, r := range floats {
			all = append(all, reference{fmt.Sprintf("v_cmp_%s_%s", n, t.name), t.in, "m", testRef(func(a, b uint64) bool {
				x, y := t.value(a), t.value(b)
				return pick(r, x < y, x == y, x > y)
			})})
		}
	}
	for _, t := range []struct {
		name, in string
		value    func(uint64) *big.Int
	}{
		{"u16", "ww", func(a uint64) *big.Int { return big.NewInt(int64(uint16(a))) }},
		{"i16", "ww", func(a uint64) *big.Int { return big.NewInt(int64(int16(a))) }},
		{"u32", "ii", func(a uint64) *big.Int { return big.NewInt(int64(a)) }},
		{"i32", "ii", func(a uint64) *big.Int { return big.NewInt(int64(int32(a))) }},
		{"u64", "II", func(a uint64) *big.Int { return new(big.Int).SetUint64(a) }},
		{"i64", "II", func(a uint64) *big.Int { return big.NewInt(int64(a)) }},
	} {
		for n, r := range ints {
			all = append(all, reference{fmt.Sprintf("v_cmp_%s_%s", n, t.name), t.in, "m", testRef(func(a, b uint64) bool {
				c := t.value(a).Cmp(t.value(b))
				return pick(r, c < 0, c == 0, c > 0)
			})})
		}
	}
	return append(all,
		reference{"v_cmp_class_f16", "hw", "m", testRef(refClass(refHalf, 1<<9, math.Pow(2, -14)))},
		reference{"v_cmp_class_f32", "fi", "m", testRef(refClass(f32of, 1<<22, math.Pow(2, -126)))},
		reference{"v_cmp_class_f64", "Fi", "m", testRef(refClass(f64of, 1<<51, math.Pow(2, -1022)))},
	)
}

var specials32 = []uint32{0, 1 << 31, 1, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f000000,
	0x3fc00000, 0x40200000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc01234, 0x4f000000,
	0xcf000000, 0x4f800000, 0x4b000001, 0x5f000000, 0xffffffff, 2, 31, 32, 0x7fffffff, 0x33800000}

var specials64 = []uint64{0, 1 << 63, 1, 1<<63 | 1, 1<<52 - 1, 1 << 52, 0x3ff << 52, 0xbff << 52, 0x3fe << 52, 0x3ff8 << 48,
	0x4004 << 48, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff << 52, 0xfff << 52, 0x7ff8 << 48, 0x7ff<<52 | 1, 0x41e << 52,
	0xc1e << 52, 0x41dfffffffc00000, 0x41efffffffe00000, math.MaxUint64, 1<<63 - 1, 63, 64, 0xbc9 << 52, 0x7e1 << 52}

// randomValue makes a value of a letter's type: special ones, near ones, and any.
func randomValue(r *rand.Rand, letter byte) uint64 {
	switch letter {
	case 's':
		return uint64(uint32(int32(r.IntN(700) - 350)))
	case 'i', 'f':
		switch r.IntN(4) {
		case 0:
			return uint64(specials32[r.IntN(len(specials32))])
		case 1:
			return uint64(r.Uint32()&0x807fffff | (0x3f800000 + uint32(r.IntN(64)-32)<<23))
		}
		return uint64(r.Uint32())
	case 'h', 'w':
		if r.IntN(4) == 0 {
			return uint64([]uint32{0, 0x8000, 1, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7c01}[r.IntN(12)])
		}
		return uint64(r.Uint32() & 0xffff)
	}
	switch r.IntN(4) {
	case 0:
		return specials64[r.IntN(len(specials64))]
	case 1:
		return r.Uint64()&(1<<63|1<<52-1) | uint64(1023+r.IntN(120)-60)<<52
	}
	return r.Uint64()
}

func wideLetter(c byte) bool { return c == 'I' || c == 'F' }

// isNaNOf tells NaNs by a result's letter.
func isNaNOf(letter byte, x uint64) bool {
	switch letter {
	case 'f':
		return isNaN32(uint32(x))
	case 'F':
		return isNaN64(x)
	case 'h':
		return isNaN16(x)
	}
	return false
}

func TestVectorInstructionsAgreeWithReference(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	tested := map[string]bool{}
	for _, ref := range references() {
		tested[ref.name] = true
		rounds := 160
		if testing.Short() {
			rounds = 20
		}
		forms := [][]uint32{refWords(t, ref, long)}
		if _, enc := rowNamed(t, ref.name); enc != VOP3 {
			forms = append(forms, refWords(t, ref, short))
		}
		for n, words := range forms {
			step := bind(t, words)
			for round := 0; round < rounds/len(forms); round++ {
				if !checkReference(t, r, ref, step, round) {
					t.Errorf("%s, form %d", ref.name, n)
					break
				}
			}
		}
	}
}

// Registers of the reference test: sources at 4, 8 and 12, the destination at 20.
func refWords(t *testing.T, ref reference, encode func(testing.TB, string, uint32, ...uint32) []uint32) []uint32 {
	src := []uint32{}
	for n := range ref.in {
		src = append(src, v(4+4*n))
	}
	row, enc := rowNamed(t, ref.name)
	if row.Form.Src[2].Class == CarryIn {
		src = append(src[:2], VccLo)
	}
	dst := v(20)
	if enc == VOPC {
		dst = VccLo
	}
	return encode(t, ref.name, dst, src...)
}

func checkReference(t *testing.T, r *rand.Rand, ref reference, step Step, round int) bool {
	t.Helper()
	w := randomWave(r)
	var in [3][64]uint64
	for n := range ref.in {
		for l := range in[n] {
			x := randomValue(r, ref.in[n])
			in[n][l] = x
			w.V[4+4*n][l] = uint32(x)
			if wideLetter(ref.in[n]) {
				w.V[5+4*n][l] = uint32(x >> 32)
			}
		}
	}
	exec := [4]uint64{full, r.Uint64(), 0xaaaaaaaaaaaaaaaa, 0}[[8]int{0, 0, 1, 0, 2, 1, 0, 3}[round%8]]
	vcc := r.Uint64()
	w.SetExec(exec)
	w.setS64(VccLo, vcc)
	before := append([]Lanes(nil), w.V...)
	step(w)
	var flags uint64
	for l := 0; l < 64; l++ {
		if exec>>l&1 == 0 {
			require.Equal(t, before[20][l], w.V[20][l], "%s writes inactive lane %d", ref.name, l)
			continue
		}
		want, out := ref.f(in[0][l], in[1][l], in[2][l], vcc>>l&1 != 0)
		if out {
			flags |= 1 << l
		}
		got := uint64(w.V[20][l])
		switch ref.out[0] {
		case 'm':
			continue
		case 'I', 'F':
			got |= uint64(w.V[21][l]) << 32
		default:
			want &= math.MaxUint32
		}
		if got != want && !(isNaNOf(ref.out[0], got) && isNaNOf(ref.out[0], want)) {
			t.Errorf("%s(%#x, %#x, %#x) = %#x, want %#x", ref.name, in[0][l], in[1][l], in[2][l], got, want)
			return false
		}
	}
	if ref.out[len(ref.out)-1] == 'm' && w.Vcc() != flags {
		l := bits.TrailingZeros64(w.Vcc() ^ flags)
		t.Errorf("%s(%#x, %#x, %#x): mask bit %d is wrong", ref.name, in[0][l], in[1][l], in[2][l], l)
		return false
	}
	if ref.out == "m" {
		require.Equal(t, before, w.V, ref.name)
	}
	return true
}
