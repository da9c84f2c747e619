package alu

// WholeQuads sets all four bits of each quad with any.
func WholeQuads(a uint64) uint64 { return anyOfQuad(a) * 15 }

// anyOfQuad leaves the lowest bit of each quad that has any.
func anyOfQuad(a uint64) uint64 { return (a | a>>1 | a>>2 | a>>3) & 0x1111111111111111 }

// QuadMask gathers one bit for each quad.
func QuadMask(a uint64) (r uint64) {
	a = anyOfQuad(a)
	for i := 0; i < 16; i++ {
		r |= a >> (i * 4) & 1 << i
	}
	return r
}
