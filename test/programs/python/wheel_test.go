package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// usesTheWheel needs no numpy.
const usesTheWheel = `
import array, sys, mgpu_runtime
x = array.array("f", [1, 2, 3])
mgpu_runtime.load(sys.argv[1] + "/functions.so").function("double", "(memref<?xf32>)")(x)
print(mgpu_runtime.library_path(), list(x))
`

// TestTheWheelIsAllThatIsNeeded installs what scripts/wheel makes in an empty environment.
func TestTheWheelIsAllThatIsNeeded(t *testing.T) {
	folder := compiled(t)
	if err := exec.Command(python, "-c", "import pip, wheel").Run(); err != nil {
		t.Skip("pip and wheel (python3-pip, python3-wheel) are not installed")
	}
	dir := t.TempDir()
	build, venv := filepath.Join(dir, "build"), filepath.Join(dir, "venv")
	require.NoError(t, os.Mkdir(build, 0o700))
	require.NoError(t, os.Symlink(chost.Library(t), filepath.Join(build, "libmlir_rocm_runtime.so")))
	require.NoError(t, os.Symlink(chost.Command(t), filepath.Join(build, "mgpu")))
	succeeds := func(name string, args ...string) chost.Result {
		t.Helper()
		r := chost.Run(t, []string{"BUILD=" + build, "MGPU_DRIVER=soft"}, name, args...)
		require.Equal(t, "exit 0", r.End, "%s\n%s", r.Stdout, r.Stderr)
		return r
	}
	wheel := strings.TrimSpace(succeeds(filepath.Join(chost.Root(), "scripts/wheel")).Stdout)
	require.Regexp(t, `/dist/mgpu_runtime-[\d.]+-py3-none-manylinux_2_(2[89]|[3-9]\d)_\w+\.whl$`, wheel, "no glibc is promised that is not tested")
	succeeds(python, "-m", "venv", "--without-pip", venv)
	succeeds(python, "-m", "pip", "--python", venv+"/bin/python", "--quiet", "--disable-pip-version-check", "install", "--no-index", wheel)

	packages, err := filepath.Glob(venv + "/lib/python3.*/site-packages")
	require.NoError(t, err)
	require.Len(t, packages, 1)
	about, err := filepath.Glob(packages[0] + "/mgpu_runtime-*.dist-info/*")
	require.NoError(t, err)
	text := func(name string) string {
		require.Contains(t, about, filepath.Join(filepath.Dir(about[0]), name))
		file, err := os.ReadFile(filepath.Join(filepath.Dir(about[0]), name))
		require.NoError(t, err)
		return string(file)
	}
	assert.Contains(t, text("WHEEL"), "Root-Is-Purelib: false\n", "it has compiled files")
	assert.NotContains(t, text("RECORD"), "purelib")
	assert.Contains(t, text("METADATA"), "\n\n# mgpu_runtime\n", "the page of a package index")
	library := filepath.Join(packages[0], "mgpu_runtime/libmlir_rocm_runtime.so")
	want := library + " [2.0, 4.0, 6.0]\n"
	r := succeeds(venv+"/bin/python", "-c", usesTheWheel, folder)
	assert.Equal(t, want, r.Stdout)
	r = succeeds(venv+"/bin/mgpu", "run", "--stats", venv+"/bin/python", "-c", usesTheWheel, folder)
	assert.Equal(t, want, r.Stdout)
	assert.Contains(t, r.Stderr, "mgpu statistics: driver soft")
	assert.Regexp(t, `^mgpu [\d.]+ \(.*\nlibrary\n  `+regexp.QuoteMeta(library)+`, SONAME \S+, version [\d.]+\n`, succeeds(venv+"/bin/mgpu", "doctor").Stdout)
}
