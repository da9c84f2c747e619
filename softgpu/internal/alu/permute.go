package alu

// portablePermute gives each lane of d the lane of a that index tells, of which the lowest six bits
// count. d may be a.
func portablePermute(d, a, index *Lanes) {
	in := *a
	for l, at := range index {
		d[l] = in[at&63]
	}
}

// portablePermuteIn32 is portablePermute within each 32 lanes: the lowest five bits count.
func portablePermuteIn32(d, a, index *Lanes) {
	in := *a
	for l, at := range index {
		d[l] = in[uint32(l)&32|at&31]
	}
}
