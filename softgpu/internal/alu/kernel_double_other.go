//go:build !amd64

package alu

// Kernels of instructions, named like them.
var (
	RndneF64 WideKernel1 = portableRndneF64
	FloorF64 WideKernel1 = portableFloorF64
	CeilF64  WideKernel1 = portableCeilF64
	TruncF64 WideKernel1 = portableTruncF64
	SqrtF64  WideKernel1 = portableSqrtF64
	RcpF64   WideKernel1 = portableRcpF64
	RsqF64   WideKernel1 = portableRsqF64
	FractF64 WideKernel1 = portableFractF64
	MinF64   WideKernel2 = portableMinF64
	MaxF64   WideKernel2 = portableMaxF64
)
