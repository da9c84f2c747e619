package gcn

import (
	"math"
	"math/bits"
)

func addSatU32(a, b uint32) uint32 {
	s, carry := bits.Add32(a, b, 0)
	return s | -carry
}

func subSatU32(a, b uint32) uint32 { return max(a, b) - b }

func addSatI32(a, b uint32) uint32 { return clampI32(int64(int32(a)) + int64(int32(b))) }
func subSatI32(a, b uint32) uint32 { return clampI32(int64(int32(a)) - int64(int32(b))) }

func clampI32(x int64) uint32  { return uint32(int32(min(max(x, math.MinInt32), math.MaxInt32))) }
func clampU32(x uint64) uint32 { return uint32(min(x, math.MaxUint32)) }
