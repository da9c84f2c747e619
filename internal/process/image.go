package process

// #include "process.h"
// #cgo nocallback image_compare
// #cgo noescape image_compare
import "C"

import "unsafe"

// Host implements package mgpu's access to the process.
type Host struct{}

// Holds reports whether the memory at addr has the bytes of image, which is outside the Go heap. known is false if the
// memory can't be read.
func (Host) Holds(addr uintptr, image []byte) (same, known bool) {
	copied := C.uintptr_t(uintptr(unsafe.Pointer(unsafe.SliceData(image))))
	switch C.image_compare(C.uintptr_t(addr), copied, C.size_t(len(image))) {
	case C.image_same:
		return true, true
	case C.image_differs:
		return false, true
	}
	return false, false
}

// WaitFunction returns the address of a C function that waits: a driver.Blocking whose first argument is the number of
// nanoseconds.
func WaitFunction() uintptr { return uintptr(C.wait_function()) }
