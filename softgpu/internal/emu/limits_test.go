package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
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
	require.Equal(t, Excess{Limit: GroupWaves, Wanted: 9, Most: 8, Unit: "a compute unit"}, m.Excess(k, [3]uint32{513, 1, 1}, 0))
	require.Equal(t, Excess{Limit: GroupMemory, Wanted: 1<<16 + 1, Most: 1 << 16}, m.Excess(k, block, 1<<16+1))
}

// LLVM gives a wave of a workgroup of 1024 work-items as many registers as four SIMDs have for it: 128 of gfx1030's.
func TestWorkgroupsInWGPModeUseTwoComputeUnits(t *testing.T) {
	m, block := NewMachine(encoding.Gfx1030, nil), [3]uint32{1024, 1, 1}
	k := &Kernel{vgprs: 128, lanes: 32}
	require.Equal(t, Excess{Limit: GroupWaves, Wanted: 32, Most: 16, Unit: "a compute unit"}, m.Excess(k, block, 0))
	k.wgp = true
	require.Equal(t, Excess{}, m.Excess(k, block, 64<<10))
	require.Equal(t, 40, m.Resident(k, block, 64<<10), "one in each workgroup processor")
	require.Equal(t, 80, m.Resident(k, [3]uint32{32, 1, 1}, 64<<10), "two, which share its memory")
	require.Equal(t, 8, m.Occupancy(k, block, 0).Waves)
	require.Equal(t, Excess{Limit: GroupMemory, Wanted: 64<<10 + 1, Most: 64 << 10}, m.Excess(k, block, 64<<10+1))
	k.vgprs++
	require.Equal(t, Excess{Limit: GroupWaves, Wanted: 32, Most: 28, Unit: "a workgroup processor"}, m.Excess(k, block, 0))
}
