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

// SplitKernel adds up products of a row's entries a with the rows of b, of 16 columns each, that at names: low has what is
// less than 2^-12 of each product, and high the rest. Both are exact for 128 products or fewer that are multiples of 2^-48
// and less than 2^32: those of halves, and of numbers of eight bits.
type SplitKernel func(high, low *[16]float64, a, b []float64, at []uint8)

// splitter rounds a number that is added to it to a multiple of 2^-12.
const splitter = 3 << 39

// PortableSplitProducts is a SplitKernel.
func PortableSplitProducts(high, low *[16]float64, a, b []float64, at []uint8) {
	*high, *low = [16]float64{}, [16]float64{}
	for k, x := range a {
		row := (*[16]float64)(b[int(at[k])*16:])
		for j, y := range row {
			p := float64(x * y) // not to be joined with the addition
			h := float64(p+splitter) - splitter
			high[j] += h
			low[j] += p - h
		}
	}
}
