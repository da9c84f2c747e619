package mgpu

import "unsafe"

// address returns where the struct lies, for C.
func (a *copyAddresses) address() uintptr { return uintptr(unsafe.Pointer(a)) }
