package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// installed is a folder with AMD's libraries of that kind, which are links to others.
func installed(t *testing.T, hip, runtime string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, hip), nil, 0o600))
	if runtime != "" {
		require.NoError(t, os.Symlink(runtime, filepath.Join(dir, "libhsa-runtime64.so.1")))
	}
	return dir
}

// amdsRuntime is the one of the machine.
func amdsRuntime(t *testing.T) string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/*/libhsa-runtime64.so.1")
	if len(found) == 0 {
		t.Skip("no libhsa-runtime64.so.1: AMD's runtime is not installed")
	}
	return found[0]
}

func TestROCmIsWhereItsRuntimeTakesAnotherThunk(t *testing.T) {
	dir := installed(t, "libamdhip64.so.5", amdsRuntime(t))
	r, err := findROCm("/bin/true", []string{filepath.Join(dir, "libamdhip64.so.*")})
	require.NoError(t, err)
	assert.Equal(t, &rocm{filepath.Join(dir, "libamdhip64.so.5"), linked}, r)
	assert.Equal(t, map[string]string{"LD_LIBRARY_PATH": "/thunk:" + dir + ":/other", "MGPU_SOFT_CHIP": "gfx90a"},
		r.environment([]string{"/thunk", dir}, "gfx90a", "/other"))
	r.thunk = dtifOpened
	assert.Equal(t, "1", r.environment([]string{"/thunk"}, "", "")["HSA_ENABLE_DTIF"])
}

func TestWhyThereIsNoROCmIsSaid(t *testing.T) {
	program, err := filepath.EvalSymlinks("/bin/true") // a program that knows no thunk
	require.NoError(t, err)
	static := installed(t, "libamdhip64.so.6", program)
	_, err = findROCm("/bin/true", []string{filepath.Join(static, "libamdhip64.so.*")})
	require.ErrorContains(t, err, "libamdhip64.so.6: its libhsa-runtime64.so.1 takes no other thunk")
	_, err = findROCm("/bin/true", []string{filepath.Join(t.TempDir(), "libamdhip64.so.*")})
	require.ErrorContains(t, err, "no libamdhip64 in ")
}

func TestHIPNeedsRoomForTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, writable(dir))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	require.ErrorContains(t, writable(filepath.Join(dir, "none")), "no such file or directory")
}
