package alu

// WideTester compares all lanes of 64-bit operands, given by their halves.
type WideTester func(al, ah, bl, bh *Lanes) uint64

// eachWide makes a tester of a predicate on one lane.
func eachWide(f func(a, b uint64) bool) WideTester {
	return func(al, ah, bl, bh *Lanes) (m uint64) {
		for i := range al {
			m |= AsBit(f(Join(al[i], ah[i]), Join(bl[i], bh[i]))) << uint(i)
		}
		return m
	}
}

var (
	portableEqual64    = eachWide(SameS64)
	portableLessU64    = eachWide(func(a, b uint64) bool { return a < b })
	portableLessI64    = eachWide(func(a, b uint64) bool { return int64(a) < int64(b) })
	portableLessF64    = eachWide(func(a, b uint64) bool { return Double(a) < Double(b) })
	portableAtMostF64  = eachWide(func(a, b uint64) bool { return Double(a) <= Double(b) })
	portableEqualF64   = eachWide(func(a, b uint64) bool { return Double(a) == Double(b) })
	portableUnequalF64 = eachWide(func(a, b uint64) bool { return Double(a) < Double(b) || Double(a) > Double(b) })
	portableOrderedF64 = eachWide(func(a, b uint64) bool { return Double(a) == Double(a) && Double(b) == Double(b) })
)

// SameS64 is the relation of s_cmp_eq_u64.
func SameS64(a, b uint64) bool { return a == b }
