//go:build !amd64

package alu

// Kernels of instructions, named like them.
var (
	MatrixF32 MatrixKernel = PortableMatrixF32
	MatrixI32 MatrixKernel = PortableMatrixI32

	SplitProducts  SplitKernel    = PortableSplitProducts
	AddSplit       AddSplitKernel = PortableAddSplit
	AddProducts    ProductsKernel = PortableAddProducts
	NearestSingles SinglesKernel  = PortableNearestSingles
	OddSingles     SinglesKernel  = PortableOddSingles
)
