package region

import "unsafe"

// launchesAddress returns where launches lies, for C.
func (c *counters) launchesAddress() uintptr { return uintptr(unsafe.Pointer(&c.launches)) }

// addressOfBytes returns the address of bytes that are not on Go's heap.
func addressOfBytes(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
