package mgpu

import "unsafe"

// cell returns the calling thread's copy of a function's counters. A thread
// that calls in from C has a stack of its own, so the address of a local tells
// threads apart well enough, and costs nothing.
func (s *stats) cell(row int) *cell {
	var local byte
	return &s.cells[row][uintptr(unsafe.Pointer(&local))>>18%shards]
}
