package gcn

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Ops have addresses: of memory that the part keeps and that does not move, and inside of a Wave.

const placeOfSCC = unsafe.Offsetof(Wave{}.SCC)

func placeOfS(reg int) uintptr { return unsafe.Offsetof(Wave{}.S) + uintptr(reg)*4 }

func placeOfTemp(n int) uintptr {
	return unsafe.Offsetof(Wave{}.tmp) + uintptr(n)*unsafe.Sizeof(alu.Pair{})
}

func hostAddress[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// sameStep tells whether two steps are one function with the same variables.
func sameStep(a, b Step) bool {
	return *(*unsafe.Pointer)(unsafe.Pointer(&a)) == *(*unsafe.Pointer)(unsafe.Pointer(&b))
}

const (
	placeOfLDS    = unsafe.Offsetof(Wave{}.LDS)
	placeOfReads  = unsafe.Offsetof(Wave{}.reads)
	placeOfWrites = unsafe.Offsetof(Wave{}.writes)
)

// runOps carries out ops, which end with one that says so. It returns the number of one that
// declined, or -1.
func (w *Wave) runOps(ops []alu.Op) (declined int) {
	files := alu.Files{
		alu.Vectors: uintptr(unsafe.Pointer(unsafe.SliceData(w.V))),
		alu.Rest:    uintptr(unsafe.Pointer(w)),
	}
	if declined = alu.RunOps(&ops[0], &files); declined > 0 {
		declined /= int(unsafe.Sizeof(alu.Op{}))
	}
	return declined
}
