package alloccache

import "math/bits"

// Sizes up to smallest share a class: no driver takes less for an allocation.
// Above it there are eight to each doubling.
const (
	smallestBits = 9
	smallest     = 1 << smallestBits
	stepBits     = 3
	classes      = (63 - smallestBits) << stepBits
	largest      = 1 << 62
)

// sizeClass is the class that bytes, which is not 0 and at most largest, falls into.
//
//mgpu:func size_class
func sizeClass(bytes uint64) uint32 {
	if bytes <= smallest {
		return 0
	}
	n := uint64(bits.Len64(bytes-1)) - 1              // the doubling: 2^n < bytes <= 2^(n+1)
	k := (bytes - 1 - uint64(1)<<n) >> (n - stepBits) // the steps that are filled
	return uint32((n-smallestBits)<<stepBits+k) + 1
}

// classSize is the size of a class's blocks: what was asked for, or at most an eighth more.
func classSize(class uint32) uint64 {
	n := smallestBits + (class-1)>>stepBits
	if class == 0 {
		return smallest
	}
	return 1<<n + uint64((class-1)&(1<<stepBits-1)+1)<<(n-stepBits)
}
