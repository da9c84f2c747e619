//go:build !amd64

package alu

// Permutations of lanes.
var (
	Permute     = portablePermute
	PermuteIn32 = portablePermuteIn32
)
