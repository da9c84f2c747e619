package softgpu

import "unsafe"

// memory is device memory as bytes. Inlined, its conversion makes Go 1.26's
// compiler stop with an internal error in some callers.
//
//go:noinline
func memory(addr uintptr, n int) []byte {
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), n)
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
