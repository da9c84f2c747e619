package alloccache

import "math/bits"

// Sizes up to smallest share a class, since no driver allocates less. Above it, each doubling has eight classes.
const (
	smallestBits = 9
	smallest     = 1 << smallestBits
	stepBits     = 3
	classes      = (63 - smallestBits) << stepBits
	largest      = 1 << 62
)

// sizeClass returns the class of a size. bytes is between 1 and largest.
//
//mgpu:func size_class
func sizeClass(bytes uint64) uint32 {
	if bytes <= smallest {
		return 0
	}
	n := uint64(bits.Len64(bytes-1)) - 1              // the doubling: 2^n < bytes <= 2^(n+1)
	k := (bytes - 1 - uint64(1)<<n) >> (n - stepBits) // number of full steps within the doubling
	return uint32((n-smallestBits)<<stepBits+k) + 1
}

// classSize returns the size of a class's blocks: at most an eighth more than the requested size.
func classSize(class uint32) uint64 {
	n := smallestBits + (class-1)>>stepBits
	if class == 0 {
		return smallest
	}
	return 1<<n + uint64((class-1)&(1<<stepBits-1)+1)<<(n-stepBits)
}
