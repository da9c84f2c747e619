package fakehip

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// submitting lists the calls that submit work.
var submitting = []struct {
	call string
	env  []string
}{
	{"launch", nil}, {"launch", throughGo}, {"launch with memory", nil}, {"launch on null", nil},
	{"launch by graph", []string{"MGPU_GRAPH=auto", "FAKEHIP_COSTS=hipModuleLaunchKernel=500,hipGraphLaunch=0"}},
	{"download", nil}, {"upload", nil}, {"download a little", nil}, {"copy on null", nil},
	{"set 32", nil}, {"set 16", nil}, {"record", nil}, {"wait for event", nil}, {"wait for stream", nil}, {"graph", nil},
}

var throughGo = []string{"MGPU_TEST_FASTPATH=off"}

// runSubmitting makes each call in hosts/stopped.c, and requires the output want.
func runSubmitting(t *testing.T, want string, args ...string) {
	path := chost.Build(t, "stopped", []string{filepath.Join("hosts", "stopped.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11", "-pthread")...)
	image := filepath.Join(chost.Root(), "internal", "codeobj", "testdata", "v5.hsaco") // its kernels do nothing there
	for _, c := range submitting {
		t.Run(strings.Join(append([]string{c.call}, c.env...), " "), func(t *testing.T) {
			env := append([]string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_IGNORE=leak"}, c.env...)
			r := chost.Run(t, env, path, append([]string{image, "saxpy", c.call}, args...)...)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Empty(t, r.Stderr)
			require.Equal(t, want, r.Stdout)
		})
	}
}

// TestNothingIsGivenOutWhileACallThatSubmitsHasNotReturned: each way to submit, stopped
// in the driver before and after it has the work.
func TestNothingIsGivenOutWhileACallThatSubmitsHasNotReturned(t *testing.T) {
	runSubmitting(t, "stops 2, the same block 0, the same stream 0\n")
}

// TestAThreadThatIsCancelledInTheDriverKeepsNothing: blocks that others freed are reused.
func TestAThreadThatIsCancelledInTheDriverKeepsNothing(t *testing.T) {
	for _, at := range []string{"cancelled before", "cancelled after"} {
		t.Run(at, func(t *testing.T) { runSubmitting(t, "stops 1, the same block 1, the same stream 1\n", at) })
	}
}

// TestAStreamThatTheLibraryUsesIsNotDestroyed: in driver calls that the library makes by itself.
func TestAStreamThatTheLibraryUsesIsNotDestroyed(t *testing.T) {
	path := chost.Build(t, "destroyed", []string{filepath.Join("hosts", "destroyed.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11", "-pthread")...)
	image := filepath.Join(chost.Root(), "internal", "codeobj", "testdata", "v5.hsaco")
	for _, function := range []string{"hipStreamQuery", "hipStreamIsCapturing", "hipEventRecord"} {
		t.Run(function, func(t *testing.T) {
			r := chost.Run(t, []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak"}, path, image, "saxpy", function)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Empty(t, r.Stderr)
			require.Equal(t, "destroyed 1\n", r.Stdout)
		})
	}
}
