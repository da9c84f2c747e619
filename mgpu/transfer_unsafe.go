package mgpu

import "unsafe"

// address returns where the record lies, for C.
func (r *staged) address() uintptr { return uintptr(unsafe.Pointer(r)) }
