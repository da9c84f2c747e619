package mgpu

import "unsafe"

// counters returns the calling thread's copy of a function's counters. It chooses the copy by a hash of the stack's
// address, which costs nothing: each thread that calls from C has its own stack. The factor is 2^64 divided by the
// golden ratio and moves the bits in which stacks differ to the top.
func (s *stats) counters(call int) *counters {
	var local byte
	const spread = 0x9E3779B97F4A7C15
	return &s.perCall[call][uint64(uintptr(unsafe.Pointer(&local))>>13)*spread>>(64-shardBits)]
}
