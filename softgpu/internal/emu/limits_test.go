package emu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatExceedsALimitIsNamed(t *testing.T) {
	grid, block := [3]uint32{4, 4, 4}, [3]uint32{32, 4, 2}
	require.Equal(t, Excess{}, ExcessOfShape(grid, block, 256))
	require.Equal(t, Excess{Limit: GroupItems, Wanted: 256, Most: 255}, ExcessOfShape(grid, block, 255))
	require.Equal(t, Excess{Limit: EmptyAxis, Axis: 1}, ExcessOfShape([3]uint32{1, 0, 1}, block, MostItems))
	require.Equal(t, Excess{Limit: EmptyAxis, Axis: 2}, ExcessOfShape(grid, [3]uint32{32, 4, 0}, MostItems))
	most := uint32(1) << 31 // times itself it is more than 32 bits hold
	require.Equal(t, GroupItems, ExcessOfShape(grid, [3]uint32{most, most, most}, MostItems).Limit)

	m := &Machine{limits: chipLimits{lds: 1 << 16, waves: 10, registers: 256, simds: 4, step: 4}}
	k := &Kernel{vgprs: 128, lanes: 64}
	require.Equal(t, Excess{}, m.Excess(k, [3]uint32{512, 1, 1}, 1<<16), "two waves in each of four SIMDs")
	require.Equal(t, Excess{Limit: GroupWaves, Wanted: 9, Most: 8}, m.Excess(k, [3]uint32{513, 1, 1}, 0))
	require.Equal(t, Excess{Limit: GroupMemory, Wanted: 1<<16 + 1, Most: 1 << 16}, m.Excess(k, block, 1<<16+1))
}
