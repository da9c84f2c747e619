package mgpu

import "unsafe"

// addressOfBytes returns the address of bytes that are outside Go's heap.
func addressOfBytes(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
