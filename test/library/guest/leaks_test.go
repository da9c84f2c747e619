package guest

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func TestTablesThatGrewAreNoLeaksForAddressSanitizer(t *testing.T) {
	flag := chost.Sanitizer(t, "address")
	for _, driver := range []string{null, soft} {
		r := compare(t, []string{driver, "ASAN_OPTIONS=detect_leaks=1"}, "many", flag)
		require.Equal(t, "exit 0", r.End, driver)
		require.Empty(t, r.Stderr, driver)
	}
}

func TestTablesThatGrewAreNoLeaksForValgrind(t *testing.T) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		t.Skip("valgrind is not installed")
	}
	r := chost.Run(t, []string{null}, valgrind, "-q", "--error-exitcode=9", "--leak-check=full",
		"--suppressions="+filepath.Join(chost.Root(), "scripts", "valgrind.supp"), build(t, "many"), chost.Library(t))
	require.Equal(t, "done\n", r.Stdout, r.Stderr)
	require.Equal(t, "exit 0", r.End, r.Stderr)
}
