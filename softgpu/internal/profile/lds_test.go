package profile

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

func TestCyclesOfLDS(t *testing.T) {
	for _, c := range []struct {
		name   string
		chip   encoding.Chip
		op     wave.Operation
		size   uint64
		lanes  uint64
		at     func(lane uint64) uint64
		cycles uint64 // in all
		banks  uint64 // of them by conflicts of banks
		words  uint64 // and of atomics
	}{
		{"words in a row", encoding.Gfx906, wave.Reads, 4, allLanes, func(l uint64) uint64 { return 4 * l }, 2, 0, 0},
		{"one word for all", encoding.Gfx906, wave.Reads, 4, allLanes, func(uint64) uint64 { return 64 }, 2, 0, 0},
		{"bytes in a row", encoding.Gfx906, wave.Writes, 1, allLanes, func(l uint64) uint64 { return l }, 2, 0, 0},
		{"every second word", encoding.Gfx906, wave.Reads, 4, allLanes, func(l uint64) uint64 { return 8 * l }, 4, 2, 0},
		{"one bank", encoding.Gfx906, wave.Writes, 4, allLanes, func(l uint64) uint64 { return 128 * l }, 64, 62, 0},
		{"one bank of 64", encoding.Gfx950, wave.Writes, 4, allLanes, func(l uint64) uint64 { return 256 * l }, 64, 63, 0},
		{"a row of 64 banks", encoding.Gfx950, wave.Reads, 4, allLanes, func(l uint64) uint64 { return 4 * l }, 1, 0, 0},
		{"half a wave", encoding.Gfx906, wave.Reads, 4, 1<<32 - 1, func(l uint64) uint64 { return 4 * l }, 1, 0, 0},
		{"pairs in a row", encoding.Gfx906, wave.Reads, 8, allLanes, func(l uint64) uint64 { return 8 * l }, 4, 0, 0},
		{"fours in a row, written", encoding.Gfx942, wave.Writes, 16, allLanes, func(l uint64) uint64 { return 16 * l }, 8, 0, 0},
		// Lanes 0 to 3 and 20 to 23 read together: 20 words apart from 4 to 7, where lanes in their order would be.
		{"fours in a row, read", encoding.Gfx942, wave.Reads, 16, allLanes, func(l uint64) uint64 { return 16 * l }, 8, 0, 0},
		{"fours that lanes in order would have in one bank", encoding.Gfx942, wave.Writes, 16, 0xff, func(l uint64) uint64 { return 16*(l%4) + 128*(l/4) }, 2, 1, 0},
		{"and as they are read", encoding.Gfx942, wave.Reads, 16, 0xff, func(l uint64) uint64 { return 16*(l%4) + 128*(l/4) }, 2, 0, 0},
		{"atomics on one word", encoding.Gfx906, wave.Updates, 4, allLanes, func(uint64) uint64 { return 0 }, 64, 0, 62},
		{"atomics on their own words", encoding.Gfx906, wave.Updates, 4, allLanes, func(l uint64) uint64 { return 4 * l }, 2, 0, 0},
		{"waves of 32", encoding.Gfx1100, wave.Reads, 4, 1<<32 - 1, func(l uint64) uint64 { return 4 * l }, 1, 0, 0},
	} {
		a := wave.Access{Segment: wave.Workgroup, Lanes: c.lanes}
		a.Op, a.Size = c.op, c.size
		for l := range a.At {
			a.At[l] = c.at(uint64(l))
		}
		var b ldsBanks
		var s sums
		b.access(c.chip, &a, &s)
		assert.Equal(t, sums{accesses: 1, cycles: c.cycles, banks: c.banks, words: c.words}, s, c.name)
	}
}
