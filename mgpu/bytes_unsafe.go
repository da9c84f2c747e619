package mgpu

import "unsafe"

// addressOfBytes is where bytes lie that are not on Go's heap.
func addressOfBytes(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
