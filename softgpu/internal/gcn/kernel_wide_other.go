//go:build !amd64

package gcn

// Kernels of instructions, named like them.
var (
	lshlrevB64    wideKernel  = portableLshlrevB64
	lshrrevB64    wideKernel  = portableLshrrevB64
	ashrrevI64    wideKernel  = portableAshrrevI64
	addF64        wideKernel  = portableAddF64
	mulF64        wideKernel  = portableMulF64
	fmaF64        wideKernel  = portableFmaF64
	equal64       wideTester  = portableEqual64
	lessU64       wideTester  = portableLessU64
	lessI64       wideTester  = portableLessI64
	lessF64       wideTester  = portableLessF64
	atMostF64     wideTester  = portableAtMostF64
	equalF64      wideTester  = portableEqualF64
	unequalF64    wideTester  = portableUnequalF64
	orderedF64    wideTester  = portableOrderedF64
	madU64U32     wideCarrier = portableMadU64U32
	madI64I32     wideCarrier = portableMadI64I32
	rndneF32      kernel1     = portableRndneF32
	floorF32      kernel1     = portableFloorF32
	ceilF32       kernel1     = portableCeilF32
	truncF32      kernel1     = portableTruncF32
	fractF32      kernel1     = portableFractF32
	rcpF32        kernel1     = portableRcpF32
	sqrtF32       kernel1     = portableSqrtF32
	rsqF32        kernel1     = portableRsqF32
	expF32        kernel1     = portableExpF32
	logF32        kernel1     = portableLogF32
	logLegacyF32  kernel1     = portableLogLegacyF32
	sinF32        kernel1     = portableSinF32
	cosF32        kernel1     = portableCosF32
	flushF32      kernel1     = portableFlushF32
	ldexpF32      kernel2     = portableLdexpF32
	alterBits                 = portableAlterBits
	plainDivision             = portablePlainDivision
	fixupPlain                = portableFixupPlain
)
