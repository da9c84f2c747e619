//go:build !amd64

package gcn

var (
	matrixF32 matrixKernel = portableMatrixF32
	matrixI32 matrixKernel = portableMatrixI32
)
