package streampool

import "unsafe"

// threadSlot returns the index of the calling thread's slot. The index is a hash of the address of a local variable,
// since each thread that calls in from C has its own stack. The factor is 2^64 divided by the golden ratio: it moves
// the bits in which stacks differ into the top bits.
func threadSlot() uint {
	var local byte
	const spread = 0x9E3779B97F4A7C15
	return uint(uint64(uintptr(unsafe.Pointer(&local))>>13) * spread >> (64 - slotBits))
}
