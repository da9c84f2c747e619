package matrix

// Shape describes a matrix instruction: D = A*B + C for each of
// blocks blocks, A of m rows and k columns, B of k rows and n columns.
type Shape struct {
	M, N, K, Blocks int
	A, B            Entry // of A and B
	Sparse          bool  // of four entries of a row of A two are there; source 2 tells which
}

// Entry is the type of the elements of a matrix.
type Entry uint8

// The formats of entries.
const (
	EntryF32 Entry = iota
	EntryXF32
	EntryF64
	EntryF16
	EntryBF16
	EntryI8
	EntryFP8 // gfx942's numbers of 8 bits, the OCP ones from gfx950 on
	EntryBF8
	EntryMixed // CBSZ and BLGP say which of those that follow
	EntryE4M3  // the OCP formats, whose names tell the bits of exponent and fraction
	EntryE5M2
	EntryE2M3
	EntryE3M2
	EntryE2M1
	EntryI4 // of RDNA
	NumEntries
)

// Bits is the size of one in a register.
func (e Entry) Bits() int {
	switch e {
	case EntryF64:
		return 64
	case EntryF32, EntryXF32:
		return 32
	case EntryF16, EntryBF16:
		return 16
	case EntryE2M3, EntryE3M2:
		return 6
	case EntryE2M1, EntryI4:
		return 4
	}
	return 8
}

// Result is the type of C and D.
func (s Shape) Result() Entry {
	if s.A == EntryF64 {
		return EntryF64
	}
	return EntryF32
}

// Registers returns how many registers the two factors and the result take in each lane.
func (s Shape) Registers() (a, b, d uint8) {
	b = uint8(s.N * s.K * s.Blocks * s.B.Bits() / 64 / 32)
	a = uint8(s.M * s.K * s.Blocks * s.A.Bits() / 64 / 32)
	if s.Sparse {
		a /= 2
	}
	return a, b, uint8(s.M * s.N * s.Blocks * s.Result().Bits() / 64 / 32)
}
