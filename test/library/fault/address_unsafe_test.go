package fault

import (
	"sync/atomic"
	"unsafe"
)

// kept refers to memory whose address is in use: Go moves only stacks, and memory that a global variable has pointed to
// is not on a stack.
var kept atomic.Pointer[byte]

// address returns the address of bytes, which the caller keeps alive.
func address(b []byte) uintptr {
	kept.Store(unsafe.SliceData(b))
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))
}

// parameters returns a launch's arguments: pointers to words.
type parameters struct {
	value   [4]uint64
	pointer [4]*uint64
}

func pointers(values ...uint64) *parameters {
	p := new(parameters)
	for i, v := range values {
		p.value[i] = v
		p.pointer[i] = &p.value[i]
	}
	kept.Store((*byte)(unsafe.Pointer(p)))
	return p
}

func (p *parameters) address() uintptr { return uintptr(unsafe.Pointer(&p.pointer[0])) }
