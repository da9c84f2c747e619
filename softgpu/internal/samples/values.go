package samples

import (
	"math"
	"math/rand/v2"
)

// Specials32 holds the bits of special singles, and integers at the ends of their ranges.
var Specials32 = []uint32{0, 1 << 31, 1, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f000000,
	0x3fc00000, 0x40200000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc01234, 0x4f000000,
	0xcf000000, 0x4f800000, 0x4b000001, 0x5f000000, 0xffffffff, 2, 31, 32, 0x7fffffff, 0x33800000}

// Specials64 has doubles where Specials32 has singles.
var Specials64 = []uint64{0, 1 << 63, 1, 1<<63 | 1, 1<<52 - 1, 1 << 52, 0x3ff << 52, 0xbff << 52, 0x3fe << 52, 0x3ff8 << 48,
	0x4004 << 48, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff << 52, 0xfff << 52, 0x7ff8 << 48, 0x7ff<<52 | 1, 0x41e << 52,
	0xc1e << 52, 0x41dfffffffc00000, 0x41efffffffe00000, math.MaxUint64, 1<<63 - 1, 63, 64, 0xbc9 << 52, 0x7e1 << 52}

// Value returns a value of a letter's type: special ones, near ones, and any.
func Value(r *rand.Rand, letter byte) uint64 {
	switch letter {
	case 's':
		return uint64(uint32(int32(r.IntN(700) - 350)))
	case 'i', 'f':
		switch r.IntN(4) {
		case 0:
			return uint64(Specials32[r.IntN(len(Specials32))])
		case 1:
			return uint64(r.Uint32()&0x807fffff | (0x3f800000 + uint32(r.IntN(64)-32)<<23))
		}
		return uint64(r.Uint32())
	case 'h', 'w':
		if r.IntN(4) == 0 {
			return uint64([]uint32{0, 0x8000, 1, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7c01}[r.IntN(12)])
		}
		return uint64(r.Uint32() & 0xffff)
	}
	switch r.IntN(4) {
	case 0:
		return Specials64[r.IntN(len(Specials64))]
	case 1:
		return r.Uint64()&(1<<63|1<<52-1) | uint64(1023+r.IntN(120)-60)<<52
	}
	return r.Uint64()
}

// format is a format of numbers, by its bits.
type format struct {
	inf, quiet uint64 // infinity; the bit that makes a NaN a quiet one
	size       uint
}

func formatOf(letter byte) format {
	switch letter {
	case 'h':
		return format{0x7c00, 1 << 9, 16}
	case 'F':
		return format{0x7ff << 52, 1 << 51, 64}
	}
	return format{0xff << 23, 1 << 22, 32}
}

// IsNaN reports whether the low bits of x are a NaN of the type of floats that letter names.
func IsNaN(letter byte, x uint64) bool {
	if letter != 'h' && letter != 'f' && letter != 'F' {
		return false
	}
	f := formatOf(letter)
	return x&(1<<(f.size-1)-1) > f.inf
}

// Strange returns a number of a letter's type that is a NaN, an infinity, a zero or a denormal more
// often than not.
func Strange(r *rand.Rand, letter byte) uint64 {
	f := formatOf(letter)
	sign := r.Uint64() & (1 << (f.size - 1))
	switch r.IntN(8) {
	case 0, 1:
		return sign | f.inf | f.quiet | r.Uint64()&(f.quiet-1)
	case 2:
		return sign | f.inf | 1 + r.Uint64()&(f.quiet-1)>>1
	case 3:
		return sign | f.inf
	case 4:
		return sign
	case 5:
		return sign | r.Uint64()&(f.quiet-1)
	}
	return r.Uint64() << (64 - f.size) >> (64 - f.size)
}

// Lanes returns a Value for each lane: the low and the high words.
func Lanes[L ~[64]uint32](r *rand.Rand, letter byte) (lo, hi L) {
	for l := range 64 {
		x := Value(r, letter)
		lo[l], hi[l] = uint32(x), uint32(x>>32)
	}
	return lo, hi
}

// StrangeLanes returns a Strange number for each lane, of halves two.
func StrangeLanes[L ~[64]uint32](r *rand.Rand, letter byte) (lo, hi *L) {
	lo, hi = new(L), new(L)
	for l := range 64 {
		x := Strange(r, letter)
		if letter == 'h' {
			x |= Strange(r, letter) << 16
		}
		(*lo)[l], (*hi)[l] = uint32(x), uint32(x>>32)
	}
	return lo, hi
}
