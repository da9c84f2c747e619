package region

import "unsafe"

// launchesAddress returns the address of launches, for C.
func (c *counters) launchesAddress() uintptr { return uintptr(unsafe.Pointer(&c.launches)) }

// addressOfBytes returns the address of bytes that are outside Go's heap.
func addressOfBytes(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
