package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// A workgroup's storage serves kernels and sizes in turns.
func TestItemIDsFollowTheKernelAndTheSizeOfItsWorkgroups(t *testing.T) {
	var ids itemIDs
	for _, block := range [][3]uint32{{64, 1, 1}, {7, 5, 3}, {1, 1, 40}, {7, 5, 3}, {33, 2, 1}, {16, 16, 4}} {
		for _, k := range []Kernel{
			{lanes: 64, itemIDs: 1, vgprs: 8}, {lanes: 32, itemIDs: 1, vgprs: 8}, {lanes: 64, itemIDs: 3, vgprs: 8},
			{lanes: 32, itemIDs: 3, vgprs: 8}, {lanes: 64, itemIDs: 2, vgprs: 8}, {lanes: 32, itemIDs: 3, vgprs: 8, packedIDs: true},
			{lanes: 64, itemIDs: 1, vgprs: 8, packedIDs: true},
		} {
			ids.provide(&k, block)
			want := make([]alu.Lanes, k.wavesOf(block)*ids.made.regs)
			item := uint32(0)
			for z := range block[2] {
				for y := range block[1] {
					for x := range block[0] {
						regs, lane := want[int(item/k.lanes)*ids.made.regs:], item%k.lanes
						switch {
						case k.packedIDs && k.itemIDs == 3:
							regs[0][lane] = x | y<<10 | z<<20
						default:
							for n, id := range []uint32{x, y, z}[:k.itemIDs] {
								regs[n][lane] = id
							}
						}
						item++
					}
				}
			}
			require.Equal(t, want, ids.lanes, "%v of %d lanes with %d IDs", block, k.lanes, k.itemIDs)
		}
	}
}
