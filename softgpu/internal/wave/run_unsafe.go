package wave

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// RunOps executes ops, which end with an op that says so. It returns the number of an op that declined, or -1.
func (w *Wave) RunOps(ops []alu.Op) (declined int) {
	files := alu.Files{At: [4]uintptr{
		alu.Vectors: uintptr(unsafe.Pointer(unsafe.SliceData(w.V))),
		alu.Rest:    uintptr(unsafe.Pointer(w)),
	}, Extent: alu.Extent64 - uintptr(w.absent&alu.Extent32)}
	if declined = alu.RunOps(&ops[0], &files); declined > 0 {
		declined /= int(unsafe.Sizeof(alu.Op{}))
	}
	return declined
}
