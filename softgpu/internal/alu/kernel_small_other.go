//go:build !amd64

package alu

// Kernels of instructions, named like them.
var (
	ToSmall     = portableToSmall
	AtRandom    = portableAtRandom
	FromSmall   = portableFromSmall
	PrngB32     = portablePrngB32
	ScalePowers = portableScalePowers
)
