package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// repository is a copy of docs/gallery/ci, on a machine where its packages are installed.
type repository struct {
	folder string
	env    []string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	toolchain.Need(t, "clang-22", "ld.lld-22", "cmake", "cc")
	needNumpy(t)
	if err := exec.Command("/usr/bin/python3", "-c", "import pytest").Run(); err != nil {
		t.Skip("pytest (python3-pytest) is not installed")
	}
	machine, r := t.TempDir(), &repository{folder: filepath.Join(t.TempDir(), "checkout")}
	link := func(from, to string) {
		to = filepath.Join(machine, to)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
		require.NoError(t, os.Symlink(from, to))
	}
	library := chost.Library(t)
	link(library, "usr/lib/libmlir_rocm_runtime.so")
	link(filepath.Join(chost.Root(), "cmake/mgpuConfig.cmake"), "usr/lib/cmake/mgpu/mgpuConfig.cmake")
	link(filepath.Join(chost.Root(), "include/mgpu_runtime.h"), "usr/include/mgpu_runtime.h")
	for name, tool := range map[string]string{"clang": "clang-22", "ld.lld": "ld.lld-22"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		link(path, "bin/"+name)
	}
	require.NoError(t, os.CopyFS(r.folder, os.DirFS(filepath.Join(chost.Root(), "docs/gallery/ci"))))
	r.env = environment("CMAKE_PREFIX_PATH="+machine+"/usr", "LD_LIBRARY_PATH="+filepath.Dir(library), "PATH="+machine+"/bin:/usr/bin:"+os.Getenv("PATH"),
		"PYTHONPATH="+filepath.Join(chost.Root(), "python"), "PYTHONDONTWRITEBYTECODE=1", "PYTEST_PLUGINS=mgpu_runtime.pytest_plugin",
		"MGPU_ANNOTATE=github", "GITHUB_WORKSPACE="+r.folder)
	r.env = slices.DeleteFunc(r.env, func(v string) bool { return strings.HasPrefix(v, "BUILD=") }) // make's
	return r
}

// run does a step of a workflow as a service does, and returns what it prints.
func (r *repository) run(step string) (output string, err error) {
	cmd := exec.Command("bash", "-e", "-c", step)
	cmd.Dir, cmd.Env = r.folder, r.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// workflow returns the steps of a file that follow the installing of packages.
func workflow(t *testing.T, name string, step *regexp.Regexp, after string) (steps []string) {
	t.Helper()
	_, rest, found := strings.Cut(read(t, "docs/gallery/ci/"+name), after)
	require.True(t, found)
	for _, m := range step.FindAllStringSubmatch(rest, -1) {
		steps = append(steps, m[1])
	}
	return steps
}

func TestTheExampleRepositoryOfCI(t *testing.T) {
	r := newRepository(t)
	github := workflow(t, ".github/workflows/ci.yml", regexp.MustCompile(`run: (?:\|\n)?((?: {10}.*\n)+|.*\n)`), "- name: Build")
	require.Len(t, github, 3)
	gitlab := workflow(t, ".gitlab-ci.yml", regexp.MustCompile(`(?m)^    - (.*)$`), "  script:\n")
	require.Len(t, gitlab, 4)
	for _, steps := range [][]string{github, gitlab} {
		for _, step := range steps {
			out, err := r.run(step)
			require.NoError(t, err, "%s\n%s", step, out)
			assert.NotContains(t, out, "mgpu check: race")
		}
		require.NoError(t, os.RemoveAll(filepath.Join(r.folder, "build")))
	}

	kernel := filepath.Join(r.folder, "kernels/smooth.cl")
	text, err := os.ReadFile(kernel)
	require.NoError(t, err)
	for _, mistake := range []struct{ is, becomes, check string }{
		{"  __builtin_amdgcn_s_barrier();\n", "", "race"},
		// The results stay right: reads beyond workgroup memory give 0.
		{"tile[local_id + 2])", "tile[local_id + 2] + 0 * tile[local_id + 300])", "memory"},
	} {
		wrong := strings.Replace(string(text), mistake.is, mistake.becomes, 1)
		require.NotEqual(t, string(text), wrong)
		require.NoError(t, os.WriteFile(kernel, []byte(wrong), 0o600))
		out, err := r.run(github[0])
		require.NoError(t, err, out)
		for _, step := range github[1:] {
			out, err := r.run(step)
			require.Error(t, err, out)
			assert.Contains(t, out, "mgpu check: "+mistake.check+": ", step)
			assert.Regexp(t, `(?m)^::error file=kernels/smooth\.cl,line=\d+,title=mgpu check%3A `+mistake.check+`::mgpu check: `, out, step)
			assert.Equal(t, mistake.check == "race" && step == github[2], strings.Contains(out, "AssertionError"), out)
		}
	}
	out, err := r.run("python3 -m pytest --mgpu-chip=gfx906 tests")
	require.Error(t, err, out)
	assert.Contains(t, out, "the code object is for gfx90a, the device is gfx906", "a chip without checks")
	out, err = r.run("python3 -m pytest --mgpu-report=report.json tests")
	require.Error(t, err, out)
	assert.Equal(t, "ERROR: --mgpu-report keeps what --mgpu-check finds: give --mgpu-check=LIST, too\n\n", out)
	out, err = r.run("MGPU_ANNOTATE= python3 -m pytest --mgpu-chip=gfx90a --mgpu-check=memory --mgpu-report=report.json tests")
	require.Error(t, err, out)
	assert.NotContains(t, out, "::error")
	report, err := os.ReadFile(filepath.Join(r.folder, "report.json"))
	require.NoError(t, err)
	assert.Regexp(t, `"check":"memory","file":"`+kernel+`","kernel":"smooth","kind":"check","line":\d+,`, string(report))
}
