package bind

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Ops have addresses: of memory that the part keeps and that does not move, and inside of a Wave.

const placeOfSCC = unsafe.Offsetof(wave.Wave{}.SCC)

func placeOfS(reg int) uintptr { return unsafe.Offsetof(wave.Wave{}.S) + uintptr(reg)*4 }

func placeOfTemp(n int) uintptr {
	return unsafe.Offsetof(wave.Wave{}.Temp) + uintptr(n)*unsafe.Sizeof(alu.Pair{})
}

func hostAddress[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// SameStep tells whether two steps are one function with the same variables.
func SameStep(a, b encoding.Step) bool {
	return *(*unsafe.Pointer)(unsafe.Pointer(&a)) == *(*unsafe.Pointer)(unsafe.Pointer(&b))
}

const (
	placeOfLDS    = unsafe.Offsetof(wave.Wave{}.LDS)
	placeOfReads  = unsafe.Offsetof(wave.Wave{}.Reads)
	placeOfWrites = unsafe.Offsetof(wave.Wave{}.Writes)
)
