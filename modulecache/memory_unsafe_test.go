package modulecache

import "unsafe"

// addressOf gives the address of bytes that the test keeps alive and in place.
func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// viewOf gives a string that changes with b, as one over a program's memory does.
func viewOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
