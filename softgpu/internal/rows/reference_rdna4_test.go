package rows

import (
	"math"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// The second implementation of what GFX12 has added.

// pickOf is a minimum or maximum of a format as IEEE 754-2019 has it: with number, NaNs give way to numbers, else they win.
func pickOf(isMax, number bool, value func(uint64) float64, quiet uint64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		x, y := value(a), value(b)
		switch {
		case number && math.IsNaN(x) && math.IsNaN(y):
			return a | quiet
		case number && math.IsNaN(x):
			return b
		case number && math.IsNaN(y):
			return a
		case math.IsNaN(x):
			return a | quiet
		case math.IsNaN(y):
			return b | quiet
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

// rdna4Picks are the minima and maxima of a format, by the names that they have in instructions.
func rdna4Picks(value func(uint64) float64, quiet uint64) map[string]func(a, b, c uint64) uint64 {
	least, most := pickOf(false, true, value, quiet), pickOf(true, true, value, quiet)
	smallest, largest := pickOf(false, false, value, quiet), pickOf(true, false, value, quiet)
	two := func(f func(a, b uint64) uint64) func(a, b, c uint64) uint64 {
		return func(a, b, _ uint64) uint64 { return f(a, b) }
	}
	three := func(f, g func(a, b uint64) uint64) func(a, b, c uint64) uint64 {
		return func(a, b, c uint64) uint64 { return g(f(a, b), c) }
	}
	return map[string]func(a, b, c uint64) uint64{
		"min_num": two(least), "max_num": two(most), "minimum": two(smallest), "maximum": two(largest),
		"min3_num": three(least, least), "max3_num": three(most, most), "minimum3": three(smallest, smallest), "maximum3": three(largest, largest),
		"minmax_num": three(least, most), "maxmin_num": three(most, least),
		"minimummaximum": three(smallest, largest), "maximumminimum": three(largest, smallest),
		"med3_num": func(a, b, c uint64) uint64 {
			switch {
			case math.IsNaN(value(a)) || math.IsNaN(value(b)) || math.IsNaN(value(c)):
				return least(least(a, b), c)
			case most(most(a, b), c) == a:
				return most(b, c)
			case most(most(a, b), c) == b:
				return most(a, c)
			}
			return most(a, b)
		},
	}
}

// addRDNA4 adds GFX12's vector instructions.
func addRDNA4(m map[string]semantic) {
	plain := func(name string, f func(a, b, c uint64) uint64) {
		m[name] = func(x refLane) (uint64, bool) { return f(x.a, x.b, x.c), false }
	}
	for name, f := range rdna4Picks(f32of, 1<<22) {
		plain("v_"+name+"_f32", f)
	}
	for name, f := range rdna4Picks(refHalf, 1<<9) {
		plain("v_"+name+"_f16", f)
		m["v_pk_"+name+"_f16"] = func(x refLane) (uint64, bool) {
			half := func(v uint64, n int, high bool) uint64 { return halfOfSource(x.inst, v, n, high, true) }
			pair := func(high bool) uint64 { return f(half(x.a, 0, high), half(x.b, 1, high), half(x.c, 2, high)) & 0xffff }
			return pair(false) | pair(true)<<16, false
		}
	}
	for name, f := range rdna4Picks(f64of, 1<<51) {
		plain("v_"+name+"_f64", f)
	}
	for name, e := range map[string]matrix.Entry{"fp8": matrix.EntryE4M3, "bf8": matrix.EntryE5M2} {
		value := func(x uint64) uint64 { return b32(refEntry(e, x&0xff)) }
		m["v_cvt_f32_"+name] = func(x refLane) (uint64, bool) { // a byte of any place
			sel := x.inst.OpSel
			return value(x.a >> (8 * (sel>>1&1 + 2*(sel&1)))), false
		}
		m["v_cvt_pk_"+name+"_f32"] = func(x refLane) (uint64, bool) { // to either half
			return refFormats[name].round(f32of(x.a), nil) | refFormats[name].round(f32of(x.b), nil)<<8, false
		}
		m["v_cvt_pk_f32_"+name] = func(x refLane) (uint64, bool) { return value(x.a) | value(x.a>>8)<<32, false }
		for other, of := range map[string]matrix.Entry{"fp8": matrix.EntryE4M3, "bf8": matrix.EntryE5M2} {
			m["v_dot4_f32_"+name+"_"+other] = func(x refLane) (uint64, bool) {
				var p, q []float64
				for n := range 4 {
					p, q = append(p, refEntry(e, x.a>>(8*n)&0xff)), append(q, refEntry(of, x.b>>(8*n)&0xff))
				}
				third := f32of(x.c)
				if math.Abs(third) < 0x1p-126 {
					third = math.Copysign(0, third)
				}
				if x.inst.NegHi>>2&1 != 0 {
					third = math.Abs(third)
				}
				if x.inst.Neg>>2&1 != 0 {
					third = -third
				}
				return uint64(refWMMASum(matrix.EntryF32, append(p, third), append(q, 1))), false
			}
		}
	}
}

// addScalarRDNA4 adds GFX12's scalar instructions.
func addScalarRDNA4(m map[string]scalarSemantic) {
	for name, f := range rdna4Picks(f32of, 1<<22) {
		m["s_"+name+"_f32"] = func(x refScalar) (uint64, sccFate) { return f(x.a, x.b, 0), flagUnchanged }
	}
	for name, f := range rdna4Picks(refHalf, 1<<9) {
		m["s_"+name+"_f16"] = func(x refScalar) (uint64, sccFate) { return f(x.a&0xffff, x.b&0xffff, 0) & 0xffff, flagUnchanged }
	}
	m["s_add_nc_u64"] = func(x refScalar) (uint64, sccFate) { return x.a + x.b, flagUnchanged }
	m["s_sub_nc_u64"] = func(x refScalar) (uint64, sccFate) { return x.a - x.b, flagUnchanged }
	m["s_mul_u64"] = func(x refScalar) (uint64, sccFate) { return x.a * x.b, flagUnchanged }
}

// rdna4Elsewhere tells GFX12's rows that other tests hold.
func rdna4Elsewhere(row *encoding.Row) bool {
	for _, begin := range []string{"s_barrier", "s_get_barrier_state", "s_sleep_var", "s_wait_", "v_s_", "v_permlane16_var", "v_permlanex16_var"} {
		if strings.HasPrefix(row.Name, begin) {
			return true
		}
	}
	return false
}
