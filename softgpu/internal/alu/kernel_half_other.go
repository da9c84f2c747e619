//go:build !amd64

package alu

// Kernels of instructions, named like them.
var (
	AddF16    = portableAddF16
	SubF16    = portableSubF16
	SubrevF16 = portableSubrevF16
	MulF16    = portableMulF16
	MinF16    = portableMinF16
	MaxF16    = portableMaxF16
	flushF16  = portableFlushF16
	FmaToF16  = portableFmaToF16
	FmaF16    = portableFmaF16
	PkAddF16  = portablePkAddF16
	PkMulF16  = portablePkMulF16
	PkMinF16  = portablePkMinF16
	PkMaxF16  = portablePkMaxF16
	PkFmaF16  = portablePkFmaF16
	CvtF32F16 = portableCvtF32F16
	CvtF16F32 = portableCvtF16F32

	CvtF32HighF16 = portableCvtF32HighF16
	Dot2F32F16    = portableDot2F32F16

	LessF16    = portableLessF16
	AtMostF16  = portableAtMostF16
	EqualF16   = portableEqualF16
	UnequalF16 = portableUnequalF16
	OrderedF16 = portableOrderedF16
)
