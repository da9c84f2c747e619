package mgpu

import "unsafe"

// launchesAddress returns where launches lies, for C.
func (c *regionCounters) launchesAddress() uintptr { return uintptr(unsafe.Pointer(&c.launches)) }
