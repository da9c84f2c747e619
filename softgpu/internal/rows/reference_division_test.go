package rows

import (
	"math"
	"math/big"
)

// divisions are the helpers of division: the manual's text, but for the conditions of
// div_scale, which were measured.
func divisions(m map[string]semantic) {
	for suffix, t := range map[string]struct {
		value          func(uint64) float64
		narrow         func(x *big.Float, z float64) uint64
		plain          func(float64) uint64
		mantissa, bias int
		by, near, tiny int
		quiet, top     uint64
	}{
		"f32": {f32of, round32, b32, 23, 127, 64, 96, 24, 1 << 22, 1 << 31},
		"f64": {f64of, round64, b64, 52, 1023, 128, 768, 53, 1 << 51, 1 << 63},
		"f16": {refHalf, refRoundHalf, refNarrow, 10, 15, 0, 0, 0, 1 << 9, 1 << 15},
	} {
		exponent := func(a uint64) int { return int(a &^ t.top >> t.mantissa) }
		fixup := func(x refLane) (uint64, bool) {
			q, d, n := x.a, x.b, x.c
			sign := (d ^ n) & t.top
			dv, nv := t.value(d), t.value(n)
			inf := t.plain(math.Inf(1))
			switch {
			case nv != nv:
				return n | t.quiet, false
			case dv != dv:
				return d | t.quiet, false
			case dv == 0 && nv == 0, math.IsInf(dv, 0) && math.IsInf(nv, 0):
				return t.plain(math.NaN()), false
			case dv == 0, math.IsInf(nv, 0), t.value(q) != t.value(q) && !math.IsInf(dv, 0) && nv != 0 && exponent(n)-exponent(d) >= -t.bias-t.mantissa:
				return sign | inf, false
			case math.IsInf(dv, 0), nv == 0, exponent(n)-exponent(d) < -t.bias-t.mantissa:
				return sign, false
			}
			return sign | q&^t.top, false
		}
		m["v_div_fixup_"+suffix] = fixup
		if suffix == "f16" {
			m["v_div_fixup_legacy_f16"] = fixup
			continue
		}
		m["v_div_scale_"+suffix] = func(x refLane) (uint64, bool) {
			d, n := x.b, x.c
			dv, nv := t.value(d), t.value(n)
			scaled := func(by int) uint64 {
				v := t.value(x.a)
				if !finite(v) || v == 0 {
					return x.a
				}
				return t.narrow(new(big.Float).SetMantExp(exact(v), by), v)
			}
			by, post := 0, false
			ofN, ofD := 0, 0
			switch e, apart := exponent(d), exponent(n)-exponent(d); {
			case apart >= t.near:
				ofD, post = t.by, true
			case e == 0:
				ofN, ofD = t.by, t.by
			case e > 2*t.bias-2 && apart <= -t.near:
				ofD, post = -t.by, true
			case e > 2*t.bias-2:
				ofN, ofD = -t.by, -t.by
			case apart <= -t.near:
				ofN, post = t.by, true
			case exponent(n) <= t.tiny:
				ofN, ofD = t.by, t.by
			}
			if by = ofN; x.a == d {
				by = ofD
			}
			if dv == 0 || nv == 0 {
				return t.plain(math.NaN()), post || dv == nv
			}
			if v := t.value(x.a); v != v && (x.a == d || x.a == n) {
				return x.a | t.quiet, post
			}
			return scaled(by), post
		}
		m["v_div_fmas_"+suffix] = func(x refLane) (uint64, bool) {
			a, b, c := t.value(x.a), t.value(x.b), t.value(x.c)
			by := 0
			if x.in {
				by = -t.by
				if exponent(x.c) > t.bias {
					by = t.by
				}
			}
			if !finite(a, b, c) || a == 0 || b == 0 {
				if finite(a, b, c) && c != 0 {
					return t.narrow(new(big.Float).SetMantExp(exact(c), by), 0), false
				}
				if finite(a, b) && !finite(c) {
					return t.plain(c), false
				}
				return t.plain(a*b + c), false
			}
			r := bigFMA(a, b, c)
			return t.narrow(new(big.Float).SetMantExp(r, by), math.Copysign(0, float64(r.Sign()))), false
		}
	}
}
