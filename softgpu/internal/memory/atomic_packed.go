package memory

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Atomic sums of two 16-bit floats in one word.

func nextPkAddF16(old, data, _ uint64) uint64 {
	sum := func(shift uint) uint64 {
		return alu.HalfOf(float64(alu.Half(old>>shift)+alu.Half(data>>shift)), old>>shift, data>>shift, 0) << shift
	}
	return sum(0) | sum(16)
}

func nextPkAddBf16(old, data, _ uint64) uint64 {
	sum := func(shift uint) uint64 {
		return uint64(brainFrom32(brain(old>>shift)+brain(data>>shift))) << shift
	}
	return sum(0) | sum(16)
}

// brain returns the value of the bfloat16 in the low 16 bits.
func brain(x uint64) float32 { return alu.Float(uint32(x) << 16) }

// brainFrom32 rounds to the nearest bfloat16, ties to even. A NaN stays a NaN.
func brainFrom32(v float32) uint16 {
	b := math.Float32bits(v)
	if v != v {
		return uint16(b>>16 | 0x40)
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}
