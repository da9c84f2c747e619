package abi

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/chost"
)

// Two people who build the same sources, each in a folder of their own, get the
// same file.
func TestBuildsAreByteIdentical(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the library twice")
	}
	chost.Library(t) // where the library can be built, it was
	copied := filepath.Join(t.TempDir(), "another", "folder")
	copySources(t, chost.Root(), copied)
	first, second := makeLibrary(t, chost.Root()), makeLibrary(t, copied)
	require.NotEmpty(t, first)
	require.True(t, string(first) == string(second), "%d and %d bytes differ", len(first), len(second))
}

func makeLibrary(t *testing.T, dir string) []byte {
	t.Helper()
	build := filepath.Join(t.TempDir(), "build")
	cmd := exec.Command("make", "-s", "all", "BUILD="+build)
	cmd.Dir = dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MAKE") && !strings.HasPrefix(v, "MFLAGS") && !strings.HasPrefix(v, "BUILD=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	library, err := os.ReadFile(filepath.Join(build, "libmlir_rocm_runtime.so"))
	require.NoError(t, err)
	return library
}

// copySources copies what a build may read.
func copySources(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (d.Name() == "build" || d.Name() == ".git" || d.Name() == "testdata" || below == "test/mlir"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, below), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, below), text, 0o644)
	}))
}
