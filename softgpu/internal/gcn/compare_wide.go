package gcn

// wideTester compares all lanes of 64-bit operands, given by their halves.
type wideTester func(al, ah, bl, bh *Lanes) uint64

// comparisonWide makes a meaning of a whole-wave comparison of operands of 64 bits.
func comparisonWide(k wideTester, how variant, t kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, none, t, t)
		to, flip, exchange := maskOut(i), how.flip(), how&swapped != 0
		return func(w *Wave) {
			al, ah := v.src[0].halves(w, &w.tmp[0])
			bl, bh := v.src[1].halves(w, &w.tmp[1])
			if exchange {
				al, ah, bl, bh = bl, bh, al, ah
			}
			how.conclude(w, to, (k(al, ah, bl, bh)^flip)&v.active(w))
		}
	}
}

// eachWide makes a tester of a predicate on one lane.
func eachWide(f func(a, b uint64) bool) wideTester {
	return func(al, ah, bl, bh *Lanes) (m uint64) {
		for i := range al {
			m |= asBit(f(join(al[i], ah[i]), join(bl[i], bh[i]))) << uint(i)
		}
		return m
	}
}

var (
	portableEqual64    = eachWide(sameS64)
	portableLessU64    = eachWide(func(a, b uint64) bool { return a < b })
	portableLessI64    = eachWide(func(a, b uint64) bool { return int64(a) < int64(b) })
	portableLessF64    = eachWide(func(a, b uint64) bool { return double(a) < double(b) })
	portableAtMostF64  = eachWide(func(a, b uint64) bool { return double(a) <= double(b) })
	portableEqualF64   = eachWide(func(a, b uint64) bool { return double(a) == double(b) })
	portableUnequalF64 = eachWide(func(a, b uint64) bool { return double(a) < double(b) || double(a) > double(b) })
	portableOrderedF64 = eachWide(func(a, b uint64) bool { return double(a) == double(a) && double(b) == double(b) })
)

func sameS64(a, b uint64) bool { return a == b }
