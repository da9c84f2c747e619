package abi

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

const libraryName = "libmlir_rocm_runtime.so"

// Builds of the same sources in different folders give the same file, and a second build does nothing.
func TestBuildsAreByteIdentical(t *testing.T) {
	if !chost.Long() {
		t.Skip("builds the library twice: make test-long does")
	}
	chost.Library(t) // if the library can be built, it was
	copied := filepath.Join(t.TempDir(), "another", "folder")
	copySources(t, chost.Root(), copied)
	builds := [2]string{filepath.Join(t.TempDir(), "build"), filepath.Join(t.TempDir(), "build")}
	runMake(t, chost.Root(), builds[0], "all")
	runMake(t, copied, builds[1], "all")
	for _, name := range []string{libraryName, "mgpu"} {
		first, second := readFile(t, builds[0], name), readFile(t, builds[1], name)
		require.NotEmpty(t, first)
		require.True(t, first == second, "%s: %d and %d bytes differ", name, len(first), len(second))
	}

	before, err := os.Stat(filepath.Join(builds[1], libraryName))
	require.NoError(t, err)
	require.NoError(t, os.Chtimes(filepath.Join(copied, "internal/guest/guest.c"), time.Time{}, time.Now()))
	require.Empty(t, runMake(t, copied, builds[1], filepath.Join(builds[1], libraryName)))
	after, err := os.Stat(filepath.Join(builds[1], libraryName))
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// library.inputs lists what the library is made from; the library depends on it.
func TestWhateverTheLibraryIsMadeOfIsAnInput(t *testing.T) {
	if !chost.Long() {
		t.Skip("calls make twenty times: make test-long does")
	}
	chost.Library(t)
	dir, build := filepath.Join(t.TempDir(), "copy"), filepath.Join(t.TempDir(), "build")
	copySources(t, chost.Root(), dir)
	inputs := func(args ...string) string {
		runMake(t, dir, build, append(args, filepath.Join(build, "library.inputs"))...)
		return readFile(t, build, "library.inputs")
	}
	base := inputs()
	for _, name := range []string{"internal/guest/guest.c", "internal/guest/guest.h", "include/mgpu_runtime.h", "exports.map", "build.mk", "go.mod", "go.sum", "main.go",
		"mgpu/driver/graph.go", "internal/gpuapi/api.h", "internal/hip/symbols.h", "internal/cuda/calls.c", "internal/glibc/libdl.c"} {
		text := readFile(t, dir, name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600))
		require.NotEqual(t, base, inputs(), name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, arg := range []string{"SONAME=libother.so", "GUEST=plain"} {
		require.NotEqual(t, base, inputs(arg), arg)
	}
	for _, name := range []string{"added.c", "added.h", "added_amd64.s", "mgpu/added.go"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("package mgpu\n"), 0o600))
		require.NotEqual(t, base, inputs(), name)
		require.NoError(t, os.Remove(path))
	}
	for _, name := range []string{"README.md"} {
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
		require.Equal(t, base, inputs(), name)
	}
}

// runMake runs make in a folder of the sources and returns its output.
func runMake(t *testing.T, dir, build string, args ...string) string {
	t.Helper()
	cmd := exec.Command("make", append([]string{"-s", "BUILD=" + build}, args...)...)
	cmd.Dir = dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MAKE") && !strings.HasPrefix(v, "MFLAGS") && !strings.HasPrefix(v, "BUILD=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(text)
}

// copySources copies the files that a build may read.
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
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, below), text, info.Mode().Perm()) // scripts can be executed
	}))
}
