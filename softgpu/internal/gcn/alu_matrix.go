package gcn

// matrixKernel adds to each lane of d the product of b's and the row's entry:
// each eight lanes have one row.
type matrixKernel func(d, b *Lanes, rows *[8]uint32)

func portableMatrixF32(d, b *Lanes, rows *[8]uint32) {
	for l := range d {
		a := rows[l/8]
		d[l] = uint32(singleOf(fma32(float(a), float(b[l]), float(d[l])), uint64(a), uint64(b[l]), uint64(d[l])))
	}
}

func portableMatrixI32(d, b *Lanes, rows *[8]uint32) {
	for l := range d {
		d[l] += rows[l/8] * b[l]
	}
}
