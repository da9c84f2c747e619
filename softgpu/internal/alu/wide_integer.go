package alu

// Integers of 64 bits, as GFX12.5 has them.

// EachWide makes a kernel of a function of two integers of 64 bits.
func EachWide(f func(a, b uint64) uint64) WideKernel2 {
	return func(dl, dh, al, ah, bl, bh *Lanes) {
		for l := range dl {
			x := f(Join(al[l], ah[l]), Join(bl[l], bh[l]))
			dl[l], dh[l] = uint32(x), uint32(x>>32)
		}
	}
}

// AddU64, SubU64 and MulU64 wrap around.
func AddU64(dl, dh, al, ah, bl, bh *Lanes) {
	for l := range dl {
		x := Join(al[l], ah[l]) + Join(bl[l], bh[l])
		dl[l], dh[l] = uint32(x), uint32(x>>32)
	}
}

func SubU64(dl, dh, al, ah, bl, bh *Lanes) {
	for l := range dl {
		x := Join(al[l], ah[l]) - Join(bl[l], bh[l])
		dl[l], dh[l] = uint32(x), uint32(x>>32)
	}
}

func MulU64(dl, dh, al, ah, bl, bh *Lanes) {
	for l := range dl {
		x := Join(al[l], ah[l]) * Join(bl[l], bh[l])
		dl[l], dh[l] = uint32(x), uint32(x>>32)
	}
}

// Minima and maxima of integers of 64 bits.
var (
	MinU64 = EachWide(func(a, b uint64) uint64 { return min(a, b) })
	MaxU64 = EachWide(func(a, b uint64) uint64 { return max(a, b) })
	MinI64 = EachWide(func(a, b uint64) uint64 { return uint64(min(int64(a), int64(b))) })
	MaxI64 = EachWide(func(a, b uint64) uint64 { return uint64(max(int64(a), int64(b))) })
)

// MadU32 is the low word of a product, plus a number.
func MadU32(d, a, b, c *Lanes) {
	for l := range d {
		d[l] = a[l]*b[l] + c[l]
	}
}
