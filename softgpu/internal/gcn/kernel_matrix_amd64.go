package gcn

//go:noescape
func avxMatrixF32(d, b *Lanes, rows *[8]uint32)

//go:noescape
func avxMatrixI32(d, b *Lanes, rows *[8]uint32)

// Kernels of instructions, named like them, as the processor runs them best.
var (
	matrixF32 = pick[matrixKernel](avxMatrixF32, portableMatrixF32)
	matrixI32 = pick[matrixKernel](avxMatrixI32, portableMatrixI32)
)
