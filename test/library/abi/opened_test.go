package abi

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// Opening HIP's library costs a process without a GPU 15 ms and megabytes.
func TestHIPIsNotOpenedWhereTheKernelKnowsNoGPU(t *testing.T) {
	for _, path := range []string{"/dev/kfd", "/dev/dxg"} {
		if _, err := os.Stat(path); err == nil {
			t.Skipf("there is %s", path)
		}
	}
	r := chost.Run(t, nil, linked(t, "opened.c"))
	require.Equal(t, "exit 0", r.End)
	require.Contains(t, r.Stdout, "hip 0 ")
}
