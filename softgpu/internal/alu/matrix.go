package alu

// MatrixKernel adds to each lane of d the product of b's and the row's entry:
// each eight lanes have one row.
type MatrixKernel func(d, b *Lanes, rows *[8]uint32)

// PortableMatrixF32 adds products of singles, each rounded once.
func PortableMatrixF32(d, b *Lanes, rows *[8]uint32) {
	for l := range d {
		a := rows[l/8]
		d[l] = uint32(SingleOf(fma32(Float(a), Float(b[l]), Float(d[l])), uint64(a), uint64(b[l]), uint64(d[l])))
	}
}

// PortableMatrixI32 adds products of integers.
func PortableMatrixI32(d, b *Lanes, rows *[8]uint32) {
	for l := range d {
		d[l] += rows[l/8] * b[l]
	}
}
