package alu

import "sync"

//go:noescape
func fusedCodes(codes *[3]uintptr)

// fusion is an op that does what two ops in a row do.
type fusion struct {
	code uintptr
	fits func(a, b *Op, nowhere uintptr) (both Op, ok bool)
}

// fusions are by the codes of the two ops.
var fusions = sync.OnceValue(func() map[[2]uintptr]fusion {
	if !HasAVX2 {
		return nil
	}
	var codes [3]uintptr
	fusedCodes(&codes)
	near := func(op int) uintptr { return nearOps()[Code(op)].near }
	spread := func(op int) uintptr { return spreadOps()[Code(op)] }
	return map[[2]uintptr]fusion{
		{near(opAddCoU32), near(opAddcCoU32)}:     {codes[0], sumOf64},
		{spread(opAddCoU32), spread(opAddcCoU32)}: {codes[1], sumOf64},
		{near(opFmaF32), near(opFmaF32)}:          {codes[2], chained},
	}
})

// Fused returns the op that does what a and then b do. ok is false if there is none. nowhere is the place in the wave of
// a scalar that is never read.
func Fused(a, b Op, nowhere uintptr) (both Op, ok bool) {
	f, ok := fusions()[[2]uintptr{a.Code, b.Code}]
	if !ok {
		return b, false
	}
	if both, ok = f.fits(&a, &b, nowhere); ok {
		both.Code = f.code
	}
	return both, ok
}

// sumOf64 is for sums of low words and of high words, which lie in the registers after them, as compilers add offsets
// to addresses. What the sum of the high words carries must go nowhere.
func sumOf64(a, b *Op, nowhere uintptr) (Op, bool) {
	const sum, first, second, in, out = 0, 1, 2, 3, 4
	step := uintptr(Extent64)
	if a.File[first] == Rest {
		step = 4
	}
	follow := b.At[sum] == a.At[sum]+Extent64 && b.At[first] == a.At[first]+step && b.At[second] == a.At[second]+Extent64
	carry := b.File[in] == Rest && b.At[in] == a.At[out] && b.File[out] == Rest && b.At[out] == nowhere
	apart := a.File[first] == Vectors || a.File[first] == Rest && b.At[first]-a.At[out] >= 8 // the carry is not a summand
	return *a, a.File[first] == b.File[first] && follow && carry && apart
}

// chained is for products that are added to one register.
func chained(a, b *Op, _ uintptr) (both Op, ok bool) {
	const sum, first, second, third = 0, 1, 2, 3
	both = *a
	both.File[4], both.At[4] = Vectors, b.At[first]
	both.File[5], both.At[5] = Vectors, b.At[second]
	return both, b.At[sum] == a.At[sum] && b.At[third] == a.At[sum] && b.At[first] != a.At[sum] && b.At[second] != a.At[sum]
}
