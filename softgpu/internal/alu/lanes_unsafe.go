package alu

import "unsafe"

// pairs returns the lanes of a register as words of two: the first of them is the low half.
func pairs(l *Lanes) *[32]uint64 { return (*[32]uint64)(unsafe.Pointer(l)) }
