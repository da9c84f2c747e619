package wave

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Files are where the operands of ops are.
func (w *Wave) Files() alu.Files {
	return alu.Files{At: [4]uintptr{
		alu.Vectors: uintptr(unsafe.Pointer(unsafe.SliceData(w.V))),
		alu.Rest:    uintptr(unsafe.Pointer(w)),
	}, Extent: alu.Extent64 - uintptr(w.absent&alu.Extent32)}
}

// RunOps executes ops from first on, which end with an op that says so. budget is that of [alu.Files].
// What it returns is alu.RunOps'.
func (w *Wave) RunOps(first *alu.Op, budget *int) (stopped uintptr) {
	files := w.Files()
	files.Budget = *budget
	stopped = alu.RunOps(first, &files)
	*budget = files.Budget
	return stopped
}
