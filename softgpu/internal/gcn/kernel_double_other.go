//go:build !amd64

package gcn

// Kernels of instructions, named like them.
var (
	rndneF64 wideKernel1 = portableRndneF64
	floorF64 wideKernel1 = portableFloorF64
	ceilF64  wideKernel1 = portableCeilF64
	truncF64 wideKernel1 = portableTruncF64
	sqrtF64  wideKernel1 = portableSqrtF64
	rcpF64   wideKernel1 = portableRcpF64
	rsqF64   wideKernel1 = portableRsqF64
	fractF64 wideKernel1 = portableFractF64
	minF64   wideKernel2 = portableMinF64
	maxF64   wideKernel2 = portableMaxF64
)
