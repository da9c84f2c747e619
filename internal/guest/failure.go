package guest

// #include "guest.h"
// #cgo nocallback guest_failed
// #cgo noescape guest_failed
// #cgo nocallback guest_label
// #cgo noescape guest_label
import "C"

import "unsafe"

// Failed keeps a failure of the calling thread, unless it has one that was not taken:
// status, which is not zero, and the line that says what and why.
func Failed(status int32, line []byte) {
	C.guest_failed(C.int32_t(status), (*C.char)(unsafe.Pointer(unsafe.SliceData(line))), C.size_t(len(line)))
}

// Label begins the lines that C prints of failures with "[label] ". To be called before
// the runtime's start is over.
func Label(label string) {
	C.guest_label((*C.char)(unsafe.Pointer(unsafe.StringData(label))), C.size_t(len(label)))
}
