package drivertest

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Stub builds testdata/stub.c, a vendor's library in which nothing happens, with
// options of the compiler's that say what it lacks or does wrongly.
func Stub(t testing.TB, options ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libstub.so")
	line := append([]string{"-std=gnu11", "-w", "-shared", "-fPIC", "-o", path, "testdata/stub.c"}, options...)
	out, err := exec.Command("cc", line...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}
