package rows

import (
	"fmt"
	"math"
	"math/big"
)

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
