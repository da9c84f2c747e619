package rows

import (
	"math"
	"sort"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// refFormat is a floating-point format as its specification draws it.
type refFormat struct {
	exponent, mantissa, bias int
	infinities               bool // IEEE's patterns for infinities and NaNs
	nan                      int  // the pattern that is a NaN whatever its sign; 0: none
}

var refFormats = map[string]refFormat{
	"fp8": {4, 3, 7, false, 0x7f}, "bf8": {5, 2, 15, true, 0},
	"fp6": {2, 3, 1, false, 0}, "bf6": {3, 2, 3, false, 0}, "fp4": {2, 1, 1, false, 0},
	"bf16": {8, 7, 127, true, 0}, "f16": {5, 10, 15, true, 0},
}

func (f refFormat) bits() int { return 1 + f.exponent + f.mantissa }

func (f refFormat) value(x uint64) float64 {
	sign := x >> (f.exponent + f.mantissa) & 1
	e, m := int(x>>f.mantissa)&(1<<f.exponent-1), float64(x&(1<<f.mantissa-1))
	v := math.Ldexp(m, 1-f.bias-f.mantissa)
	switch {
	case f.nan != 0 && int(x)&(1<<(f.bits()-1)-1) == f.nan:
		return math.NaN()
	case f.infinities && e == 1<<f.exponent-1 && m != 0:
		return math.NaN()
	case f.infinities && e == 1<<f.exponent-1:
		v = math.Inf(1)
	case e > 0:
		v = math.Ldexp(m+math.Ldexp(1, f.mantissa), e-f.bias-f.mantissa)
	}
	return math.Copysign(v, 1-2*float64(sign))
}

// most is the number of the largest number.
func (f refFormat) most() uint64 {
	all := uint64(1)<<(f.bits()-1) - 1
	switch {
	case f.infinities:
		return all - 1<<f.mantissa
	case f.nan != 0:
		return all - 1
	}
	return all
}

// round returns the number next to x, or by a random number the one above or below.
func (f refFormat) round(x float64, random *uint32) uint64 {
	sign := uint64(0)
	if math.Signbit(x) {
		sign = 1 << (f.bits() - 1)
	}
	beyond := f.most()
	switch {
	case f.infinities:
		beyond++
	case f.nan != 0:
		beyond = uint64(f.nan)
	}
	switch {
	case x != x && f.infinities:
		return sign | f.most() + 1 + 1<<(f.mantissa-1)
	case x != x, math.IsInf(x, 0):
		return sign | beyond
	}
	x = math.Abs(x)
	below := uint64(sort.Search(int(f.most()), func(n int) bool { return f.value(uint64(n)+1) > x }))
	step := f.value(f.most()) - f.value(f.most()-1)
	if below < f.most() {
		step = f.value(below+1) - f.value(below)
	}
	part := (x - f.value(below)) / step
	up := part > 0.5 || part == 0.5 && below%2 == 1
	if random != nil {
		up = part >= 1 || math.Floor(part*(1<<32))+float64(*random) >= 1<<32
	}
	if up {
		below++
	}
	if below > f.most() {
		below = beyond
	}
	return sign | below
}

func refPrng(x uint32) uint32 {
	if x >= 1<<31 {
		return x*2 ^ 197
	}
	return x * 2
}

// refScaled is what a conversion with a scale does, read out of its name.
func refScaled(w, want *wave.Wave, i *encoding.Inst) {
	name := strings.TrimPrefix(i.Row.Name, "v_cvt_scalef32_")
	name, chosen := strings.CutPrefix(name, "v_cvt_scale_")
	name, random := strings.CutPrefix(name, "sr_")
	f := strings.Split(name, "_")
	count := map[string]int{"pk": 2, "pk8": 8, "pk16": 16, "pk32": 32, "2xpk16": 32}[f[0]]
	if count == 0 {
		count, f = 1, append([]string{""}, f...)
	}
	to, from := f[1], f[2]
	last := 1
	if i.Src[2].Kind != encoding.NoOperand {
		last = 2
	}
	for lane := range 64 {
		if w.Exec()>>lane&1 == 0 {
			continue
		}
		scale := refRead(w, &i.Src[last], encoding.Bits32, lane, false) >> 23 & 255
		if chosen {
			scale = refScaleByte(w, i, from, lane)
		}
		power := math.Ldexp(1, int(scale)-127)
		if scale == 255 {
			power = math.NaN()
		}
		seed := uint32(refRead(w, &i.Src[last-1], encoding.Bits32, lane, false))
		var out [32]uint64
		for n := range count {
			x, negative := refNumber(w, i, from, f[0], n, lane)
			if x*power != x*power {
				out[n] = refNaN(to, negative)
				seed = refPrng(seed)
				continue
			}
			switch to {
			case "f32":
				out[n] = b32(x * power)
			case "f16":
				out[n] = refNarrow(x * power)
			case "bf16":
				out[n] = refFormats[to].round(x*power, nil)
			default:
				r := &seed
				if !random {
					r = nil
				}
				out[n] = refFormats[to].round(x/power, r)
			}
			seed = refPrng(seed)
		}
		refPlace(want, i, to, out[:count], lane)
	}
}

// refScaleByte is a lane's scale, where scale_sel chooses it, by a table of the bytes of both halves of the wave.
func refScaleByte(w *wave.Wave, i *encoding.Inst, from string, lane int) uint64 {
	choices := map[uint8]string{0: "0 01", 1: "0 02", 2: "0 23", 4: "1 01", 5: "1 02", 6: "1 23"}
	if strings.HasSuffix(from, "8") {
		choices = map[uint8]string{0: "0 00", 2: "0 11", 4: "0 22", 6: "0 33", 10: "1 11", 12: "1 22", 14: "1 33"}
	}
	c := choices[i.OpSel]
	at := lane&15 + int(c[0]-'0')*16
	return refRead(w, &i.Src[1], encoding.Bits32, at, false) >> (8 * (c[2+lane>>4] - '0')) & 255
}

// refNaN is the NaN of a format, or its largest number.
func refNaN(to string, negative bool) uint64 {
	bits := map[string][2]uint64{"f32": {0x7fc00000, 1 << 31}, "f16": {0x7e00, 1 << 15}, "bf16": {0x7fc0, 1 << 15}, "fp8": {0x7f, 0x80},
		"bf8": {0x7e, 0x80}, "fp6": {0x1f, 0x20}, "bf6": {0x1f, 0x20}, "fp4": {7, 8}}[to]
	if negative {
		return bits[0] | bits[1]
	}
	return bits[0]
}

// refNumber is number n of a lane's source, and whether its sign is set.
func refNumber(w *wave.Wave, i *encoding.Inst, from, packing string, n, lane int) (v float64, negative bool) {
	o, bits := &i.Src[0], 32
	if from != "f32" {
		bits = refFormats[from].bits()
	}
	word := func(o *encoding.Operand, at int) uint64 {
		if o.Width > 1 {
			return uint64(w.V[int(o.Reg)+at][lane])
		}
		t := encoding.Bits32
		if from == "bf16" {
			t = encoding.PackedBFloat16
		} else if from == "f16" {
			t = encoding.PackedFloat16
		}
		return refRead(w, o, t, lane, false)
	}
	at, source := n*bits, 0
	switch {
	case packing == "2xpk16":
		o, at = &i.Src[n%2], n/2*32
	case from == "f32" && o.Width == 1:
		o, at, source = &i.Src[n], 0, n
	case packing == "" && bits == 8:
		at = int(i.OpSel&3) * 8
	case packing == "" && bits == 16:
		at = int(i.OpSel&1) * 16
	case packing == "pk" && bits == 8:
		at += int(i.OpSel&1) * 16
	case packing == "pk" && bits == 4:
		at += int(i.OpSel&3) * 8
	}
	x := word(o, at/32) >> (at % 32)
	if at%32+bits > 32 {
		x |= word(o, at/32+1) << (32 - at%32)
	}
	x &= 1<<bits - 1
	if i.Row.Form.Src[source].Mods == encoding.FloatMods {
		x &^= uint64(i.Abs>>source&1) << (bits - 1)
		x ^= uint64(i.Neg>>source&1) << (bits - 1)
	}
	if from == "f32" {
		return f32of(x), x>>31 != 0
	}
	return refFormats[from].value(x), x>>(bits-1) != 0
}

// refPlace writes numbers to a lane's destination.
func refPlace(want *wave.Wave, i *encoding.Inst, to string, out []uint64, lane int) {
	bits := 32
	if to != "f32" {
		bits = refFormats[to].bits()
	}
	at := 0
	switch bits * len(out) {
	case 8:
		at = int(i.OpSel>>2) * 8
	case 16:
		at = int(i.OpSel>>3) * 16
	}
	for n, x := range out {
		for b := range bits {
			reg, bit := &want.V[int(i.Dst.Reg)+(at+n*bits+b)/32][lane], (at+n*bits+b)%32
			*reg = *reg&^(1<<bit) | uint32(x>>b&1)<<bit
		}
	}
}

// refSwap exchanges rows of lanes, one lane after the other.
func refSwap(rows int) func(w, want *wave.Wave, i *encoding.Inst) {
	return func(w, want *wave.Wave, i *encoding.Inst) {
		first, second := i.Dst.Reg, i.Src[0].Reg
		on := func(l int) bool { return w.Exec()>>l&1 != 0 }
		move := func(to, from uint16, at, source int) {
			switch {
			case !on(at):
			case on(source), i.OpSel&1 != 0:
				want.V[to][at] = w.V[from][source]
			case i.OpSel&2 != 0:
				want.V[to][at] = 0
			}
		}
		for pass := 0; pass < 64; pass += 2 * rows {
			for l := pass; l < pass+rows; l++ {
				move(second, first, l, l+rows)
				move(first, second, l+rows, l)
			}
		}
	}
}

// youngest are the instructions of gfx950 that compute lane by lane.
func youngest(m map[string]semantic) {
	plain := func(name string, f func(a, b, c uint64) uint64) {
		m[name] = func(x refLane) (uint64, bool) { return f(x.a, x.b, x.c), false }
	}
	plain("v_prng_b32", func(a, _, _ uint64) uint64 { return uint64(refPrng(uint32(a))) })
	plain("v_cvt_f32_bf16", func(a, _, _ uint64) uint64 { return a * 65536 })
	bfloat := func(a uint64) uint64 {
		if x := f32of(a); x != x {
			return a>>16 | 1<<6
		}
		return refFormats["bf16"].round(f32of(a), nil)
	}
	half := func(a uint64) uint64 {
		if x := f32of(a); x == x {
			return refToHalf(x)
		}
		return a>>31<<15 | 0x7e00 | a>>13&0x3ff
	}
	plain("v_cvt_pk_bf16_f32", func(a, b, _ uint64) uint64 { return bfloat(a) | bfloat(b)<<16 })
	plain("v_cvt_pk_f16_f32", func(a, b, _ uint64) uint64 { return half(a) | half(b)<<16 })
	for _, to := range []string{"f16", "bf16"} {
		m["v_cvt_sr_"+to+"_f32"] = func(x refLane) (uint64, bool) {
			random := uint32(x.b)
			at := x.inst.OpSel >> 3 * 16
			return x.old&^(0xffff<<at) | refFormats[to].round(f32of(x.a), &random)<<at, false
		}
	}
	for name, bits := range map[string]int{"v_bitop3_b32": 32, "v_bitop3_b16": 16} {
		m[name] = func(x refLane) (r uint64, _ bool) {
			for n := range bits {
				r |= uint64(x.inst.Extra) >> (x.a>>n&1<<2 | x.b>>n&1<<1 | x.c>>n&1) & 1 << n
			}
			return r, false
		}
	}
	shifted := func(low, high float64) func(a, b, c uint64) uint64 {
		one := func(a, c uint64) uint64 {
			return uint64(int64(math.Min(math.Max(math.Floor(float64(int32(a))/math.Ldexp(1, int(c%32))), low), high))) & 255
		}
		return func(a, b, c uint64) uint64 { return one(a, c) | one(b, c)<<8 }
	}
	for name, f := range map[string]func(a, b, c uint64) uint64{"v_ashr_pk_i8_i32": shifted(-128, 127), "v_ashr_pk_u8_i32": shifted(0, 255)} {
		m[name] = func(x refLane) (uint64, bool) {
			at := x.inst.OpSel >> 3 * 16
			return x.old&^(0xffff<<at) | f(x.a, x.b, x.c)<<at, false
		}
	}
	extreme := func(value func(uint64) float64, top, quiet uint64, greater bool) func(a, b uint64) uint64 {
		return func(a, b uint64) uint64 {
			x, y := value(a), value(b)
			switch {
			case x != x:
				return a | quiet
			case y != y:
				return b | quiet
			case x == y && (a&top != 0) == greater, x != y && (y > x) == greater: // +0 is above -0
				return b
			}
			return a
		}
	}
	for name, greater := range map[string]bool{"minimum3": false, "maximum3": true} {
		f := extreme(f32of, 1<<31, 1<<22, greater)
		plain("v_"+name+"_f32", func(a, b, c uint64) uint64 { return f(f(a, b), c) })
		h := extreme(refHalf, 1<<15, 1<<9, greater)
		plain("v_"+name+"_f16", func(a, b, c uint64) uint64 { return h(h(a, b), c) }) // of which there are pairs only
	}
	zero := func(x float64) float64 {
		if math.Abs(x) < 0x1p-126 {
			return math.Copysign(0, x)
		}
		return x
	}
	number := func(bits, flip uint64) float64 { return zero(refFormats["bf16"].value(bits&0xffff ^ flip<<15)) }
	m["v_dot2_f32_bf16"] = func(x refLane) (uint64, bool) {
		i := x.inst
		var p [2]float64
		for half, sel := range [2]uint8{i.OpSel, i.OpSelHi} {
			neg := [2]uint8{i.Neg, i.NegHi}[half]
			a := number(x.a>>(sel&1*16), uint64(neg&1))
			b := number(x.b>>(sel>>1&1*16), uint64(neg>>1&1))
			p[half] = round32of(a * b)
		}
		c := zero(f32of(x.c ^ uint64(i.Neg>>2&1)<<31))
		return b32(zero(round32of(round32of(p[0]+p[1]) + c))), false
	}
	m["v_dot2c_f32_bf16"] = func(x refLane) (uint64, bool) {
		low := round32of(number(x.a, 0) * number(x.b, 0))
		high := round32of(number(x.a>>16, 0) * number(x.b>>16, 0))
		return b32(zero(round32of(round32of(zero(f32of(x.old))+low) + high))), false
	}
}

func init() {
	wholeWave["v_permlane16_swap_b32"] = refSwap(16)
	wholeWave["v_permlane32_swap_b32"] = refSwap(32)
	for _, rows := range [][]encoding.Row{rowsVOP3(), rows1250VOP3().more} {
		for n := range rows {
			if strings.HasPrefix(rows[n].Name, "v_cvt_scalef32_") || strings.HasPrefix(rows[n].Name, "v_cvt_scale_") {
				wholeWave[rows[n].Name] = refScaled
			}
		}
	}
}
