package dist

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/include"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dist returns the folder of the packages.
func dist(t *testing.T) string {
	t.Helper()
	if !chost.Long() {
		t.Skip("installs the packages of make dist: make test-dist and make test-long do")
	}
	return filepath.Join(filepath.Dir(chost.Library(t)), "dist")
}

// one returns the only file that matches a pattern.
func one(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.Len(t, found, 1, pattern)
	return found[0]
}

// succeeds runs a command on the software GPU and returns its output and errors.
func succeeds(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err)
	r := chost.Run(t, append(env, "MGPU_DRIVER=soft", "MGPU_STATS=1"), path, args...)
	require.Equal(t, "exit 0", r.End, "%s %v\n%s%s", name, args, r.Stdout, r.Stderr)
	return r.Stdout + r.Stderr
}

const statistics = "mgpu statistics: driver soft"

var consumer = filepath.Join(chost.Root(), "test/library/package/consumer/consumer.c")

// stock returns a program that is linked against a stand-in for MLIR's own runtime with its name of LLVM 22, which it
// searches after LD_LIBRARY_PATH.
func stock(t *testing.T) string {
	t.Helper()
	runtime := chost.Build(t, "libmlir_rocm_runtime.so.22.1", []string{filepath.Join(chost.Root(), "test/mlir/stock/stock.c")},
		"-shared", "-fPIC", "-Wl,-soname,libmlir_rocm_runtime.so.22.1")
	return chost.Build(t, "stock", []string{consumer}, "-Wl,--no-as-needed", runtime, "-Wl,-rpath,"+filepath.Dir(runtime))
}

// serves checks that an installation below prefix has everything that programs need.
func serves(t *testing.T, prefix, libraries string, pkgconfig ...string) {
	t.Helper()
	flags := strings.Fields(succeeds(t, append(pkgconfig, "PKG_CONFIG_LIBDIR="+libraries+"/pkgconfig"), "pkg-config", "--cflags", "--libs", "mgpu"))
	program := filepath.Join(t.TempDir(), "consumer")
	succeeds(t, nil, "cc", append([]string{consumer, "-o", program}, flags...)...)
	path := []string{"LD_LIBRARY_PATH=" + libraries}
	assert.Contains(t, succeeds(t, path, program), statistics)
	assert.Contains(t, succeeds(t, path, stock(t)), statistics)
	for _, vendor := range []string{"rocm", "cuda"} {
		for _, release := range []string{"", ".22.0git", ".22.1", ".23.0git", ".23.1", ".24.0"} {
			assert.FileExists(t, libraries+"/libmlir_"+vendor+"_runtime.so"+release)
		}
	}
	mgpu := prefix + "/bin/mgpu"
	assert.Contains(t, succeeds(t, nil, mgpu, "version"), "\nlibrary "+include.Version()+" ("+libraries+"/libmlir_rocm_runtime.so)\n")
	assert.Contains(t, succeeds(t, nil, mgpu, "run", program), statistics)
	assert.Contains(t, succeeds(t, nil, mgpu, "doctor"), libraries+"/mgpu/rocm/libmgpu_kfd.so stands in for AMD's kernel driver")
}

// clean returns a folder's path without links.
func clean(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return dir
}

func TestDebsServeInAnEmptyRoot(t *testing.T) {
	files := []string{one(t, dist(t)+"/mgpu-runtime_*.deb"), one(t, dist(t)+"/mgpu-rocm_*.deb")}
	root := clean(t)
	for _, folder := range []string{"updates", "info"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg", folder), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o600))
	// The root lacks libc6, on which both depend.
	succeeds(t, nil, "dpkg", append([]string{"--root=" + root, "--force-depends", "--force-not-root", "--log=" + root + "/log", "-i"}, files...)...)
	serves(t, root+"/usr", one(t, root+"/usr/lib/*-linux-gnu"), "PKG_CONFIG_SYSROOT_DIR="+root)
	assert.FileExists(t, root+"/usr/share/zsh/vendor-completions/_mgpu", "Debian's zsh looks in no site-functions of /usr")
	if lintian, err := exec.LookPath("lintian"); err == nil {
		succeeds(t, nil, lintian, append([]string{"--allow-root", "--fail-on=error,warning"}, files...)...)
	}
}

func TestTarFileServesFromAnyFolder(t *testing.T) {
	file := one(t, dist(t)+"/mgpu-*.tar.gz")
	prefix := filepath.Join(clean(t), "elsewhere")
	require.NoError(t, os.Mkdir(prefix, 0o700))
	succeeds(t, nil, "tar", "-x", "--strip-components=1", "-C", prefix, "-f", file)
	serves(t, prefix, prefix+"/lib")
}

func TestWheelServesFromAnyFolder(t *testing.T) {
	file := one(t, dist(t)+"/mgpu_runtime-"+include.Version()+"-py3-none-manylinux_2_28_*.whl")
	target := filepath.Join(clean(t), "target")
	succeeds(t, nil, "/usr/bin/python3", "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-index", "--target", target, file)
	path := []string{"PYTHONPATH=" + target}
	printed := succeeds(t, path, "/usr/bin/python3", "-c", "import mgpu_runtime; print(mgpu_runtime.library_path(), mgpu_runtime.device_count())")
	assert.Contains(t, printed, target+"/mgpu_runtime/libmlir_rocm_runtime.so 1\n")
	assert.Contains(t, printed, statistics)
	assert.Contains(t, succeeds(t, path, target+"/bin/mgpu", "run", stock(t)), statistics)
}

func TestPackagesAreTheSameASecondTime(t *testing.T) {
	folder := dist(t)
	sums, err := os.ReadFile(folder + "/SHA256SUMS")
	require.NoError(t, err)
	build := t.TempDir()
	for _, name := range []string{"libmlir_rocm_runtime.so", "mgpu", "rocm"} {
		require.NoError(t, os.Symlink(filepath.Join(filepath.Dir(folder), name), filepath.Join(build, name)))
	}
	succeeds(t, []string{"BUILD=" + build}, filepath.Join(chost.Root(), "scripts/dist"))
	again, err := os.ReadFile(build + "/dist/SHA256SUMS")
	require.NoError(t, err)
	assert.Equal(t, string(sums), string(again))
	for _, line := range strings.Split(strings.TrimSpace(string(sums)), "\n") {
		sum, name, _ := strings.Cut(line, "  ")
		file, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		assert.Equal(t, sum, fmt.Sprintf("%x", sha256.Sum256(file)), name)
	}
}

// The oldest Debian on the mirrors has glibc 2.31. It gets its own mounts, since the go command would look for packages
// in a /proc below build.
func TestPackagesServeWithAnOldGlibc(t *testing.T) {
	folder := dist(t)
	if _, err := exec.LookPath("debootstrap"); err != nil || os.Getuid() != 0 {
		t.Skip("needs debootstrap, and root to use what it makes")
	}
	root := filepath.Join(filepath.Dir(folder), "bullseye")
	if !exists(root) {
		unfinished := root + ".new"
		require.NoError(t, os.RemoveAll(unfinished))
		succeeds(t, nil, "unshare", "--mount", "debootstrap", "--variant=minbase", "--include=gcc,libc6-dev,python3-pip", "bullseye", unfinished)
		require.NoError(t, os.Rename(unfinished, root))
	}
	files, err := filepath.Glob(folder + "/*_*")
	require.NoError(t, err)
	require.NoError(t, exec.Command("cp", append(files, consumer, root+"/tmp")...).Run())
	inside := func(command string) string {
		return succeeds(t, []string{"LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"}, "unshare", "--mount", "/bin/sh", "-e", "-c",
			"mount -t proc proc $0/proc; exec chroot $0 /bin/sh -e -c 'cd /tmp; '\"$1\"", root, command)
	}
	inside("dpkg -i mgpu-*.deb && gcc consumer.c -o consumer -lmlir_rocm_runtime")
	assert.Contains(t, inside("./consumer"), statistics)
	assert.Contains(t, inside("mgpu version"), "\nlibrary "+include.Version()+" (/usr/lib/")
	assert.Contains(t, inside("mgpu run ./consumer"), statistics)
	inside("dpkg -r mgpu-rocm mgpu-runtime && rm -rf target && python3 -m pip --quiet install --no-index --target target *.whl")
	assert.Contains(t, inside("PYTHONPATH=target target/bin/mgpu run ./consumer"), statistics)
}
