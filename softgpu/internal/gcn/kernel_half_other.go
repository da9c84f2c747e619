//go:build !amd64

package gcn

// Kernels of instructions, named like them.
var (
	addF16     = portableAddF16
	subF16     = portableSubF16
	subrevF16  = portableSubrevF16
	mulF16     = portableMulF16
	minF16     = portableMinF16
	maxF16     = portableMaxF16
	flushF16   = portableFlushF16
	fmaToF16   = portableFmaToF16
	fmaF16     = portableFmaF16
	pkAddF16   = portablePkAddF16
	pkMulF16   = portablePkMulF16
	pkMinF16   = portablePkMinF16
	pkMaxF16   = portablePkMaxF16
	pkFmaF16   = portablePkFmaF16
	cvtF32F16  = portableCvtF32F16
	cvtF16F32  = portableCvtF16F32
	lessF16    = portableLessF16
	atMostF16  = portableAtMostF16
	equalF16   = portableEqualF16
	unequalF16 = portableUnequalF16
	orderedF16 = portableOrderedF16
)
