package modulecache

import "unsafe"

// address is where a copy of an image lies, outside the Go heap.
func address(image []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(image))) }
