//go:build !amd64

package gcn

// Kernels of instructions, named like them.
var (
	matrixF32 matrixKernel = portableMatrixF32
	matrixI32 matrixKernel = portableMatrixI32
)
