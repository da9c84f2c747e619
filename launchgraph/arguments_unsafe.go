package launchgraph

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// arguments holds the array that drivers read for a launch: a pointer to each parameter. The pointers stay valid since
// objects on Go's heap do not move.
type arguments struct{ pointers []uintptr }

// bind returns a node's launch with pointers to its parameters in values. The pointers are
// valid until the next call.
func (a *arguments) bind(l driver.Launch, n *node, values []byte) driver.Launch {
	if len(n.params) == 0 {
		return l
	}
	a.pointers = a.pointers[:0]
	base := addressOf(values) + uintptr(n.values.from)
	for _, p := range n.params {
		a.pointers = append(a.pointers, base+uintptr(p.Offset))
	}
	l.Params = addressOf(a.pointers)
	return l
}

// addressOf returns the address of a slice's elements.
func addressOf[T any](s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }

// Read copies a launch's parameters to their offsets in values. params is the program's void **, an array of pointers
// to the parameters.
func Read(values []byte, params uintptr, sizes []driver.Param) {
	pointers := words(params, len(sizes))
	for i, p := range sizes {
		copy(values[p.Offset:][:p.Size], program(pointers[i], int(p.Size)))
	}
}

// words and program return memory of the program as slices. They are not inlined, since that crashes the compiler of Go
// 1.26.
//
//go:noinline
func words(addr uintptr, n int) []uintptr {
	return unsafe.Slice(*(**uintptr)(unsafe.Pointer(&addr)), n)
}

//go:noinline
func program(addr uintptr, n int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n)
}
