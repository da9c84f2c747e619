package fakehip

import (
	"os"
	"os/exec"
	"testing"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/stretchr/testify/require"
)

// TestDeclarationsAreTheVendors compiles the library's declarations together with
// the vendor's header: Debian's libamdhip64-dev has one.
func TestDeclarationsAreTheVendors(t *testing.T) {
	const header = "/usr/include/hip/hip_runtime_api.h"
	if _, err := os.Stat(header); err != nil {
		t.Skipf("no HIP header here: %v", err)
	}
	cmd := exec.Command("make", "-s", "-f", "test/fakehip/build.mk", "fakehip-vendor")
	cmd.Dir = chost.Root()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
