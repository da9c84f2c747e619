package rocm

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// thunk returns the folder of libhsakmt.so.1.
func thunk(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(chost.Root(), "build", "rocm")
	if library := os.Getenv("MGPU_LIB"); library != "" {
		dir = filepath.Join(filepath.Dir(library), "rocm")
	}
	if _, err := os.Stat(filepath.Join(dir, "libhsakmt.so.1")); err != nil {
		t.Skipf("the thunk is not built: %v", err)
	}
	return dir
}

// hip is AMD's library as Debian 12 has it.
const hip = "libamdhip64.so.5"

func needHIP(t *testing.T) {
	t.Helper()
	if found, _ := filepath.Glob("/usr/lib/*/" + hip); found == nil {
		t.Skipf("no %s: AMD's HIP is not installed", hip)
	}
}

// run compiles a program of hosts/ and runs it on AMD's HIP.
func run(t *testing.T, chip, program string, env []string, args ...string) chost.Result {
	t.Helper()
	dir := thunk(t)
	needHIP(t)
	toolchain.Need(t, "clang-22", "ld.lld-22")
	module := filepath.Join(t.TempDir(), "kernels.co")
	// Version 4 is what ROCm 5.2 loads.
	out, err := exec.Command("clang-22", "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-mcpu="+chip,
		"-mcode-object-version=4", "-O2", "-nogpulib", "--ld-path=ld.lld-22", "-o", module, "hosts/kernels.cl").CombinedOutput()
	require.NoError(t, err, string(out))
	path := chost.Build(t, program, []string{"hosts/" + program + ".c"}, "-l:"+hip, "-Wno-unused-function")
	env = append([]string{"LD_LIBRARY_PATH=" + dir, "MODULE=" + module, "MGPU_SOFT_CHIP=" + chip}, env...)
	return chost.Run(t, env, path, args...)
}

// succeeds runs a program that prints "ok".
func succeeds(t *testing.T, chip, program string, env ...string) {
	t.Helper()
	r := run(t, chip, program, env)
	require.Equal(t, "ok\n", r.Stdout, r.Stderr)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Empty(t, r.Stderr)
}

func TestVectorAddition(t *testing.T) {
	for _, chip := range []string{"gfx900", "gfx906", "gfx908", "gfx90a"} {
		t.Run(chip, func(t *testing.T) { succeeds(t, chip, "add") })
	}
}

func TestCopiesAndFills(t *testing.T) { succeeds(t, "gfx906", "copies") }

func TestStreamsWaitForEachOtherAndForTheHost(t *testing.T) { succeeds(t, "gfx906", "streams") }

func TestMemoryRunsOutAndIsRegistered(t *testing.T) {
	r := run(t, "gfx906", "memory", []string{"MGPU_SOFT_MEMORY=256MiB"})
	require.Equal(t, "ok\n", r.Stdout, r.Stderr)
	require.Equal(t, "exit 0", r.End, r.Stderr)
}

func TestGraphs(t *testing.T) { succeeds(t, "gfx906", "graph") }

func TestPeersShareMemory(t *testing.T) { succeeds(t, "gfx906", "peers", "MGPU_SOFT_DEVICES=2") }

func TestManagedMemory(t *testing.T) {
	succeeds(t, "gfx906", "managed")
	t.Run("XNACK", func(t *testing.T) { succeeds(t, "gfx90a", "managed", "MGPU_SOFT_CHIP=gfx90a:xnack+", "HSA_XNACK=1") })
}

func TestProcessesShareMemory(t *testing.T) { succeeds(t, "gfx906", "ipc") }

func TestMemoryFaultsAreTheRuntimesOwn(t *testing.T) {
	r := run(t, "gfx906", "fault", nil, "wild")
	require.Equal(t, "signal: aborted", r.End)
	require.Regexp(t, `(?m)^mgpu: queue \d+ of node 1: kernel wild: write to an address that is not mapped.* at wild\+0x[0-9a-f]+, .*work-item \(0,0,0\)`, r.Stderr)
	require.Contains(t, r.Stderr, "Memory access fault by GPU node-1")
}

func TestTrapsAreTheRuntimesOwn(t *testing.T) {
	r := run(t, "gfx906", "fault", nil, "trap")
	require.Equal(t, "signal: aborted", r.End)
	require.Regexp(t, `(?m)^mgpu: queue \d+ of node 1: kernel trap: trap: abort or failed assertion`, r.Stderr)
	require.Contains(t, r.Stderr, "HSA_STATUS_ERROR_EXCEPTION")
}

func TestEnvironmentThatMakesNoSenseIsReported(t *testing.T) {
	for variable, says := range map[string]string{
		"MGPU_SOFT_CHIP=gfx1100":   `chip "gfx1100" is not known`,
		"MGPU_SOFT_DEVICES=many":   "MGPU_SOFT_DEVICES=many is not a number",
		"MGPU_SOFT_DEVICES=100":    "100 devices, more than 63",
		"MGPU_SOFT_MEMORY=plenty":  "MGPU_SOFT_MEMORY=plenty is no size",
		"MGPU_SOFT_CHIP=gfx906:x+": `"x+" of chip "gfx906:x+"`,
	} {
		r := run(t, "gfx906", "add", []string{variable})
		require.Equal(t, "exit 1", r.End, variable)
		require.Contains(t, r.Stderr, "mgpu: no software GPU for ROCm: ")
		require.Contains(t, r.Stderr, says)
	}
}
