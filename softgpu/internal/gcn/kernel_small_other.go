//go:build !amd64

package gcn

// Kernels of instructions, named like them.
var (
	toSmall     = portableToSmall
	atRandom    = portableAtRandom
	fromSmall   = portableFromSmall
	prngB32     = portablePrngB32
	scalePowers = portableScalePowers
)
