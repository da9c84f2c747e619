//go:build !amd64

package gcn

var (
	toSmall     = portableToSmall
	scalePowers = portableScalePowers
)
