package mgpu

import "unsafe"

// counters returns the calling thread's copy of a function's counters. A thread
// that calls in from C has a stack of its own, so the address of a local tells
// threads apart well enough, and costs nothing. The factor is 2^64 divided by
// the golden ratio: it carries what differs between stacks into the top bits.
func (s *stats) counters(call int) *counters {
	var local byte
	const spread = 0x9E3779B97F4A7C15
	return &s.perCall[call][uint64(uintptr(unsafe.Pointer(&local))>>13)*spread>>(64-shardBits)]
}
