package fakehip

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestABlockIsNotReusedUnderAKernelThatAnotherThreadSees before its launch has returned.
func TestABlockIsNotReusedUnderAKernelThatAnotherThreadSees(t *testing.T) {
	path := chost.Build(t, "seen", []string{filepath.Join("hosts", "seen.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11")...)
	amd := filepath.Join(t.TempDir(), "kernels.hsaco")
	require.NoError(t, os.WriteFile(amd, drivertest.BuildAMD(t, "gfx906").Kernels(), 0o600))
	hip := []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak"}
	for _, c := range []struct {
		name, image string
		env, on     []string
	}{
		{"hip", filepath.Join(folder(t), "suite.bundle"), hip, nil},
		{"hip on one core", filepath.Join(folder(t), "suite.bundle"), hip, []string{"one"}},
		{"hip through Go on one core", filepath.Join(folder(t), "suite.bundle"), append(hip, "MGPU_TEST_FASTPATH=off"), []string{"one"}},
		{"soft", amd, []string{"MGPU_DRIVER=soft"}, nil},
		{"soft on one core", amd, []string{"MGPU_DRIVER=soft"}, []string{"one"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := chost.Run(t, c.env, path, append([]string{c.image, "60"}, c.on...)...)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Empty(t, r.Stderr)
			require.Equal(t, "60 rounds, the same block 0, wrong 0\n", r.Stdout)
		})
	}
}
