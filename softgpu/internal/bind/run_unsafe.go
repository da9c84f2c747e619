package bind

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Ops have addresses: of memory that the part keeps and that does not move, and inside of a Wave.

const placeOfPC = unsafe.Offsetof(wave.Wave{}.PC)

const placeOfSCC = unsafe.Offsetof(wave.Wave{}.SCC)

func placeOfS(reg int) uintptr { return unsafe.Offsetof(wave.Wave{}.S) + uintptr(reg)*4 }

func placeOfTemp(n int) uintptr {
	return unsafe.Offsetof(wave.Wave{}.Temp) + uintptr(n)*unsafe.Sizeof(alu.Pair{})
}

// holds reports whether an op at an address is one of f.
func (f *form) holds(op uintptr) bool {
	first := hostAddress(&f.Ops[0])
	return op >= first && op < first+uintptr(len(f.Ops))*unsafe.Sizeof(alu.Op{})
}

// number returns which op of f is at an address.
func (f *form) number(op uintptr) int {
	return int((op - hostAddress(&f.Ops[0])) / unsafe.Sizeof(alu.Op{}))
}

func hostAddress[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// SameStep reports whether two steps are one function with the same variables.
func SameStep(a, b encoding.Step) bool {
	return *(*unsafe.Pointer)(unsafe.Pointer(&a)) == *(*unsafe.Pointer)(unsafe.Pointer(&b))
}

const (
	placeOfLDS    = unsafe.Offsetof(wave.Wave{}.LDS)
	placeOfReads  = unsafe.Offsetof(wave.Wave{}.Reads)
	placeOfWrites = unsafe.Offsetof(wave.Wave{}.Writes)
)
