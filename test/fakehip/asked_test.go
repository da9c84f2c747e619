package fakehip

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestWhatTheLibraryAsksForItsOwnSakeIsNeverTheProgramsError: after a kernel has failed, until
// the program waits for it.
func TestWhatTheLibraryAsksForItsOwnSakeIsNeverTheProgramsError(t *testing.T) {
	path := chost.Build(t, "asked", []string{filepath.Join("hosts", "asked.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11", "-ldl")...)
	image := filepath.Join(folder(t), "suite.bundle")
	for name, env := range map[string]string{"on": "", "through Go": "MGPU_TEST_FASTPATH=off", "two devices": "FAKEHIP_DEVICES=2"} {
		t.Run(name, func(t *testing.T) {
			r := chost.Run(t, []string{env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t),
				"FAKEHIP_FAIL=kernel:1+", "FAKEHIP_IGNORE=leak,memory"}, path, image)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Equal(t, "waits\n'hipStreamSynchronize' failed with 'hipErrorLaunchFailure'\n", r.Stderr)
			r = chost.Run(t, []string{env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "MGPU_ON_ERROR=abort",
				"FAKEHIP_FAIL=kernel:1+", "FAKEHIP_IGNORE=leak,memory"}, path, image)
			require.Equal(t, "signal: aborted", r.End, r.Stderr)
			require.Contains(t, r.Stderr, "waits\n", "only the program's own wait ends it")
		})
	}
}
