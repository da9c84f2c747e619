package emu

import (
	"testing"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// TestTemporaryMemoryOfWavesIsAligned holds for workgroups of any number of waves. After a change of Wave's fields, its
// last one may need another length.
func TestTemporaryMemoryOfWavesIsAligned(t *testing.T) {
	require.Zero(t, unsafe.Sizeof(wave.Wave{})%64)
	for waves := uint32(1); waves <= 16; waves++ {
		m := NewMachine(encoding.Gfx906, nil)
		g := &group{block: [3]uint32{64 * waves, 1, 1}}
		require.NoError(t, m.provide(g, &Dispatch{Kernel: &Kernel{lanes: 64, vgprs: 1}}))
		require.Len(t, g.waves, int(waves))
		for i := range g.waves {
			require.Zero(t, uintptr(unsafe.Pointer(&g.waves[i].Temp))%64, "wave %d of %d", i, waves)
		}
	}
}
