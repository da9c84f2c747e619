package rows

import (
	"math"
	"math/big"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Instructions on parts of registers: packed halves, dot products, mixed precision.

// semantics has what every vector instruction computes.
func semantics() map[string]semantic {
	m := map[string]semantic{}
	for _, ref := range references() {
		wide := ref.out[0] == 'I' || ref.out[0] == 'F'
		s := func(x refLane) (uint64, bool) {
			r, out := ref.f(x.a, x.b, x.c, x.in)
			if !wide {
				r &= math.MaxUint32
			}
			return r, out
		}
		m[ref.name] = s
		if strings.HasPrefix(ref.name, "v_cmp_") {
			m["v_cmpx_"+ref.name[len("v_cmp_"):]] = s
		}
	}
	unaryFloats(m)
	for _, ref := range references() { // those of references are exact where these go through float64
		if (ref.out == "f" || ref.out == "F") && !strings.HasPrefix(ref.name, "v_ldexp_") {
			m[ref.name] = func(x refLane) (uint64, bool) { return ref.f(x.a, x.b, x.c, x.in) }
		}
	}
	exactInts(m)
	bitOps(m)
	conversions(m)
	youngest(m)
	sumsOfFloats(m)
	divisions(m)
	packedHalfOps(m)
	dots(m)
	mixes(m)
	packedSingleOps(m)
	return m
}

// halfOfSource is the half of source n that the low or the high result is made of.
func halfOfSource(i *encoding.Inst, v uint64, n int, high, float bool) uint64 {
	sel, neg := i.OpSel, i.Neg
	if high {
		sel, neg = i.OpSelHi, i.NegHi
	}
	if sel>>n&1 != 0 {
		v >>= 16
	}
	v &= 0xffff
	if float && neg>>n&1 != 0 {
		v ^= 1 << 15
	}
	return v
}

func packedHalfOps(m map[string]semantic) {
	for name, one := range map[string]string{
		"v_pk_mul_lo_u16": "v_mul_lo_u16", "v_pk_add_i16": "v_add_i16", "v_pk_sub_i16": "v_sub_i16",
		"v_pk_lshlrev_b16": "v_lshlrev_b16", "v_pk_lshrrev_b16": "v_lshrrev_b16", "v_pk_ashrrev_i16": "v_ashrrev_i16",
		"v_pk_max_i16": "v_max_i16", "v_pk_min_i16": "v_min_i16", "v_pk_add_u16": "v_add_u16", "v_pk_sub_u16": "v_sub_u16",
		"v_pk_max_u16": "v_max_u16", "v_pk_min_u16": "v_min_u16", "v_pk_mad_u16": "v_mad_u16", "v_pk_mad_i16": "v_mad_i16",
		"v_pk_fma_f16": "v_fma_f16", "v_pk_add_f16": "v_add_f16", "v_pk_mul_f16": "v_mul_f16",
		"v_pk_min_f16": "v_min_f16", "v_pk_max_f16": "v_max_f16", "v_pk_minimum3_f16": "v_minimum3_f16", "v_pk_maximum3_f16": "v_maximum3_f16",
	} {
		f, float := m[one], strings.HasSuffix(name, "f16")
		m[name] = func(x refLane) (r uint64, _ bool) {
			for shift, high := range []bool{false, true} {
				half := refLane{clamp: x.clamp, a: halfOfSource(x.inst, x.a, 0, high, float), b: halfOfSource(x.inst, x.b, 1, high, float), c: halfOfSource(x.inst, x.c, 2, high, float)}
				v, _ := f(half)
				r |= v & 0xffff << (16 * shift)
			}
			return r, false
		}
	}
	fma := m["v_fma_f16"]
	m["v_pk_fmac_f16"] = func(x refLane) (uint64, bool) {
		low, _ := fma(refLane{a: x.a & 0xffff, b: x.b & 0xffff, c: x.old & 0xffff})
		high, _ := fma(refLane{a: x.a >> 16, b: x.b >> 16, c: x.old >> 16 & 0xffff})
		return low | high<<16, false
	}
}

func dots(m map[string]semantic) {
	sum := func(bits uint, signed bool) func(a, b, c uint64, clamp bool) uint64 {
		in, out := intRange{bits, signed}, intRange{32, signed}
		return func(a, b, c uint64, clamp bool) uint64 {
			s := big.NewInt(out.value(c))
			for at := uint(0); at < 32; at += bits {
				s.Add(s, big.NewInt(in.value(a>>at)*in.value(b>>at)))
			}
			return out.fit(s, clamp)
		}
	}
	for name, f := range map[string]func(a, b, c uint64, clamp bool) uint64{
		"v_dot2_i32_i16": sum(16, true), "v_dot2_u32_u16": sum(16, false), "v_dot4_i32_i8": sum(8, true),
		"v_dot4_u32_u8": sum(8, false), "v_dot8_i32_i4": sum(4, true), "v_dot8_u32_u4": sum(4, false),
	} {
		m[name] = func(x refLane) (uint64, bool) { return f(x.a, x.b, x.c, x.clamp), false }
	}
	for name, f := range map[string]func(a, b, c uint64, clamp bool) uint64{
		"v_dot2c_i32_i16": sum(16, true), "v_dot4c_i32_i8": sum(8, true), "v_dot8c_i32_i4": sum(4, true),
	} {
		m[name] = func(x refLane) (uint64, bool) { return f(x.a, x.b, x.old, x.clamp), false }
	}
	zero := func(x uint64, least float64) uint64 {
		if math.Abs(f32of(x)) < least {
			return x & (1 << 31)
		}
		return x
	}
	single := func(i *encoding.Inst, h uint64) uint64 {
		least := 0x1p-14
		if i.Chip.AtLeast(encoding.Gfx950) {
			least = 0
		}
		return zero(b32(refHalf(h&0xffff)), least)
	}
	dot2 := func(a, b, c, d, third uint64) uint64 {
		return zero(refFMA32(c, d, refFMA32(a, b, zero(third, 0x1p-126))), 0x1p-126)
	}
	m["v_dot2_f32_f16"] = func(x refLane) (uint64, bool) {
		i, c := x.inst, x.c
		if i.Neg>>2&1 != 0 {
			c ^= 1 << 31
		}
		half := func(of uint64, n int, high bool) uint64 { return single(i, halfOfSource(i, of, n, high, true)) }
		return dot2(half(x.a, 0, false), half(x.b, 1, false), half(x.a, 0, true), half(x.b, 1, true), c), false
	}
	m["v_dot2c_f32_f16"] = func(x refLane) (uint64, bool) {
		i := x.inst
		return dot2(single(i, x.a), single(i, x.b), single(i, x.a>>16), single(i, x.b>>16), x.old), false
	}
}

// mixes are fused multiplications and additions whose sources are singles or halves.
func mixes(m map[string]semantic) {
	number := func(x refLane, n int, v uint64) float64 {
		i := x.inst
		value := f32of(v)
		if i.OpSelHi>>n&1 != 0 {
			if o := &i.Src[n]; o.Kind == encoding.Const {
				v = constantOf(o, encoding.PackedFloat16, false)
			}
			value = refHalf(v >> (16 * (i.OpSel >> n & 1)) & 0xffff)
		}
		if (i.NegHi|i.Abs)>>n&1 != 0 {
			value = math.Abs(value)
		}
		if i.Neg>>n&1 != 0 {
			value = -value
		}
		return value
	}
	mix := func(f func(x, y, z float64) uint64) semantic {
		return func(x refLane) (uint64, bool) {
			return f(number(x, 0, x.a), number(x, 1, x.b), number(x, 2, x.c)), false
		}
	}
	m["v_fma_mix_f32"] = mix(func(x, y, z float64) uint64 { return refFMA32(b32(x), b32(y), b32(z)) })
	m["v_fma_mixlo_f16"] = mix(refFMA16)
	m["v_fma_mixhi_f16"] = mix(refFMA16)
	m["v_mad_mix_f32"] = mix(func(x, y, z float64) uint64 { return b32(refMad(x, y, z)) })
	m["v_mad_mixlo_f16"] = mix(func(x, y, z float64) uint64 { return refNarrow(refMad(x, y, z)) })
	m["v_mad_mixhi_f16"] = m["v_mad_mixlo_f16"]
}

func packedSingleOps(m map[string]semantic) {
	half := func(i *encoding.Inst, v uint64, n int, high bool) uint64 {
		sel, neg := i.OpSel, i.Neg
		if high {
			sel, neg = i.OpSelHi, i.NegHi
		}
		v = v >> (32 * (sel >> n & 1)) & math.MaxUint32
		return v ^ uint64(neg>>n&1)<<31
	}
	for name, f := range map[string]func(a, b, c uint64) uint64{
		"v_pk_fma_f32": refFMA32,
		"v_pk_mul_f32": func(a, b, _ uint64) uint64 { return b32(f32of(a) * f32of(b)) },
		"v_pk_add_f32": func(a, b, _ uint64) uint64 { return refFMA32(a, b32(1), b) },
	} {
		m[name] = func(x refLane) (r uint64, _ bool) {
			for shift, high := range []bool{false, true} {
				v := f(half(x.inst, x.a, 0, high), half(x.inst, x.b, 1, high), half(x.inst, x.c, 2, high))
				r |= v << (32 * shift)
			}
			return r, false
		}
	}
	m["v_pk_mov_b32"] = func(x refLane) (uint64, bool) {
		i := x.inst
		low := x.a >> (32 * (i.OpSel & 1)) & math.MaxUint32
		high := x.b >> (32 * (i.OpSel >> 1 & 1)) & math.MaxUint32
		return low | high<<32, false
	}
}
