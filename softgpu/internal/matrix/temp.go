package matrix

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// Place is where a group of lanes of the result takes its factors from.
type Place struct {
	Row  uint8 // of A
	From uint8 // first column of B
}

// MatrixTemp holds a wave's temporaries of one matrix instruction.
type MatrixTemp struct {
	A, B   [2048]uint32 // entries by column of A and row of B: singles, whatever they were, or integers
	At     [1024]uint8  // sparse: the row of B for entry s of row i of A, at i*depth+s
	Aw, Bw [64]uint64   // entries that are doubles
	Fa, Fb [2048]Factor
	Odd    bool         // among fa or fb is an infinity or NaN
	Scales [2][64]uint8 // of A and B: of 32 columns of row r, the nth such block, at n*rows+r

	Da, Db [Side * MostDepth]float64   // RDNA: entries, by row of A, and by row of B
	At16   [Side * MostDepth / 2]uint8 // RDNA, sparse: as At

	High, Low, Sum [Side]float64 // RDNA: the two parts of a row's sums, and the sums

	D       [32]alu.Lanes // C, then D
	X       alu.Lanes
	Y       [4]alu.Lanes
	Rows    [8]uint32
	Partial [4]alu.Lanes
}

// LaneGroup is the lane that lane l of B is taken from: BLGP broadcasts one
// half or one quarter of the lanes, or rotates them by a quarter.
func LaneGroup(blgp uint8, l int) int {
	switch blgp {
	case 0:
		return l
	case 1, 2:
		return l%32 + int(blgp-1)*32
	case 3:
		return (l + 16) % 64
	}
	return l%16 + int(blgp-4)*16
}

// SameColumns reports whether two registers of a result take the same columns.
func SameColumns(x, y *[16]Place) bool {
	for g := range x {
		if x[g].From != y[g].From {
			return false
		}
	}
	return true
}

// layout tells which column of A, or row of B, entries of lanes belong to, with
// per entries of that many bits in each lane.
type layout struct{ rows, chunk int }

// LayoutOf returns the layout of entries of so many bits.
func LayoutOf(rows, per, bits int) layout {
	if bits < 8 || bits > 16 {
		return layout{rows, per}
	}
	return layout{rows, min(per, 128/bits)}
}

// Column is the one of entry n of lane 0, to which OfLane adds the other lanes' offset.
func (y layout) Column(n int) int { return n/y.chunk*y.chunk*(64/y.rows) + n%y.chunk }

// OfLane is the offset of a lane in the column of its entries.
func (y layout) OfLane(l int) int { return l / y.rows * y.chunk }
