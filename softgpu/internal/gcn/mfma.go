package gcn

// shape is what a matrix instruction multiplies: D = A*B + C for each of
// blocks blocks, A of m rows and k columns, B of k rows and n columns.
type shape struct {
	m, n, k, blocks int
	a, b            entry // of A and B
	sparse          bool  // of four entries of a row of A two are there; source 2 tells which
}

// entry is the type of the elements of a matrix.
type entry uint8

// The formats of entries.
const (
	entryF32 entry = iota
	entryXF32
	entryF64
	entryF16
	entryBF16
	entryI8
	entryFP8 // gfx942's numbers of 8 bits, the OCP ones from gfx950 on
	entryBF8
	entryMixed // CBSZ and BLGP say which of those that follow
	entryE4M3  // the OCP formats, whose names tell the bits of exponent and fraction
	entryE5M2
	entryE2M3
	entryE3M2
	entryE2M1
)

// bits is the size of one in a register.
func (e entry) bits() int {
	switch e {
	case entryF64:
		return 64
	case entryF32, entryXF32:
		return 32
	case entryF16, entryBF16:
		return 16
	case entryE2M3, entryE3M2:
		return 6
	case entryE2M1:
		return 4
	}
	return 8
}

// result is the type of C and D.
func (s shape) result() entry {
	if s.a == entryF64 {
		return entryF64
	}
	return entryF32
}

// registers returns how many registers the two factors and the result take in each lane.
func (s shape) registers() (a, b, d uint8) {
	b = uint8(s.n * s.k * s.blocks * s.b.bits() / 64 / 32)
	a = uint8(s.m * s.k * s.blocks * s.a.bits() / 64 / 32)
	if s.sparse {
		a /= 2
	}
	return a, b, uint8(s.m * s.n * s.blocks * s.result().bits() / 64 / 32)
}
