//go:build !amd64

package gcn

var (
	toSmall     = portableToSmall
	atRandom    = portableAtRandom
	fromSmall   = portableFromSmall
	prngB32     = portablePrngB32
	scalePowers = portableScalePowers
)
