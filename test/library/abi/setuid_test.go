package abi

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The caller of a setuid program must not choose which libraries it loads, or which files it writes.
func TestProgramsWithMoreRightsThanTheirCallerTakeNoSettings(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to make a program of another user's")
	}
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} { // the other user has to read them
		require.NoError(t, os.Chmod(d, 0o755))
	}
	library := filepath.Join(dir, "libmlir_rocm_runtime.so")
	text, err := os.ReadFile(chost.Library(t))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(library, text, 0o755))
	host := chost.Build(t, "setuid", []string{"hosts/setuid.c"}, chost.Linked(library)...)
	text, err = os.ReadFile(host)
	require.NoError(t, err)
	program := filepath.Join(dir, "setuid")
	require.NoError(t, os.WriteFile(program, text, 0o755))
	env := []string{"MGPU_DRIVER=soft", "MGPU_STATS=1", "MGPU_CAHCE=off"}
	r := chost.Run(t, env, program)
	require.Equal(t, "0\n", r.Stdout, r.Stderr)
	require.Contains(t, r.Stderr, "mgpu statistics")
	require.Contains(t, r.Stderr, "MGPU_CAHCE")

	const nobody = 65534
	require.NoError(t, os.Chown(program, nobody, nobody))
	require.NoError(t, os.Chmod(program, 0o755|os.ModeSetuid))
	r = chost.Run(t, env, program)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	if r.Stdout == "0\n" {
		t.Skip("temporary files can't be setuid here")
	}
	assert.NotContains(t, r.Stderr, "mgpu statistics")
	assert.NotContains(t, r.Stderr, "MGPU_CAHCE")
}
