package fault

import (
	"sync/atomic"
	"unsafe"
)

// kept holds on to what address was asked for: Go moves stacks only, and nothing
// that a global variable has pointed to is on one.
var kept atomic.Pointer[byte]

// address is where bytes lie; the caller keeps them alive.
func address(b []byte) uintptr {
	kept.Store(unsafe.SliceData(b))
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))
}

// parameters are a launch's arguments: pointers to words.
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
