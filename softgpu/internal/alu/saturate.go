package alu

import (
	"math"
	"math/bits"
)

// AddSatU32 computes v_add_u32.
func AddSatU32(a, b uint32) uint32 {
	s, carry := bits.Add32(a, b, 0)
	return s | -carry
}

// SubSatU32 computes v_sub_u32.
func SubSatU32(a, b uint32) uint32 { return max(a, b) - b }

// AddSatI32 computes v_add_i32.
func AddSatI32(a, b uint32) uint32 { return clampI32(int64(int32(a)) + int64(int32(b))) }

// SubSatI32 computes v_sub_i32.
func SubSatI32(a, b uint32) uint32 { return clampI32(int64(int32(a)) - int64(int32(b))) }

func clampI32(x int64) uint32  { return uint32(int32(min(max(x, math.MinInt32), math.MaxInt32))) }
func clampU32(x uint64) uint32 { return uint32(min(x, math.MaxUint32)) }
