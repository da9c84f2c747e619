package emu

import "unsafe"

// makeLDS returns n zero bytes that start at a multiple of 8, so that 64-bit accesses at aligned offsets are aligned.
func makeLDS(n int) []byte {
	if n == 0 {
		return nil
	}
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:n]
}
