package memory

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// The layouts of the offsets of an access: anywhere, consecutive words, or all the same. Addresses whose upper halves
// differ have no shape.
const (
	Shapeless uint8 = iota
	anyhow
	InRow
	InOne
)

func portableSpan(lo, hi *alu.Lanes, lanes int) (low, high uint32, shape uint8) {
	low = math.MaxUint32
	row, one := true, true
	for l := range lanes {
		if hi[l] != hi[0] {
			return 0, 0, Shapeless
		}
		low, high = min(low, lo[l]), max(high, lo[l])
		row = row && lo[l] == lo[0]+uint32(4*l)
		one = one && lo[l] == lo[0]
	}
	switch {
	case row && high == low+uint32(4*lanes-4):
		return low, high, InRow
	case one:
		return low, high, InOne
	}
	return low, high, anyhow
}

// ShapeIf returns a shape if it is in range.
func ShapeIf(ok bool, shape uint8) uint8 {
	if !ok {
		return Shapeless
	}
	return shape
}

// Linear is the distance between a lane's words in memory that is not swizzled.
const Linear = 4
