package guest

// #include "guest.h"
// #cgo nocallback guest_failed
// #cgo noescape guest_failed
// #cgo nocallback guest_hold_failure
// #cgo noescape guest_hold_failure
// #cgo nocallback guest_label
// #cgo noescape guest_label
import "C"

import "unsafe"

// Failed stores a failure of the calling thread, unless the thread has one that was not taken. status is not zero; line
// says what failed and why.
func Failed(status int32, line []byte) {
	C.guest_failed(C.int32_t(status), (*C.char)(unsafe.Pointer(unsafe.SliceData(line))), C.size_t(len(line)))
}

// Hold stores the lines of a failure of the calling thread if the thread holds failures, and reports whether it does:
// then they are not to be printed.
func Hold(status int32, lines []byte) bool {
	return bool(C.guest_hold_failure(C.int32_t(status), (*C.char)(unsafe.Pointer(unsafe.SliceData(lines))), C.size_t(len(lines))))
}

// Label sets the prefix "[label] " of lines that C prints about failures. Call it before the runtime's start has ended.
func Label(label string) {
	C.guest_label((*C.char)(unsafe.Pointer(unsafe.StringData(label))), C.size_t(len(label)))
}
