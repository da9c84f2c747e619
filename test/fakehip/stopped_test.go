package fakehip

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestNothingIsGivenOutWhileACallThatSubmitsHasNotReturned: each way to submit, stopped
// in the driver before and after it has the work.
func TestNothingIsGivenOutWhileACallThatSubmitsHasNotReturned(t *testing.T) {
	path := chost.Build(t, "stopped", []string{filepath.Join("hosts", "stopped.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11")...)
	image := filepath.Join(chost.Root(), "internal", "codeobj", "testdata", "v5.hsaco") // its kernels do nothing there
	byGraph := []string{"MGPU_GRAPH=auto", "FAKEHIP_COSTS=hipModuleLaunchKernel=500,hipGraphLaunch=0"}
	throughGo := []string{"MGPU_TEST_DIRECT=off"}
	for _, c := range []struct {
		call string
		env  []string
	}{
		{"launch", nil}, {"launch", throughGo}, {"launch with memory", nil}, {"launch on null", nil},
		{"launch by graph", byGraph},
		{"download", nil}, {"upload", nil}, {"download a little", nil}, {"copy on null", nil},
		{"set 32", nil}, {"set 16", nil}, {"record", nil}, {"wait for event", nil}, {"wait for stream", nil}, {"graph", nil},
	} {
		t.Run(strings.Join(append([]string{c.call}, c.env...), " "), func(t *testing.T) {
			r := chost.Run(t, append(c.env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY="+Library(t), "FAKEHIP_IGNORE=leak"), path, image, "saxpy", c.call)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Empty(t, r.Stderr)
			require.Equal(t, "stops 2, the same block 0, the same stream 0\n", r.Stdout)
		})
	}
}
