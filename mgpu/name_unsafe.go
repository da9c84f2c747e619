package mgpu

import (
	"strings"
	"unsafe"
)

const (
	firstAddress = 1 << 16 // nothing is mapped below: such a pointer is a small integer
	longestName  = 1 << 16
)

// cString is the C string at addr, valid as long as the program's memory is; ok
// is false where addr can't be one.
func cString(addr uintptr) (s string, ok bool) {
	if addr < firstAddress {
		return "", false
	}
	p := *(**byte)(unsafe.Pointer(&addr))
	for n := 0; n < longestName; n++ {
		if *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) == 0 {
			return unsafe.String(p, n), true
		}
	}
	return "", false
}

// nameKernel remembers a function's name for messages.
func (r *Runtime) nameKernel(function uintptr, name string) {
	if known, ok := r.names.Load(function); !ok || known.(string) != name {
		r.names.Store(function, strings.Clone(name))
	}
}
