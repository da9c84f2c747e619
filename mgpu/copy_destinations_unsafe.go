package mgpu

import "unsafe"

// address returns where the struct lies, for C.
func (d *destinations) address() uintptr { return uintptr(unsafe.Pointer(d)) }
