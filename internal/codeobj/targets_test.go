package codeobj

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTargetsOfImages(t *testing.T) {
	object, err := os.ReadFile("testdata/gfx90a.hsaco")
	require.NoError(t, err)
	require.Equal(t, []string{"gfx90a:sramecc+:xnack-"}, Targets(object))
	const amd, host, late = "hipv4-amdgcn-amd-amdhsa--", "host-x86_64-unknown-linux-gnu--", "hipv4-amdgpu9.08-amd-amdhsa-unknown-gfx908"
	b := bundle(map[string][]byte{amd + "gfx906": object, amd + "gfx90a:xnack+": object, host: {1}, late: object}, host, amd+"gfx906", amd+"gfx90a:xnack+", late)
	require.Equal(t, []string{"gfx906", "gfx90a:xnack+", "gfx908"}, Targets(b))
	require.Empty(t, Targets([]byte("no image at all")))
	require.Empty(t, Targets(b[:40]))
	require.Empty(t, Targets(nil))
}
