package launchgraph

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// arguments is room for what drivers read of a launch: a pointer per parameter, and
// the parameters. Memory on Go's heap stays where it is.
type arguments struct {
	pointers []uintptr
	values   []byte
}

// of gives a node's launch with its parameters, which stay good until the next call.
func (a *arguments) of(r *Recording, n *node) driver.Launch {
	l := n.launch
	if len(n.params) == 0 {
		return l
	}
	// Each parameter lies as aligned as it was in the program, or better.
	a.values, a.pointers = a.values[:0], a.pointers[:0]
	from := of(r.values, n.values)
	if need := len(from) + 16*len(n.params); cap(a.values) < need {
		a.values = make([]byte, 0, 2*need)
	}
	if cap(a.pointers) < len(n.params) {
		a.pointers = make([]uintptr, 0, 2*len(n.params))
	}
	base := uintptr(unsafe.Pointer(unsafe.SliceData(a.values[:1])))
	for _, p := range n.params {
		at := (len(a.values) + 15) &^ 15
		a.values = append(a.values[:at], from[:p.Size]...)
		from = from[p.Size:]
		a.pointers = append(a.pointers, base+uintptr(at))
	}
	l.Params = uintptr(unsafe.Pointer(unsafe.SliceData(a.pointers)))
	return l
}

// Read copies parameters of these sizes to values, from where the program has them:
// params is a void **.
func Read(values []byte, params uintptr, sizes []driver.Param) {
	pointers := words(params, len(sizes))
	for i, p := range sizes {
		copy(values[:p.Size], program(pointers[i], int(p.Size)))
		values = values[p.Size:]
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
