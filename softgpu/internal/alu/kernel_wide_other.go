//go:build !amd64

package alu

// Kernels of instructions, named like them.
var (
	LshlrevB64    WideKernel  = portableLshlrevB64
	LshrrevB64    WideKernel  = portableLshrrevB64
	AshrrevI64    WideKernel  = portableAshrrevI64
	AddF64        WideKernel  = portableAddF64
	MulF64        WideKernel  = portableMulF64
	FmaF64        WideKernel  = portableFmaF64
	Equal64       WideTester  = portableEqual64
	LessU64       WideTester  = portableLessU64
	LessI64       WideTester  = portableLessI64
	LessF64       WideTester  = portableLessF64
	AtMostF64     WideTester  = portableAtMostF64
	EqualF64      WideTester  = portableEqualF64
	UnequalF64    WideTester  = portableUnequalF64
	OrderedF64    WideTester  = portableOrderedF64
	MadU64U32     WideCarrier = portableMadU64U32
	MadI64I32     WideCarrier = portableMadI64I32
	RndneF32      Kernel1     = portableRndneF32
	FloorF32      Kernel1     = portableFloorF32
	CeilF32       Kernel1     = portableCeilF32
	TruncF32      Kernel1     = portableTruncF32
	FractF32      Kernel1     = portableFractF32
	RcpF32        Kernel1     = portableRcpF32
	SqrtF32       Kernel1     = portableSqrtF32
	RsqF32        Kernel1     = portableRsqF32
	ExpF32        Kernel1     = portableExpF32
	LogF32        Kernel1     = portableLogF32
	LogLegacyF32  Kernel1     = portableLogLegacyF32
	SinF32        Kernel1     = portableSinF32
	CosF32        Kernel1     = portableCosF32
	FlushF32      Kernel1     = portableFlushF32
	LdexpF32      Kernel2     = portableLdexpF32
	AlterBits                 = portableAlterBits
	PlainDivision             = portablePlainDivision
	FixupPlain                = portableFixupPlain
)
