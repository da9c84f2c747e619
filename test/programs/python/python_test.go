package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// Debian's: another one on PATH need not have numpy.
const python = "/usr/bin/python3"

// programs is a folder with the lowered programs, made by the first test that asks.
var programs struct {
	sync.Once
	folder string
	err    error
}

func TestMain(m *testing.M) {
	status := m.Run()
	os.RemoveAll(programs.folder)
	os.Exit(status)
}

var importNumpy = sync.OnceValue(func() error { return exec.Command(python, "-c", "import numpy").Run() })

// compiled returns a folder with functions.so, linked without a runtime, and start.so,
// linked with the library.
func compiled(t *testing.T) string {
	t.Helper()
	toolchain.NeedMLIR(t)
	toolchain.Need(t, python)
	if err := importNumpy(); err != nil {
		t.Skip("numpy (python3-numpy) is not installed")
	}
	library := chost.Library(t)
	programs.Do(func() {
		if programs.folder, programs.err = os.MkdirTemp("", "python"); programs.err != nil {
			return
		}
		if programs.err = object(programs.folder, "async", "functions"); programs.err == nil {
			programs.err = object(programs.folder, "gpu", "start", library, "-Wl,-rpath,"+filepath.Dir(library))
		}
		if programs.err == nil {
			programs.err = kernels(programs.folder)
		}
	})
	require.NoError(t, programs.err)
	return programs.folder
}

// object makes a shared object of a program, in the folder.
func object(folder, kind, name string, link ...string) error {
	return objectFor("", folder, kind, name, link...)
}

// objectFor does so with code objects of a version, ABI: "400", or the newest.
func objectFor(abi, folder, kind, name string, link ...string) error {
	text, err := os.ReadFile(name + ".mlir")
	if err != nil {
		return err
	}
	lowered, err := toolchain.Lower(kind, string(text), "ABI="+abi)
	if err != nil {
		return err
	}
	object, err := toolchain.Object(lowered, folder)
	if err != nil {
		return err
	}
	_, err = toolchain.Run(nil, nil, "cc", append([]string{"-shared", object, "-o", filepath.Join(folder, name+".so")}, link...)...)
	return err
}

// kernels makes kernels.hsaco of kernels.cl.
func kernels(folder string) error {
	_, err := toolchain.Run(nil, nil, "clang-22", "-x", "cl", "-nogpulib", "-O2", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx906",
		"-fuse-ld=lld-22", "-cl-kernel-arg-info", "-o", filepath.Join(folder, "kernels.hsaco"), "kernels.cl")
	return err
}

// environment has the package found, and driver soft. It leaves no files beside the sources.
// From Python 3.12 on a fork of a process with threads warns.
func environment(more ...string) []string {
	return append([]string{"PYTHONPATH=" + filepath.Join(chost.Root(), "python"), "PYTHONDONTWRITEBYTECODE=1", "PYTHONWARNINGS=ignore::DeprecationWarning", "MGPU_DRIVER=soft"}, more...)
}

// TestThePackageWithinOneProcess runs suite.py, a subtest for each of its tests.
func TestThePackageWithinOneProcess(t *testing.T) {
	folder := compiled(t)
	r := chost.Run(t, environment("LIBRARY="+chost.Library(t), "MGPU_SOFT_DEVICES=2"), python, "-W", "error", "suite.py", folder)
	tests := regexp.MustCompile(`(?m)^(test_\w+) \(\S*?(\w+)\.test_\w+\) \.\.\. (.*)$`).FindAllStringSubmatch(r.Stdout, -1)
	require.Greater(t, len(tests), 35, "%s\n%s", r.Stdout, r.Stderr)
	for _, m := range tests {
		t.Run(m[2]+"/"+m[1], func(t *testing.T) { assert.Equal(t, "ok", m[3]) })
	}
	require.Equal(t, "exit 0", r.End, "%s\n%s", r.Stdout, r.Stderr)
}

const (
	traced = "Traceback (most recent call last):\n"
	inUse  = "'mgpuxAllocCacheDestroy(0x1)' failed with 'hipErrorInvalidValue': it is in use: begun 1 time more than ended, 0 blocks allocated\n"
)

func TestProcesses(t *testing.T) {
	folder := compiled(t)
	library := chost.Library(t)
	child := func(call string) string {
		return "child: UNKNOWN_ERROR '" + call + "' failed with 'process forked after the GPU runtime had started; the child may only exec'\nchild ends with 0\n"
	}
	for _, c := range []struct {
		name, end, stdout, stderr string // what begins with a traceback may go on
		env                       string
	}{
		{name: "loading", stdout: "1 thread\n"},
		{name: "fork", stdout: "1 thread\n8 of 8 right\n"},
		{name: "forkserver", stdout: "1 thread\n8 of 8 right\n"},
		{name: "spawn", stdout: "1 thread\n8 of 8 right\n"},
		{name: "spawn_after_a_call", stdout: "8 of 8 right\nparent True\n"},
		{name: "fork_in_the_middle", stdout: child("mgpuStreamCreate") + child("mgpuxGetDeviceCount") + child("mgpuxAllocCacheBegin") + "parent True True\n"},
		{name: "fork_in_a_block", stdout: child("mgpuStreamCreate") + "parent True\n"},
		{name: "fork_before_a_call_in_a_block", stdout: "KeyboardInterrupt, runs: True\nnext True\nlast True\nchild ends with 0\nparent True\n"},
		{name: "forks_among_threads", stdout: "0 wrong\n"},
		{name: "terminated_child", stdout: "child ends with -15\nparent True\n"},
		{name: "executor", stdout: "64 of 64 right\n"},
		{name: "noted", stdout: "KeyboardInterrupt, ended: True\n"},
		{name: "interrupted", stdout: "KeyboardInterrupt, runs: True\nnext True\nlast True\n"},
		{name: "interrupted_on_another_thread", stdout: "KeyboardInterrupt, runs: True\n"},
		{name: "interrupted_uncaught", end: "signal: interrupt", stderr: traced},
		{name: "interrupted_in_blocks", stdout: "KeyboardInterrupt\n" + inUse + "last True\n",
			stderr: "mgpu: graph 0x8000000000000001 is executed call by call: mgpuMemHostRegister can't be recorded\n"},
		{name: "interrupted_with_device_memory", stdout: "KeyboardInterrupt <memref<100xf32> on a device, freed>\nkept: 400\nkept: 0\nTrue\nTrue\nTrue\n"},
		{name: "interrupted_with_registered_memory", stdout: "KeyboardInterrupt\nstill registered\n{6.0}\n", env: "MGPU_DRIVER=soft"},
		{name: "handled", stdout: "ended: True\n"},
		{name: "handler_calls", stdout: "handler True\nended: True\n"},
		{name: "handler_exits", end: "exit 9"},
		{name: "terminated", end: "signal: terminated"},
		{name: "default_action", end: "signal: interrupt"},
		{name: "timed_out", env: "MGPU_SOFT_TIMEOUT=200ms",
			stdout: "LAUNCH_FAILURE 'hipModuleLaunchKernel(wait_for_kernel)' failed with 'hipErrorLaunchTimeOut': kernel wait_for_kernel did not end within 200ms..."},
		{name: "interrupted_then_failed", stdout: "KeyboardInterrupt\n",
			stderr: "'hipModuleLaunchKernel(double_kernel)' failed with 'hipErrorInvalidConfiguration': kernel double_kernel: grid (0,1,1) of workgroups (1,1,1) is empty along x\n"},
		{name: "another_chip", env: "MGPU_SOFT_CHIP=gfx900", stderr: "mgpu: calls that failed only because a load or a look-up before had failed: ",
			stdout: "WRONG_ARCH 'hipModuleLoadData' failed with 'hipErrorNoBinaryForGpu': the code object is for gfx906, the device is gfx900: lower with..."},
		{name: "uncaught", end: "exit 1", stderr: traced},
		{name: "exits_with_a_held_failure", stderr: "'hipStreamDestroy' failed with 'hipErrorInvalidHandle': no stream has the handle 0x0\n"},
		{name: "load_that_fails_twice", stdout: "not loaded\n", stderr: "'hipStreamDestroy' failed with 'hipErrorInvalidHandle': no stream has the handle 0x0\n"},
		{name: "exits", end: "exit 3"},
		{name: "exits_in_threads"},
		{name: "exits_with_an_exported_array"},
		{name: "forks_with_an_exported_array", stdout: "child ends with 0\nparent 40\nparent 0\n"},
		{name: "exits_with_work_in_flight", end: "exit 4"},
		{name: "raises", end: "exit 1", stderr: traced},
		{name: "by_ctypes", stdout: "0 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := chost.Run(t, environment("LIBRARY="+library, c.env), python, "process.py", folder, c.name)
			if c.end == "" {
				c.end = "exit 0"
			}
			assert.Equal(t, c.end, r.End, "%s\n%s", r.Stdout, r.Stderr)
			if start, cut := strings.CutSuffix(c.stdout, "..."); cut {
				assert.True(t, strings.HasPrefix(r.Stdout, start), r.Stdout)
			} else {
				assert.Equal(t, c.stdout, r.Stdout)
			}
			assert.LessOrEqual(t, strings.Count(r.Stdout+r.Stderr, "' failed with '"), max(1, strings.Count(c.stdout, "failed with")), "told once")
			if strings.HasSuffix(c.stderr, traced) || c.env != "" {
				assert.True(t, strings.HasPrefix(r.Stderr, c.stderr), r.Stderr)
			} else {
				assert.Equal(t, c.stderr, r.Stderr)
			}
		})
	}
}

// TestWhichLibraryIsUsed has copies of the package without the clone's build folder beside.
func TestWhichLibraryIsUsed(t *testing.T) {
	folder := compiled(t)
	library, err := filepath.EvalSymlinks(chost.Library(t))
	require.NoError(t, err)
	other := filepath.Join(t.TempDir(), "libmlir_rocm_runtime.so")
	contents, err := os.ReadFile(library)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(other, contents, 0o600))
	stock := chost.Build(t, "libmlir_rocm_runtime.so", []string{filepath.Join(chost.Root(), "test/mlir/stock/stock.c")}, "-shared", "-fPIC", "-Wl,-soname,libmlir_rocm_runtime.so.22.1")
	require.NoError(t, os.Symlink(filepath.Base(stock), stock+".22.1"))
	overStock := t.TempDir()
	require.NoError(t, object(overStock, "async", "functions", stock, "-Wl,-rpath,"+filepath.Dir(stock)))
	require.NoError(t, object(overStock, "gpu", "start"))
	run := func(t *testing.T, folder string, more ...string) chost.Result {
		t.Helper()
		packages := t.TempDir()
		require.NoError(t, exec.Command("cp", "-r", filepath.Join(chost.Root(), "python/mgpu_runtime"), packages).Run())
		for i, v := range more {
			if v == "beside" {
				require.NoError(t, os.Symlink(other, filepath.Join(packages, "mgpu_runtime/libmlir_rocm_runtime.so")))
				more = append(more[:i:i], more[i+1:]...)
				break
			}
		}
		return chost.Run(t, append(environment(), append([]string{"PYTHONPATH=" + packages}, more...)...), python, "process.py", folder, "library")
	}
	for name, c := range map[string]struct {
		env    []string
		folder string // of the programs, usually those of the other tests
		stdout string
		line   string // the last of standard error
	}{
		"beside the package":           {env: []string{"beside"}, stdout: other},
		"the loader's":                 {env: []string{"LD_LIBRARY_PATH=" + filepath.Dir(library)}, stdout: library},
		"preloaded":                    {env: []string{"beside", "LD_PRELOAD=" + library}, stdout: library},
		"named":                        {env: []string{"beside", "LIBRARY=" + library}, stdout: library},
		"programs linked with stock's": {env: []string{"LIBRARY=" + library}, folder: overStock, stdout: library},
		"none":                         {line: "OSError: libmlir_rocm_runtime.so: cannot open shared object file: No such file or directory; looked beside the package, in ../build, and where the loader does"},
		"named, and none there":        {env: []string{"LIBRARY=/none.so"}, line: "OSError: /none.so: cannot open shared object file: No such file or directory"},
		"named, and another preloaded": {env: []string{"LD_PRELOAD=" + library, "LIBRARY=" + other}, line: "OSError: " + other + " can't be used: " + library + " is in this process already"},
		"another runtime":              {env: []string{"LIBRARY=" + stock}, line: "OSError: " + stock + " is not a runtime for this package: it lacks "},
		"another runtime preloaded":    {env: []string{"beside", "LD_PRELOAD=" + stock}, line: "OSError: " + stock + " is in this process already, and is another runtime than this package's"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.folder == "" {
				c.folder = folder
			}
			r := run(t, c.folder, c.env...)
			if c.line == "" {
				assert.Equal(t, c.stdout+"\nTrue\n", r.Stdout, r.Stderr)
				assert.Empty(t, r.Stderr)
				return
			}
			lines := r.Lines()
			require.NotEmpty(t, lines)
			assert.True(t, strings.HasPrefix(lines[len(lines)-1], c.line), r.Stderr)
		})
	}
}

// TestArraysOfHIPAreOrderedByTheirStreams has arrays that another library fills on a stream of
// its own, over AMD's HIP 5.2.3 on the software GPU.
func TestArraysOfHIPAreOrderedByTheirStreams(t *testing.T) {
	compiled(t)
	folder := t.TempDir()
	require.NoError(t, objectFor("400", folder, "async", "functions"))
	driver := filepath.Join(filepath.Dir(chost.Library(t)), "rocm", "libmgpu_kfd.so")
	const captured = "the stream S is being captured into a graph, and lowered code waits for what it launches, which no capture can hold: call the function before the capture or after it\n"
	r := chost.Run(t, environment("LIBRARY="+chost.Library(t), "MGPU_DRIVER=hip", "LD_PRELOAD="+driver), python, "hip_arrays.py", folder)
	require.Equal(t, "exit 0", r.End, "%s\n%s", r.Stdout, r.Stderr)
	assert.Equal(t, `ByDLPack [6.0]
ByDLPack [6.0]
events for a stream that is named: 0, else: 1
ByInterface [6.0]
ByInterface [6.0]
(10, 0) (4,) <f4 3
[0.0, 1.0, 2.0, 3.0]
`+captured+captured+`the capture goes on: True
`, r.Stdout)
	assert.Empty(t, r.Stderr)
}

// TestAKernelIsCaptured launches one into a stream that the program captures by HIP's calls, over the
// HIP library for tests.
func TestAKernelIsCaptured(t *testing.T) {
	compiled(t)
	fakehip := filepath.Join(filepath.Dir(chost.Library(t)), "test/fakehip")
	r := chost.Run(t, environment("LIBRARY="+chost.Library(t), "MGPU_DRIVER=hip", "LD_LIBRARY_PATH="+fakehip), python, "captured.py", fakehip)
	require.Equal(t, "exit 0", r.End, "%s\n%s", r.Stdout, r.Stderr)
	assert.Equal(t, "captured: [1, 2, 3, 4]\nlaunched twice: [13, 22, 31, 40]\n", r.Stdout)
	assert.NotContains(t, r.Stderr, "failed with", "what the library keeps is told as leaked")
}
