package process

// #include "process.h"
// #cgo nocallback image_is_stable
// #cgo noescape image_is_stable
import "C"

// Host answers package mgpu's questions about the process.
type Host struct{}

// Stable reports whether [addr, addr+n) lies in one read-only, file-backed segment of a
// loaded object.
func (Host) Stable(addr, n uintptr) bool {
	return bool(C.image_is_stable(C.uintptr_t(addr), C.uintptr_t(n)))
}

// WaitFunction returns the address of a C function that waits: a driver.Blocking whose first
// argument is a number of nanoseconds.
func WaitFunction() uintptr { return uintptr(C.wait_function()) }
