package fakehip

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestLaunchesOnAStreamOfTheProgramsWaitForOtherWork: the HIP library for tests ends a program whose
// kernels are not ordered as they must be.
func TestLaunchesOnAStreamOfTheProgramsWaitForOtherWork(t *testing.T) {
	path := chost.Build(t, "explicit", []string{filepath.Join("hosts", "explicit.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11", Library(t), "-Wl,-rpath,"+filepath.Dir(Library(t)))...)
	for _, shape := range []string{"stream", "event", "none"} {
		for _, env := range []string{"", "MGPU_CACHE=off", "MGPU_TEST_FASTPATH=off"} {
			t.Run(shape+"/"+env, func(t *testing.T) {
				t.Parallel()
				r := chost.Run(t, []string{env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_IGNORE=leak"}, path, filepath.Join(folder(t), "suite.bundle"), shape)
				require.Equal(t, "exit 0", r.End, r.Stderr)
				assert.Equal(t, "0 wrong\n", r.Stdout)
				assert.Empty(t, r.Stderr)
			})
		}
	}
}
