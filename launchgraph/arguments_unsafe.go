package launchgraph

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// arguments is room for what drivers read of a launch: a pointer per parameter.
// Memory on Go's heap stays where it is.
type arguments struct{ pointers []uintptr }

// bind gives a node's launch with parameters that lie in values, which stay good until
// the next call.
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

// Address returns where the replay lies, zero for nil.
func (r *Replay) Address() uintptr { return uintptr(unsafe.Pointer(r)) }

// addressOf is where a slice's elements lie.
func addressOf[T any](s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }

// Read copies parameters of these sizes to their offsets in values, from where the
// program has them: params is a void **.
func Read(values []byte, params uintptr, sizes []driver.Param) {
	pointers := words(params, len(sizes))
	for i, p := range sizes {
		copy(values[p.Offset:][:p.Size], program(pointers[i], int(p.Size)))
	}
}

// words and program are memory of the program's. Compiled in line they would break
// Go 1.26's compiler.
//
//go:noinline
func words(addr uintptr, n int) []uintptr {
	return unsafe.Slice(*(**uintptr)(unsafe.Pointer(&addr)), n)
}

//go:noinline
func program(addr uintptr, n int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n)
}
