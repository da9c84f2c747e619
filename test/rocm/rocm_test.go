package rocm

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
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

// suite is one of AMD's releases, as a suite of Debian has it.
type suite struct {
	name    string // of Debian's suite
	library string // HIP's
	version string // of code objects, that the release loads
	goesOn  bool   // programs are told of kernels that fail, and not ended
	env     []string
	expect  []drivertest.Option // of the drivers' suite
}

// differs is what AMD's releases do otherwise than the drivers' suite wants, and hip5
// what only HIP 5 does. docs/limits.md has the list for users.
var (
	differs = []drivertest.Option{
		drivertest.Unsupported("garbage", "HIP follows every handle and pointer from release 7 on"),
		drivertest.Unsupported("fault", "after a stray access HIP ends the process"),
		drivertest.ExpectFailure("memory/freeing twice or inside is an error", "HIP frees a block by any address in it"),
		drivertest.Unsupported("graph/launches of one exec on two streams do not overlap", "HIP's do; mgpu lets one wait for the other"),
	}
	hip5 = append(slices.Clone(differs),
		drivertest.ExpectFailure("module/code for another chip is refused", "HIP 5 says that it is no code object"),
		drivertest.Unsupported("launch/workgroups that are too large are errors", "HIP 5 counts the work-items in 32 bits and ends the process at 0"),
		drivertest.Unsupported("launch/missing arguments are an error", "HIP 5 reads them all the same"),
	)
)

var (
	machine = &suite{name: "bookworm", library: "libamdhip64.so.5", version: "4", expect: hip5} // the machine's own
	suites  = []*suite{
		machine,
		{name: "trixie", library: "libamdhip64.so.5", version: "5", env: []string{"HSA_ENABLE_IPC_MODE_LEGACY=1"}, expect: hip5},
		{name: "experimental", library: "libamdhip64.so.7", version: "6", goesOn: true, env: []string{"HSA_ENABLE_IPC_MODE_LEGACY=1", "HSA_ENABLE_DTIF=1"}, expect: differs},
	}
)

// root is where the suite is unpacked, empty for the machine's own. Where there is no
// HIP the test skips.
func (s *suite) root(t *testing.T) string {
	t.Helper()
	if s == machine {
		needHIP(t)
		return ""
	}
	root := filepath.Join(thunk(t), "..", "rocm-"+s.name)
	if _, err := os.Stat(filepath.Join(root, "unpacked")); err != nil {
		t.Skipf("HIP of Debian's %s is not unpacked: make test-rocm does that", s.name)
	}
	return root
}

func needHIP(t *testing.T) {
	t.Helper()
	if found, _ := filepath.Glob("/usr/lib/*/" + machine.library); found == nil {
		t.Skipf("no %s: AMD's HIP is not installed", machine.library)
	}
}

// run compiles a program of hosts/ and runs it on AMD's HIP.
func (s *suite) run(t *testing.T, chip, program string, env []string, args ...string) chost.Result {
	t.Helper()
	root := s.root(t)
	toolchain.Need(t, "clang-22", "ld.lld-22")
	module := filepath.Join(t.TempDir(), "kernels.co")
	out, err := exec.Command("clang-22", "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-mcpu="+chip,
		"-mcode-object-version="+s.version, "-O2", "-nogpulib", "--ld-path=ld.lld-22", "-o", module, "hosts/kernels.cl").CombinedOutput()
	require.NoError(t, err, string(out))
	flags := []string{"-l:" + s.library, "-Wno-unused-function", "-Wl,--allow-shlib-undefined"}
	if root != "" {
		flags = append([]string{"-L" + filepath.Join(root, "usr", "lib", "x86_64-linux-gnu")}, flags...)
	}
	path := chost.Build(t, program, []string{"hosts/" + program + ".c"}, flags...)
	return s.start(t, append([]string{"MODULE=" + module, "MGPU_SOFT_CHIP=" + chip}, env...), path, args...)
}

// start runs a program with the suite's libraries.
func (s *suite) start(t *testing.T, env []string, path string, args ...string) chost.Result {
	t.Helper()
	dir, root := thunk(t), s.root(t)
	env = append(slices.Clone(s.env), env...)
	if root == "" {
		return chost.Run(t, append(env, "LD_LIBRARY_PATH="+dir), path, args...)
	}
	return chost.Run(t, env, filepath.Join(root, "run"), append([]string{dir, path}, args...)...)
}

// succeeds runs a program that prints "ok".
func (s *suite) succeeds(t *testing.T, chip, program string, env ...string) {
	t.Helper()
	r := s.run(t, chip, program, env)
	require.Equal(t, "ok\n", r.Stdout, r.Stderr)
	require.Equal(t, "exit 0", r.End, r.Stderr)
}

// everywhere runs a test with each of AMD's releases that is there.
func everywhere(t *testing.T, test func(t *testing.T, s *suite)) {
	for _, s := range suites {
		t.Run(s.name, func(t *testing.T) { test(t, s) })
	}
}

func TestVectorAddition(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		chips := []string{"gfx900", "gfx906", "gfx908", "gfx90a"}
		if s != machine {
			chips = append(chips, "gfx942") // ROCm 5.2 is older
		}
		for _, chip := range chips {
			t.Run(chip, func(t *testing.T) { s.succeeds(t, chip, "add") })
		}
	})
}

func TestCopiesAndFills(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "copies") })
}

func TestStreamsWaitForEachOtherAndForTheHost(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "streams") })
}

func TestMemoryRunsOutAndIsRegistered(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "memory", "MGPU_SOFT_MEMORY=256MiB") })
}

func TestGraphs(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "graph") })
}

func TestPeersShareMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "peers", "MGPU_SOFT_DEVICES=2") })
}

func TestManagedMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.succeeds(t, "gfx906", "managed")
		t.Run("XNACK", func(t *testing.T) {
			if s.goesOn {
				t.Skip("ROCm 7.2 reserves addresses through libdrm, which the thunk refuses")
			}
			s.succeeds(t, "gfx90a", "managed", "MGPU_SOFT_CHIP=gfx90a:xnack+", "HSA_XNACK=1")
		})
	})
}

func TestProcessesShareMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "ipc") })
}

// ends checks how a program ended whose kernel failed.
func (s *suite) ends(t *testing.T, r chost.Result, failure string) {
	t.Helper()
	if !s.goesOn {
		require.Equal(t, "signal: aborted", r.End, r.Stderr)
		return
	}
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Contains(t, r.Stdout, "went on: "+failure)
}

func TestMemoryFaultsAreTheRuntimesOwn(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.run(t, "gfx906", "fault", nil, "wild")
		s.ends(t, r, "hipErrorIllegalAddress")
		require.Regexp(t, `(?m)^mgpu: queue \d+ of node 1: kernel wild: write to an address that is not mapped.* at wild\+0x[0-9a-f]+, .*work-item \(0,0,0\)`, r.Stderr)
		require.Regexp(t, "Memory access fault by GPU node-1|HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION", r.Stderr)
	})
}

func TestTrapsAreTheRuntimesOwn(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.run(t, "gfx906", "fault", nil, "trap")
		s.ends(t, r, "hipErrorLaunchFailure")
		require.Regexp(t, `(?m)^mgpu: queue \d+ of node 1: kernel trap: trap: abort or failed assertion`, r.Stderr)
		require.Contains(t, r.Stderr, "HSA_STATUS_ERROR_EXCEPTION")
	})
}

func TestEnvironmentThatMakesNoSenseIsReported(t *testing.T) {
	for variable, says := range map[string]string{
		"MGPU_SOFT_CHIP=gfx1100":   `chip "gfx1100" is not known`,
		"MGPU_SOFT_DEVICES=many":   "MGPU_SOFT_DEVICES=many is not a number",
		"MGPU_SOFT_DEVICES=100":    "100 devices, more than 63",
		"MGPU_SOFT_MEMORY=plenty":  "MGPU_SOFT_MEMORY=plenty is no size",
		"MGPU_SOFT_CHIP=gfx906:x+": `"x+" of chip "gfx906:x+"`,
	} {
		r := machine.run(t, "gfx906", "add", []string{variable})
		require.Equal(t, "exit 1", r.End, variable)
		require.Contains(t, r.Stderr, "mgpu: no software GPU for ROCm: ")
		require.Contains(t, r.Stderr, says)
	}
}

func TestWhatIsNotCheckedIsSaid(t *testing.T) {
	r := machine.run(t, "gfx906", "add", []string{"MGPU_CHECK=race"})
	require.Equal(t, "ok\n", r.Stdout)
	require.Equal(t, "mgpu: MGPU_CHECK=race: programs on AMD's HIP are not checked\n", r.Stderr)
}
