package alu

//go:noescape
func avxPermute(d, a, index *Lanes)

//go:noescape
func avxPermuteIn32(d, a, index *Lanes)

// Permutations of lanes.
var (
	Permute     = pick(avxPermute, portablePermute)
	PermuteIn32 = pick(avxPermuteIn32, portablePermuteIn32)
)
