package rows

import (
	"math"
	"math/big"
)

// refScalar is what a scalar instruction computes with.
type refScalar struct {
	a, b, c uint64
	scc     bool
	old     uint64 // the destination before
	exec    uint64
}

// sccFate is what becomes of SCC.
type sccFate uint8

const (
	flagUnchanged sccFate = iota
	flagClear
	flagSet
)

func flagOf(b bool) sccFate {
	if b {
		return flagSet
	}
	return flagClear
}

// scalarSemantic returns an instruction's result, of which the low bits count,
// and SCC.
type scalarSemantic func(x refScalar) (r uint64, scc sccFate)

// scalarSemantics has what every scalar ALU instruction computes.
func scalarSemantics() map[string]scalarSemantic {
	m := map[string]scalarSemantic{}
	keeps := func(name string, f func(a, b uint64) uint64) {
		m[name] = func(x refScalar) (uint64, sccFate) { return f(x.a, x.b), flagUnchanged }
	}
	logic := map[string]func(a, b uint64) uint64{
		"and": func(a, b uint64) uint64 { return a & b }, "or": func(a, b uint64) uint64 { return a | b }, "xor": func(a, b uint64) uint64 { return a ^ b },
		"andn2": func(a, b uint64) uint64 { return a & ^b }, "orn2": func(a, b uint64) uint64 { return a | ^b },
		"andn1": func(a, b uint64) uint64 { return ^a & b }, "orn1": func(a, b uint64) uint64 { return ^a | b },
		"nand": func(a, b uint64) uint64 { return ^(a & b) }, "nor": func(a, b uint64) uint64 { return ^(a | b) }, "xnor": func(a, b uint64) uint64 { return ^(a ^ b) },
	}
	nonzero := func(name string, bits uint, f func(a, b uint64) uint64) {
		m[name] = func(x refScalar) (uint64, sccFate) {
			r := f(x.a, x.b) << (64 - bits) >> (64 - bits)
			return r, flagOf(r != 0)
		}
	}
	for name, f := range logic {
		nonzero("s_"+name+"_b32", 32, f)
		nonzero("s_"+name+"_b64", 64, f)
		m["s_"+name+"_saveexec_b64"] = func(x refScalar) (uint64, sccFate) { return x.exec, flagOf(f(x.a, x.exec) != 0) }
		m["s_"+name+"_wrexec_b64"] = func(x refScalar) (uint64, sccFate) {
			r := f(x.a, x.exec)
			return r, flagOf(r != 0)
		}
	}
	i32 := func(a uint64) int64 { return int64(int32(a)) }
	field := func(v *big.Int, at, width uint64, bits uint) uint64 {
		v = new(big.Int).Rsh(v, uint(at))
		return new(big.Int).And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(min(width, uint64(bits)))), big.NewInt(1))).Uint64()
	}
	signedField := func(v uint64, width, bits uint64) uint64 {
		if width = min(width, bits); width > 0 && width < 64 && v>>(width-1) != 0 {
			v |= math.MaxUint64 << width
		}
		return v
	}
	for name, f := range map[string]func(a, b uint64) uint64{
		"s_lshl_b32": func(a, b uint64) uint64 { return a << (b % 32) }, "s_lshr_b32": func(a, b uint64) uint64 { return a >> (b % 32) },
		"s_ashr_i32": func(a, b uint64) uint64 { return uint64(i32(a) >> (b % 32)) },
		"s_bfe_u32":  func(a, b uint64) uint64 { return field(new(big.Int).SetUint64(a), b%32, b>>16%128, 32) },
		"s_bfe_i32": func(a, b uint64) uint64 {
			return signedField(field(big.NewInt(i32(a)), b%32, b>>16%128, 32), b>>16%128, 32)
		},
		"s_absdiff_i32": func(a, b uint64) uint64 { return uint64(max(i32(a-b), -i32(a-b))) },
		"s_not_b32":     func(a, _ uint64) uint64 { return ^a },
		"s_abs_i32":     func(a, _ uint64) uint64 { return uint64(max(i32(a), -i32(a))) },
		"s_wqm_b32":     func(a, _ uint64) uint64 { return quads(a, 32, false) }, "s_quadmask_b32": func(a, _ uint64) uint64 { return quads(a, 32, true) },
		"s_bcnt0_i32_b32": func(a, _ uint64) uint64 { return 32 - ones(a) }, "s_bcnt1_i32_b32": func(a, _ uint64) uint64 { return ones(a) },
		"s_bcnt0_i32_b64": func(a, _ uint64) uint64 { return 64 - ones(a) }, "s_bcnt1_i32_b64": func(a, _ uint64) uint64 { return ones(a) },
	} {
		nonzero(name, 32, f)
	}
	for name, f := range map[string]func(a, b uint64) uint64{
		"s_lshl_b64": func(a, b uint64) uint64 { return a << (b % 64) }, "s_lshr_b64": func(a, b uint64) uint64 { return a >> (b % 64) },
		"s_ashr_i64": func(a, b uint64) uint64 { return uint64(int64(a) >> (b % 64)) },
		"s_bfe_u64":  func(a, b uint64) uint64 { return field(new(big.Int).SetUint64(a), b%64, b>>16%128, 64) },
		"s_bfe_i64": func(a, b uint64) uint64 {
			return signedField(field(big.NewInt(int64(a)), b%64, b>>16%128, 64), b>>16%128, 64)
		},
		"s_not_b64": func(a, _ uint64) uint64 { return ^a },
		"s_wqm_b64": func(a, _ uint64) uint64 { return quads(a, 64, false) }, "s_quadmask_b64": func(a, _ uint64) uint64 { return quads(a, 64, true) },
	} {
		nonzero(name, 64, f)
	}
	carry := func(name string, f func(a, b, c int64) int64) {
		m[name] = func(x refScalar) (uint64, sccFate) {
			r := f(int64(x.a), int64(x.b), int64(bit64(x.scc)))
			return uint64(r), flagOf(r < 0 || r >= 1<<32)
		}
	}
	carry("s_add_u32", func(a, b, _ int64) int64 { return a + b })
	carry("s_addc_u32", func(a, b, c int64) int64 { return a + b + c })
	carry("s_sub_u32", func(a, b, _ int64) int64 { return a - b })
	carry("s_subb_u32", func(a, b, c int64) int64 { return a - b - c })
	for n, name := range []string{"s_lshl1_add_u32", "s_lshl2_add_u32", "s_lshl3_add_u32", "s_lshl4_add_u32"} {
		carry(name, func(a, b, _ int64) int64 { return a*[]int64{2, 4, 8, 16}[n] + b })
	}
	over := func(r int64) (uint64, sccFate) { return uint64(r), flagOf(r > math.MaxInt32 || r < math.MinInt32) }
	m["s_add_i32"] = func(x refScalar) (uint64, sccFate) { return over(i32(x.a) + i32(x.b)) }
	m["s_sub_i32"] = func(x refScalar) (uint64, sccFate) { return over(i32(x.a) - i32(x.b)) }
	m["s_addk_i32"] = func(x refScalar) (uint64, sccFate) { return over(i32(x.old) + int64(int16(x.b))) }
	m["s_min_i32"] = func(x refScalar) (uint64, sccFate) {
		return uint64(min(i32(x.a), i32(x.b))), flagOf(i32(x.a) < i32(x.b))
	}
	m["s_max_i32"] = func(x refScalar) (uint64, sccFate) {
		return uint64(max(i32(x.a), i32(x.b))), flagOf(i32(x.a) > i32(x.b))
	}
	m["s_min_u32"] = func(x refScalar) (uint64, sccFate) { return min(x.a, x.b), flagOf(x.a < x.b) }
	m["s_max_u32"] = func(x refScalar) (uint64, sccFate) { return max(x.a, x.b), flagOf(x.a > x.b) }
	choose := func(x refScalar) (uint64, sccFate) {
		if x.scc {
			return x.a, flagUnchanged
		}
		return x.b, flagUnchanged
	}
	m["s_cselect_b32"], m["s_cselect_b64"] = choose, choose
	move := func(x refScalar) (uint64, sccFate) {
		if x.scc {
			return x.a, flagUnchanged
		}
		return x.old, flagUnchanged
	}
	m["s_cmov_b32"], m["s_cmov_b64"] = move, move
	m["s_cmovk_i32"] = func(x refScalar) (uint64, sccFate) {
		return move(refScalar{a: uint64(int16(x.b)), scc: x.scc, old: x.old})
	}
	m["s_movk_i32"] = func(x refScalar) (uint64, sccFate) { return uint64(int16(x.b)), flagUnchanged }
	m["s_mulk_i32"] = func(x refScalar) (uint64, sccFate) { return uint64(i32(x.old) * int64(int16(x.b))), flagUnchanged }

	keeps("s_mov_b32", func(a, _ uint64) uint64 { return a })
	keeps("s_mov_b64", func(a, _ uint64) uint64 { return a })
	keeps("s_brev_b32", func(a, _ uint64) uint64 { return reversed(a, 32) })
	keeps("s_brev_b64", func(a, _ uint64) uint64 { return reversed(a, 64) })
	keeps("s_ff0_i32_b32", func(a, _ uint64) uint64 { return firstBit(a, 32, 0) })
	keeps("s_ff0_i32_b64", func(a, _ uint64) uint64 { return firstBit(a, 64, 0) })
	keeps("s_ff1_i32_b32", func(a, _ uint64) uint64 { return firstBit(a, 32, 1) })
	keeps("s_ff1_i32_b64", func(a, _ uint64) uint64 { return firstBit(a, 64, 1) })
	keeps("s_flbit_i32_b32", func(a, _ uint64) uint64 { return firstBit(reversed(a, 32), 32, 1) })
	keeps("s_flbit_i32_b64", func(a, _ uint64) uint64 { return firstBit(reversed(a, 64), 64, 1) })
	keeps("s_flbit_i32", func(a, _ uint64) uint64 { return firstBit(reversed(a, 32), 32, 1-a>>31) })
	keeps("s_flbit_i32_i64", func(a, _ uint64) uint64 { return firstBit(reversed(a, 64), 64, 1-a>>63) })
	keeps("s_sext_i32_i8", func(a, _ uint64) uint64 { return uint64(int8(a)) })
	keeps("s_sext_i32_i16", func(a, _ uint64) uint64 { return uint64(int16(a)) })
	for _, bits := range []uint64{32, 64} {
		name := map[uint64]string{32: "_b32", 64: "_b64"}[bits]
		m["s_bitset0"+name] = func(x refScalar) (uint64, sccFate) { return x.old &^ (1 << (x.a % bits)), flagUnchanged }
		m["s_bitset1"+name] = func(x refScalar) (uint64, sccFate) { return x.old | 1<<(x.a%bits), flagUnchanged }
		m["s_bitcmp0"+name] = func(x refScalar) (uint64, sccFate) { return 0, flagOf(x.a>>(x.b%bits)&1 == 0) }
		m["s_bitcmp1"+name] = func(x refScalar) (uint64, sccFate) { return 0, flagOf(x.a>>(x.b%bits)&1 == 1) }
	}
	keeps("s_bitreplicate_b64_b32", func(a, _ uint64) (r uint64) {
		for n := range 32 {
			r |= a >> n & 1 * 3 << (2 * n)
		}
		return r
	})
	keeps("s_bfm_b32", func(a, b uint64) uint64 { return (1<<(a%32) - 1) << (b % 32) })
	keeps("s_bfm_b64", func(a, b uint64) uint64 { return (1<<(a%64) - 1) << (b % 64) })
	keeps("s_mul_i32", func(a, b uint64) uint64 { return a * b })
	keeps("s_mul_hi_u32", func(a, b uint64) uint64 { return a * b >> 32 })
	keeps("s_mul_hi_i32", func(a, b uint64) uint64 { return uint64(i32(a) * i32(b) >> 32) })
	keeps("s_pack_ll_b32_b16", func(a, b uint64) uint64 { return a&0xffff | b&0xffff<<16 })
	keeps("s_pack_lh_b32_b16", func(a, b uint64) uint64 { return a&0xffff | b>>16<<16 })
	keeps("s_pack_hh_b32_b16", func(a, b uint64) uint64 { return a>>16 | b>>16<<16 })
	for name, f := range map[string]func(c int) bool{
		"eq": func(c int) bool { return c == 0 }, "lg": func(c int) bool { return c != 0 }, "gt": func(c int) bool { return c > 0 },
		"ge": func(c int) bool { return c >= 0 }, "lt": func(c int) bool { return c < 0 }, "le": func(c int) bool { return c <= 0 },
	} {
		signed := func(a, b int64) (uint64, sccFate) { return 0, flagOf(f(big.NewInt(a).Cmp(big.NewInt(b)))) }
		unsigned := func(a, b uint64) (uint64, sccFate) {
			return 0, flagOf(f(new(big.Int).SetUint64(a).Cmp(new(big.Int).SetUint64(b))))
		}
		m["s_cmp_"+name+"_i32"] = func(x refScalar) (uint64, sccFate) { return signed(i32(x.a), i32(x.b)) }
		m["s_cmp_"+name+"_u32"] = func(x refScalar) (uint64, sccFate) { return unsigned(x.a, x.b) }
		m["s_cmp_"+name+"_u64"] = func(x refScalar) (uint64, sccFate) { return unsigned(x.a, x.b) }
		m["s_cmpk_"+name+"_i32"] = func(x refScalar) (uint64, sccFate) { return signed(i32(x.a), int64(int16(x.b))) }
		m["s_cmpk_"+name+"_u32"] = func(x refScalar) (uint64, sccFate) { return unsigned(x.a, x.b&0xffff) }
	}
	return m
}

func ones(a uint64) (n uint64) {
	for ; a != 0; a /= 2 {
		n += a % 2
	}
	return n
}

func reversed(a uint64, bits int) (r uint64) {
	for n := range bits {
		r |= a >> n & 1 << (bits - 1 - n)
	}
	return r
}

// firstBit is the number of the lowest bit that is b, -1 if there is none.
func firstBit(a uint64, bits int, b uint64) uint64 {
	for n := range bits {
		if a>>n&1 == b {
			return uint64(n)
		}
	}
	return math.MaxUint32
}

// quads has all four bits for each four of which any is set, or one bit for each.
func quads(a uint64, bits int, narrow bool) (r uint64) {
	for n := 0; n < bits/4; n++ {
		if a>>(4*n)&15 != 0 {
			if narrow {
				r |= 1 << n
			} else {
				r |= 15 << (4 * n)
			}
		}
	}
	return r
}
