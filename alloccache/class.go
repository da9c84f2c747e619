package alloccache

import "math/bits"

// Sizes up to smallest share a class: no driver takes less for an allocation.
// Above it there are eight to each doubling.
//
//mgpu:enum block smallestBits stepBits
const (
	smallestBits = 9
	smallest     = 1 << smallestBits
	stepBits     = 3
	classes      = (63 - smallestBits) << stepBits
	largest      = 1 << 62
)

// classOf is the class that bytes, which is not 0 and at most largest, falls into,
// and the size of that class's blocks: bytes, or at most an eighth more.
func classOf(bytes uint64) (class uint32, size uint64) {
	if bytes <= smallest {
		return 0, smallest
	}
	n := uint(bits.Len64(bytes-1)) - 1 // the doubling: 2^n < bytes <= 2^(n+1)
	step := uint64(1) << (n - stepBits)
	k := (bytes - 1 - 1<<n) >> (n - stepBits) // the steps that are filled
	return uint32((n-smallestBits)<<stepBits) + uint32(k) + 1, 1<<n + (k+1)*step
}
