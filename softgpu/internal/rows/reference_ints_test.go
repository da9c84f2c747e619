package rows

import (
	"math"
	"math/big"
)

// Integer instructions: what they compute exactly, and the range that a result
// is cut to, or held in where the clamp bit is set.

type intRange struct {
	bits   uint
	signed bool
}

func (r intRange) value(x uint64) int64 {
	x &= 1<<r.bits - 1
	if r.signed && x>>(r.bits-1) != 0 {
		return int64(x) - 1<<r.bits
	}
	return int64(x)
}

func (r intRange) fit(x *big.Int, clamp bool) uint64 {
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), r.bits)
	if r.signed {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	high.Sub(high, big.NewInt(1))
	if clamp {
		switch {
		case x.Cmp(low) < 0:
			x = low
		case x.Cmp(high) > 0:
			x = high
		}
	}
	return new(big.Int).And(x, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), r.bits), big.NewInt(1))).Uint64()
}

var (
	su32, si32 = intRange{32, false}, intRange{32, true}
	su16, si16 = intRange{16, false}, intRange{16, true}
	su24, si24 = intRange{24, false}, intRange{24, true}
)

// withinRange makes a semantic of a sum, difference or product of numbers read as
// in, in, and in3, in the range of out.
func withinRange(in, in3, out intRange, f func(a, b, c *big.Int) *big.Int) semantic {
	return func(x refLane) (uint64, bool) {
		a, b, c := big.NewInt(in.value(x.a)), big.NewInt(in.value(x.b)), big.NewInt(in3.value(x.c))
		return out.fit(f(a, b, c), x.clamp), false
	}
}

func bigAdd(a, b, _ *big.Int) *big.Int    { return new(big.Int).Add(a, b) }
func bigSub(a, b, _ *big.Int) *big.Int    { return new(big.Int).Sub(a, b) }
func bigSubrev(a, b, _ *big.Int) *big.Int { return new(big.Int).Sub(b, a) }
func bigMul(a, b, _ *big.Int) *big.Int    { return new(big.Int).Mul(a, b) }
func bigMad(a, b, c *big.Int) *big.Int    { p := new(big.Int).Mul(a, b); return p.Add(p, c) }
func bigHigh(a, b, _ *big.Int) *big.Int   { p := new(big.Int).Mul(a, b); return p.Rsh(p, 32) }

func middle(a, b, c int64) int64 { return a + b + c - max(a, b, c) - min(a, b, c) }

// exactInts are the arithmetic ones.
func exactInts(m map[string]semantic) {
	for name, s := range map[string]semantic{
		"v_add_u32": withinRange(su32, su32, su32, bigAdd), "v_sub_u32": withinRange(su32, su32, su32, bigSub), "v_subrev_u32": withinRange(su32, su32, su32, bigSubrev),
		"v_add_i32": withinRange(si32, si32, si32, bigAdd), "v_sub_i32": withinRange(si32, si32, si32, bigSub),
		"v_add_u16": withinRange(su16, su16, su16, bigAdd), "v_sub_u16": withinRange(su16, su16, su16, bigSub), "v_subrev_u16": withinRange(su16, su16, su16, bigSubrev),
		"v_add_i16": withinRange(si16, si16, si16, bigAdd), "v_sub_i16": withinRange(si16, si16, si16, bigSub),
		"v_mul_i32_i24": withinRange(si24, si24, si32, bigMul), "v_mul_u32_u24": withinRange(su24, su24, su32, bigMul),
		"v_mul_hi_i32_i24": withinRange(si24, si24, si32, bigHigh), "v_mul_hi_u32_u24": withinRange(su24, su24, su32, bigHigh),
		"v_mad_i32_i24": withinRange(si24, si32, si32, bigMad), "v_mad_u32_u24": withinRange(su24, su32, su32, bigMad),
		"v_mad_u16": withinRange(su16, su16, su16, bigMad), "v_mad_i16": withinRange(si16, si16, si16, bigMad),
		"v_mad_legacy_u16": withinRange(su16, su16, su16, bigMad), "v_mad_legacy_i16": withinRange(si16, si16, si16, bigMad),
		"v_mad_u32_u16": withinRange(su16, su32, su32, bigMad), "v_mad_i32_i16": withinRange(si16, si32, si32, bigMad),
	} {
		m[name] = s
	}
	for letter, in := range map[string]intRange{"i32": si32, "u32": su32, "i16": si16, "u16": su16} {
		for name, f := range map[string]func(a, b, c int64) int64{
			"v_min3_": func(a, b, c int64) int64 { return min(a, b, c) },
			"v_max3_": func(a, b, c int64) int64 { return max(a, b, c) },
			"v_med3_": middle,
			"v_min_":  func(a, b, _ int64) int64 { return min(a, b) },
			"v_max_":  func(a, b, _ int64) int64 { return max(a, b) },
		} {
			m[name+letter] = func(x refLane) (uint64, bool) {
				return uint64(f(in.value(x.a), in.value(x.b), in.value(x.c))) & (1<<in.bits - 1), false
			}
		}
	}
	for name, f := range map[string]func(a, b, in *big.Int) *big.Int{
		"v_add_co_u32":     func(a, b, _ *big.Int) *big.Int { return bigAdd(a, b, nil) },
		"v_addc_co_u32":    func(a, b, in *big.Int) *big.Int { return new(big.Int).Add(bigAdd(a, b, nil), in) },
		"v_sub_co_u32":     func(a, b, _ *big.Int) *big.Int { return bigSub(a, b, nil) },
		"v_subb_co_u32":    func(a, b, in *big.Int) *big.Int { return new(big.Int).Sub(bigSub(a, b, nil), in) },
		"v_subrev_co_u32":  func(a, b, _ *big.Int) *big.Int { return bigSub(b, a, nil) },
		"v_subbrev_co_u32": func(a, b, in *big.Int) *big.Int { return new(big.Int).Sub(bigSub(b, a, nil), in) },
	} {
		m[name] = func(x refLane) (uint64, bool) {
			a, b := big.NewInt(int64(x.a)), big.NewInt(int64(x.b))
			r := f(a, b, big.NewInt(int64(bit64(x.in))))
			return su32.fit(r, x.clamp), r.Sign() < 0 || r.BitLen() > 32
		}
	}
	m["v_mad_i64_i32"] = func(x refLane) (uint64, bool) {
		p := big.NewInt(si32.value(x.a) * si32.value(x.b))
		p.Add(p, big.NewInt(int64(x.c)))
		bit := new(big.Int).Rsh(p, 64)
		return new(big.Int).And(p, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), bit.Bit(0) != 0
	}
}

// bitOps are the integer ones that look at bits, beside those of references.
func bitOps(m map[string]semantic) {
	plain := func(f func(a, b, c uint64) uint64) semantic {
		return func(x refLane) (uint64, bool) { return f(x.a, x.b, x.c) & math.MaxUint32, false }
	}
	for name, f := range map[string]func(a, b, c uint64) uint64{
		"v_xnor_b32":         func(a, b, _ uint64) uint64 { return ^(a ^ b) },
		"v_accvgpr_mov_b32":  func(a, _, _ uint64) uint64 { return a },
		"v_accvgpr_read_b32": func(a, _, _ uint64) uint64 { return a }, "v_accvgpr_write_b32": func(a, _, _ uint64) uint64 { return a },
		"v_ffbh_i32": func(a, _, _ uint64) uint64 {
			for n := uint64(1); n < 32; n++ {
				if a>>(31-n)&1 != a>>31&1 {
					return n
				}
			}
			return math.MaxUint32
		},
		"v_bfe_i32": func(a, b, c uint64) uint64 {
			at, width := b%32, c%32
			if width == 0 {
				return 0
			}
			v := uint64(int64(int32(a))>>at) & (1<<width - 1)
			if v>>(width-1) != 0 {
				v |= math.MaxUint32 << width
			}
			return v
		},
		"v_alignbyte_b32": func(a, b, c uint64) uint64 { return (a<<32 | b) >> (8 * (c % 4)) },
		"v_lerp_u8": func(a, b, c uint64) (r uint64) {
			for n := 0; n < 32; n += 8 {
				r |= (a>>n&255 + b>>n&255 + c>>n&1) / 2 << n
			}
			return r
		},
		"v_sad_hi_u8": func(a, b, c uint64) uint64 { return refSad(a, b, 0)*65536 + c },
		"v_sad_u16": func(a, b, c uint64) uint64 {
			return uint64(math.Abs(float64(a&0xffff)-float64(b&0xffff))+math.Abs(float64(a>>16)-float64(b>>16))) + c
		},
		"v_sad_u32": func(a, b, c uint64) uint64 { return uint64(math.Abs(float64(a)-float64(b))) + c },
		"v_msad_u8": func(a, b, c uint64) uint64 {
			for n := 0; n < 32; n += 8 {
				if b>>n&255 != 0 {
					c += uint64(math.Abs(float64(a>>n&255) - float64(b>>n&255)))
				}
			}
			return c
		},
		"v_cvt_pk_i16_i32": func(a, b, _ uint64) uint64 {
			limit := func(x uint64) uint64 { return uint64(min(max(int64(int32(x)), -32768), 32767)) & 0xffff }
			return limit(a) | limit(b)<<16
		},
		"v_sat_pk_u8_i16": func(a, _, _ uint64) uint64 {
			limit := func(x uint64) uint64 { return uint64(min(max(int64(int16(x)), 0), 255)) }
			return limit(a) | limit(a>>16)<<8
		},
		"v_pack_b32_f16": func(a, b, _ uint64) uint64 { return a | b<<16 },
		"v_bcnt_u32_b32": func(a, b, _ uint64) uint64 { return uint64(len(onesOf(a))) + b },
	} {
		m[name] = plain(f)
	}
	m["v_qsad_pk_u16_u8"] = func(x refLane) (uint64, bool) { return refFourSads(x, func(uint64) bool { return true }), false }
	m["v_mqsad_pk_u16_u8"] = func(x refLane) (uint64, bool) { return refFourSads(x, func(y uint64) bool { return y != 0 }), false }
	m["v_mov_b64"] = func(x refLane) (uint64, bool) { return x.a, false }
	m["v_lshl_add_u64"] = func(x refLane) (uint64, bool) { return x.a<<(x.b%8) + x.c, false }
	mbcnt := func(from, to int) semantic {
		return func(x refLane) (uint64, bool) {
			n := x.b
			for l := from; l < to && l < x.lane; l++ {
				n += x.a >> (l - from) & 1
			}
			return n & math.MaxUint32, false
		}
	}
	m["v_mbcnt_lo_u32_b32"], m["v_mbcnt_hi_u32_b32"] = mbcnt(0, 32), mbcnt(32, 64)
	for name := range wholeWave {
		m[name] = nil
	}
}

// refFourSads has sums of 16 bits; counts tells the bytes of b that do.
func refFourSads(in refLane, counts func(y uint64) bool) (r uint64) {
	for first := 0; first < 64; first += 16 {
		sum := in.c >> first
		for n := 0; n < 32; n += 8 {
			if x, y := in.a>>(first/2+n)&255, in.b>>n&255; counts(y) {
				sum += uint64(math.Abs(float64(x) - float64(y)))
			}
		}
		r |= sum & 0xffff << first
	}
	return r
}
