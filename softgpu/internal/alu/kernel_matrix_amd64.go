package alu

//go:noescape
func avxMatrixF32(d, b *Lanes, rows *[8]uint32)

//go:noescape
func avxMatrixI32(d, b *Lanes, rows *[8]uint32)

//go:noescape
func avxSplitProducts(high, low *[16]float64, a, b []float64, at []uint8)

//go:noescape
func avxAddSplit(sum, high, low *[16]float64, c *[16]uint32) (zeros uint32)

//go:noescape
func avxAddProducts(sum *[16]float64, c *[16]uint32, a, b []float64, at []uint8) (unknown uint32)

//go:noescape
func avxNearestSingles(d *[16]uint32, x *[16]float64)

//go:noescape
func avxOddSingles(d *[16]uint32, x *[16]float64)

// Kernels of instructions, named like them, as the processor runs them best.
var (
	MatrixF32 = pick[MatrixKernel](avxMatrixF32, PortableMatrixF32)
	MatrixI32 = pick[MatrixKernel](avxMatrixI32, PortableMatrixI32)

	SplitProducts  = pick[SplitKernel](avxSplitProducts, PortableSplitProducts)
	AddSplit       = pick[AddSplitKernel](avxAddSplit, PortableAddSplit)
	AddProducts    = pick[ProductsKernel](avxAddProducts, PortableAddProducts)
	NearestSingles = pick[SinglesKernel](avxNearestSingles, PortableNearestSingles)
	OddSingles     = pick[SinglesKernel](avxOddSingles, PortableOddSingles)
)
