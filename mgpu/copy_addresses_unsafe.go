package mgpu

import "unsafe"

// address returns the address of the struct, for C.
func (a *copyAddresses) address() uintptr { return uintptr(unsafe.Pointer(a)) }
