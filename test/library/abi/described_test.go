package abi

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func TestWhatAProgramIsToldOfKernelsAndRanks(t *testing.T) {
	host := linked(t, "described.c")
	image := filepath.Join(chost.Root(), "internal/codeobj/testdata/v5.hsaco")
	for _, env := range []string{"", "MGPU_CACHE=off"} {
		r := chost.Run(t, []string{soft, env, "PMI_RANK=2", "PMI_SIZE=5", "MPI_LOCALRANKID=1", "MPI_LOCALNRANKS=3"}, host, image)
		require.Equal(t, "exit 0", r.End, r.Stderr)
		assert.Equal(t, `rank: size 1, 1 of 3 here, 2 of 5 in all
cut short: 12 1, NULL: 1
before a driver is open: 0
saxpy 0: , 8 bytes at 0, global_buffer
saxpy 1: , 8 bytes at 8, global_buffer
saxpy 2: , 4 bytes at 16, by_value
saxpy 3: , 4 bytes at 20, by_value
saxpy 4: , 4 bytes at 24, dynamic_shared_pointer
sizes 0: , 8 bytes at 0, global_buffer
sizes 1: , 1 bytes at 8, by_value
none: 0 0 0 0 0, untouched 1
cut short: 8 1, NULL: 1
`, r.Stdout)
		assert.Empty(t, r.Stderr)
	}
	r := chost.Run(t, []string{"MGPU_DRIVER=none"}, host)
	assert.Equal(t, "rank: size 1, 0 of 0 here, -1 of 0 in all\ncut short: 12 1, NULL: 1\nbefore a driver is open: 0\n", r.Stdout)
}
