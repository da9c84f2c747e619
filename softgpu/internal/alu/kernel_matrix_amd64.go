package alu

//go:noescape
func avxMatrixF32(d, b *Lanes, rows *[8]uint32)

//go:noescape
func avxMatrixI32(d, b *Lanes, rows *[8]uint32)

//go:noescape
func avxSplitProducts(high, low *[16]float64, a, b []float64, at []uint8)

// Kernels of instructions, named like them, as the processor runs them best.
var (
	MatrixF32 = pick[MatrixKernel](avxMatrixF32, PortableMatrixF32)
	MatrixI32 = pick[MatrixKernel](avxMatrixI32, PortableMatrixI32)

	SplitProducts = pick[SplitKernel](avxSplitProducts, PortableSplitProducts)
)
