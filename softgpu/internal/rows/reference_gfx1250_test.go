package rows

import (
	"math"
	"math/big"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// The second implementation of what GFX12.5 has added.

// refBF16 is the value of a bfloat.
func refBF16(a uint64) float64 { return f32of(a & 0xffff << 16) }

// toBF16 finds the bfloat nearest to an exact sum by comparing with both neighbours.
func toBF16(x *big.Float) uint64 {
	abs := new(big.Float).SetPrec(6000).Abs(x)
	low, high := uint64(0), uint64(0x7f80) // the latter stands for 2^128
	value := func(n uint64) *big.Float {
		if n == 0x7f80 {
			return exact(0x1p128)
		}
		return exact(refBF16(n))
	}
	if abs.Cmp(value(high)) >= 0 {
		low = high
	}
	for low+1 < high {
		if middle := (low + high) / 2; value(middle).Cmp(abs) <= 0 {
			low = middle
		} else {
			high = middle
		}
	}
	if low < 0x7f80 {
		middle := new(big.Float).SetPrec(6000).Add(value(low), value(low+1))
		middle.Quo(middle, exact(2))
		if c := abs.Cmp(middle); c > 0 || c == 0 && low&1 != 0 {
			low++
		}
	}
	if x.Signbit() {
		low |= 1 << 15
	}
	return low
}

// bf16FMA is a fused product and sum of numbers, as a bfloat.
func bf16FMA(x, y, z float64) uint64 {
	if r := math.FMA(x, y, z); !finite(x, y, z) || r != r {
		if r != r {
			return 0x7fc0
		}
		return uint64(math.Float32bits(float32(r)) >> 16)
	}
	sum := bigFMA(x, y, z)
	if sum.Sign() == 0 {
		return uint64(math.Float32bits(float32(math.FMA(x, y, z))) >> 16 & 0x8000)
	}
	return toBF16(sum)
}

// bf16Function is a function of bfloats.
func bf16Function(f func(float64) float64) semantic {
	return func(x refLane) (uint64, bool) {
		r := f(refBF16(x.a))
		if r != r {
			return 0x7fc0, false
		}
		if math.IsInf(r, 0) || r == 0 {
			return b32(r) >> 16, false
		}
		return toBF16(exact(r)), false
	}
}

func addGFX1250(m map[string]semantic) {
	plain := func(name string, f func(a, b, c uint64) uint64) {
		m[name] = func(x refLane) (uint64, bool) { return f(x.a, x.b, x.c), false }
	}
	for name, f := range map[string]func(x float64) float64{
		"tanh": math.Tanh, "rcp": func(x float64) float64 { return 1 / x }, "sqrt": math.Sqrt,
		"rsq": func(x float64) float64 { return 1 / math.Sqrt(x) }, "exp": math.Exp2, "log": math.Log2,
		"sin": refSin, "cos": refCos,
	} {
		m["v_"+name+"_bf16"] = bf16Function(f)
	}
	plain("v_tanh_f32", func(a, _, _ uint64) uint64 { return b32(math.Tanh(f32of(a))) })
	plain("v_tanh_f16", func(a, _, _ uint64) uint64 { return refNarrow(math.Tanh(refHalf(a))) })
	both := func(name string, f func(x, y, z float64) uint64) {
		m[name] = func(x refLane) (r uint64, _ bool) {
			for n, high := range []bool{false, true} {
				number := func(v uint64, n int) float64 { return refBF16(halfOfSource(x.inst, v, n, high, true)) }
				r |= f(number(x.a, 0), number(x.b, 1), number(x.c, 2)) << (16 * n)
			}
			return r, false
		}
	}
	both("v_pk_fma_bf16", bf16FMA)
	both("v_pk_mul_bf16", func(x, y, _ float64) uint64 {
		if x*y == 0 && x != 0 && y != 0 { // too small for a double, and so for a bfloat
			return uint64(math.Float32bits(float32(x*y)) >> 16)
		}
		return bf16FMA(x, y, math.Copysign(0, x*y))
	})
	both("v_pk_add_bf16", func(x, y, _ float64) uint64 { return bf16FMA(x, 1, y) })
	for name, most := range map[string]bool{"v_pk_min_num_bf16": false, "v_pk_max_num_bf16": true} {
		f := pickOf(most, true, refBF16, 1<<6)
		m[name] = func(x refLane) (r uint64, _ bool) {
			for n, high := range []bool{false, true} {
				r |= f(halfOfSource(x.inst, x.a, 0, high, true), halfOfSource(x.inst, x.b, 1, high, true)) & 0xffff << (16 * n)
			}
			return r, false
		}
	}
	for _, name := range []string{"add_max", "add_min", "max3", "min3"} {
		pick := math.Max
		if strings.Contains(name, "min") {
			pick = math.Min
		}
		for kind, limits := range map[string][2]float64{"i16": {-1 << 15, 1<<15 - 1}, "u16": {0, 1<<16 - 1}, "i32": {-1 << 31, 1<<31 - 1}, "u32": {0, 1<<32 - 1}} {
			signed := limits[0] < 0
			f := func(x, y, z float64) uint64 {
				if strings.HasPrefix(name, "add") {
					return uint64(int64(pick(math.Min(math.Max(x+y, limits[0]), limits[1]), z)))
				}
				return uint64(int64(pick(pick(x, y), z)))
			}
			if strings.HasSuffix(kind, "32") {
				number := func(v uint64) float64 {
					if signed {
						return float64(int32(v))
					}
					return float64(uint32(v))
				}
				plain("v_"+name+"_"+kind, func(a, b, c uint64) uint64 { return f(number(a), number(b), number(c)) & math.MaxUint32 })
				continue
			}
			m["v_pk_"+name+"_"+kind] = func(x refLane) (r uint64, _ bool) {
				for n, high := range []bool{false, true} {
					number := func(v uint64, n int) float64 {
						v = halfOfSource(x.inst, v, n, high, false)
						if signed {
							return float64(int16(v))
						}
						return float64(v)
					}
					r |= f(number(x.a, 0), number(x.b, 1), number(x.c, 2)) & 0xffff << (16 * n)
				}
				return r, false
			}
		}
	}
	for name, limits := range map[string][2]int{"v_sat_pk4_i4_i8": {-8, 7}, "v_sat_pk4_u4_u8": {0, 15}} {
		plain(name, func(a, _, _ uint64) (r uint64) {
			for n := range 4 {
				x := int(a >> (8 * n) & 255)
				if limits[0] < 0 && x > 127 {
					x -= 256
				}
				r |= uint64(min(max(x, limits[0]), limits[1])) & 15 << (4 * n)
			}
			return r
		})
	}
	for name, e := range map[string]matrix.Entry{"fp8": matrix.EntryE4M3, "bf8": matrix.EntryE5M2} {
		half := func(x uint64) uint64 {
			if v := refEntry(e, x&255); v == v {
				return refToHalf(v)
			}
			return x>>7&1<<15 | 0x7e00
		}
		small := func(a uint64, random *uint32) uint64 {
			if v := refHalf(a & 0xffff); v == v {
				return refFormats[name].round(v, random)
			}
			return refNaN(name, a>>15&1 != 0)
		}
		m["v_cvt_f16_"+name] = func(x refLane) (uint64, bool) {
			sel := x.inst.OpSel
			return half(x.a >> (8 * (sel>>1&1 + 2*(sel&1)))), false
		}
		m["v_cvt_pk_f16_"+name] = func(x refLane) (uint64, bool) { return half(x.a) | half(x.a>>8)<<16, false }
		m["v_cvt_pk_"+name+"_f16"] = func(x refLane) (uint64, bool) {
			return small(x.a, nil) | small(x.a>>16, nil)<<8, false
		}
		m["v_cvt_sr_"+name+"_f16"] = func(x refLane) (uint64, bool) {
			random, at := uint32(x.b), x.inst.OpSel>>2&3*8
			return x.old&^(0xff<<at) | small(x.a, &random)<<at, false
		}
	}
	mixed := func(x refLane) (v [3]float64) {
		i := x.inst
		for n, bits := range []uint64{x.a, x.b, x.c} {
			if i.OpSelHi>>n&1 != 0 {
				if o := &i.Src[n]; o.Kind == encoding.Const {
					bits = constantOf(o, encoding.PackedBFloat16, false)
				}
				bits = bits >> (i.OpSel >> n & 1 * 16) & 0xffff << 16
			}
			v[n] = f32of(bits)
			if (i.NegHi|i.Abs)>>n&1 != 0 {
				v[n] = math.Abs(v[n])
			}
			if i.Neg>>n&1 != 0 {
				v[n] = -v[n]
			}
		}
		return v
	}
	m["v_fma_mix_f32_bf16"] = func(x refLane) (uint64, bool) {
		v := mixed(x)
		return refFMA32(b32(v[0]), b32(v[1]), b32(v[2])), false
	}
	for _, name := range []string{"v_fma_mixlo_bf16", "v_fma_mixhi_bf16"} {
		m[name] = func(x refLane) (uint64, bool) {
			v := mixed(x)
			return bf16FMA(v[0], v[1], v[2]), false
		}
	}
	for name, f := range map[string]func(a, b uint64) uint64{
		"v_add_nc_u64": func(a, b uint64) uint64 { return a + b }, "v_sub_nc_u64": func(a, b uint64) uint64 { return a - b },
		"v_mul_u64": func(a, b uint64) uint64 { return a * b },
		"v_min_u64": func(a, b uint64) uint64 { return min(a, b) }, "v_max_u64": func(a, b uint64) uint64 { return max(a, b) },
		"v_min_i64": func(a, b uint64) uint64 { return uint64(min(int64(a), int64(b))) },
		"v_max_i64": func(a, b uint64) uint64 { return uint64(max(int64(a), int64(b))) },
	} {
		plain(name, func(a, b, _ uint64) uint64 { return f(a, b) })
	}
	plain("v_mad_nc_u64_u32", func(a, b, c uint64) uint64 { return uint64(uint32(a))*uint64(uint32(b)) + c })
	plain("v_mad_nc_i64_i32", func(a, b, c uint64) uint64 { return uint64(int64(int32(a))*int64(int32(b))) + c })
	plain("v_mad_u32", func(a, b, c uint64) uint64 { return uint64(uint32(a*b + c)) })
	plain("v_fmamk_f64", refFMA64)
	plain("v_fmaak_f64", refFMA64)
}

// refGroup is v_permlane_bcast_b32 and its like: lanes are numbered within their group.
func refGroup(w, want *wave.Wave, i *encoding.Inst) {
	by, width := refRead(w, &i.Src[1], encoding.Bits32, 0, false), refRead(w, &i.Src[2], encoding.Bits32, 0, false)
	if width&(width-1) != 0 || width == 0 || width > 32 {
		width = 32
	}
	by = uint64(uint32(by))
	for lane := range uint64(32) {
		if w.Exec()>>lane&1 == 0 {
			continue
		}
		first, place, from := lane/width*width, lane%width, lane
		switch i.Row.Name {
		case "v_permlane_bcast_b32":
			from = first + by%width
		case "v_permlane_up_b32":
			if place >= by {
				from = lane - by
			}
		case "v_permlane_down_b32":
			if place+by < width {
				from = lane + by
			}
		case "v_permlane_xor_b32":
			if by < 32 && lane^by < first+width {
				from = lane ^ by
			}
		}
		want.V[i.Dst.Reg][lane] = w.V[i.Src[0].Reg][from]
	}
}

// refLookUp is v_perm_pk16_b4_u4 and its like, a bit at a time.
func refLookUp(size int) func(w, want *wave.Wave, i *encoding.Inst) {
	return func(w, want *wave.Wave, i *encoding.Inst) {
		for lane := range 32 {
			if w.Exec()>>lane&1 == 0 {
				continue
			}
			word := func(n int) uint64 {
				t := encoding.Bits32
				if i.Row.Form.Src[n].Width == 2 {
					t = encoding.Bits64
				}
				return refRead(w, &i.Src[n], t, lane, false)
			}
			table := new(big.Int).SetUint64(word(0))
			table.Lsh(table, uint(i.Row.Form.Src[1].Width)*32).Or(table, new(big.Int).SetUint64(word(1)))
			places := word(2)
			for n := range 16 {
				for b := range size {
					bit := table.Bit(int(places>>(4*n)&15)*size + b)
					at := n*size + b
					to := &want.V[int(i.Dst.Reg)+at/32][lane]
					*to = *to&^(1<<(at%32)) | uint32(bit)<<(at%32)
				}
			}
		}
	}
}

func init() {
	for _, name := range []string{"bcast", "up", "down", "xor"} {
		wholeWave["v_permlane_"+name+"_b32"] = refGroup
	}
	wholeWave["v_permlane_idx_gen_b32"] = func(w, want *wave.Wave, i *encoding.Inst) {
		width := refRead(w, &i.Src[1], encoding.Bits32, 0, false)
		if width&(width-1) != 0 || width == 0 || width > 32 {
			width = 32
		}
		for lane := range uint64(32) {
			if w.Exec()>>lane&1 != 0 {
				want.V[i.Dst.Reg][lane] = uint32(4 * (lane/width*width + uint64(w.V[i.Src[0].Reg][lane])%width))
			}
		}
	}
	for name, size := range map[string]int{"b4": 4, "b6": 6, "b8": 8} {
		wholeWave["v_perm_pk16_"+name+"_u4"] = refLookUp(size)
	}
}
