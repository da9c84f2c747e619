package hip_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/internal/hip"
)

// wheel puts a HIP library where ROCm's wheels do, below the folder of an environment.
func wheel(t *testing.T, environment, library string) string {
	t.Helper()
	folder := filepath.Join(environment, "lib/python3.12/site-packages/_rocm_sdk_core/lib")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	for _, name := range []string{"libamdhip64.so.7", "libamdhip64.so.7.1.25"} {
		require.NoError(t, os.Symlink(library, filepath.Join(folder, name)))
	}
	return filepath.Join(folder, "libamdhip64.so.7")
}

func TestLibrariesOfROCmsWheelsAreFound(t *testing.T) {
	venv, conda := t.TempDir(), t.TempDir()
	inVenv, inConda := wheel(t, venv, "x"), wheel(t, conda, "x")
	getenv := func(name string) string { return map[string]string{"VIRTUAL_ENV": venv, "CONDA_PREFIX": conda}[name] }
	places := hip.Places[len(hip.Places)-5:] // those that the environment chooses
	assert.Equal(t, []string{inConda, inVenv}, hip.Installed(places, getenv))

	// This library in a wheel of its own, beside ROCm's, in an environment that is not active.
	ours := filepath.Join(venv, "lib/python3.12/site-packages/mgpu_runtime/libmlir_rocm_runtime.so")
	require.NoError(t, os.Mkdir(filepath.Dir(ours), 0o700))
	assert.Equal(t, []string{inVenv}, hip.Installed(places, hip.From(ours, func(string) string { return "" })))

	root := filepath.Dir(filepath.Dir(inVenv)) // what 'rocm-sdk path --root' prints
	rocmPath := func(name string) string { return map[string]string{"ROCM_PATH": root}[name] }
	assert.Equal(t, []string{inVenv}, hip.Installed(places, rocmPath))
}

// A process of its own: the loader reads LD_LIBRARY_PATH when a process starts.
func TestInstalledLibrariesAreTriedAfterTheUsualNames(t *testing.T) {
	if file := os.Getenv("HIP_INSTALLED"); file != "" {
		_, err := hip.Open("", func() []string { return []string{"/nowhere/libamdhip64.so.9", file} })
		require.NoError(t, err)
		_, err = hip.Open("", func() []string { return []string{"/nowhere/libamdhip64.so.9"} })
		require.ErrorContains(t, err, "/nowhere/libamdhip64.so.9 (")
		return
	}
	folder := t.TempDir()
	for _, name := range []string{"libamdhip64.so", "libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("no library"), 0o600))
	}
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder, "HIP_INSTALLED="+wheel(t, t.TempDir(), drivertest.Stub(t)))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
