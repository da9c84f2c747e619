package rocm

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// libraries returns the folder of libmgpu_kfd.so.
func libraries(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(chost.Root(), "build", "rocm")
	if library := os.Getenv("MGPU_LIB"); library != "" {
		dir = filepath.Join(filepath.Dir(library), "rocm")
	}
	if _, err := os.Stat(filepath.Join(dir, "libmgpu_kfd.so")); err != nil {
		t.Skipf("the stand-in for AMD's driver is not built: %v", err)
	}
	return dir
}

// onGPU returns the environment that puts the software GPU below a program.
func onGPU(dir string, env []string) []string {
	preload := filepath.Join(dir, "libmgpu_kfd.so")
	for i, v := range env {
		if others, ok := strings.CutPrefix(v, "LD_PRELOAD="); ok {
			env[i] = "LD_PRELOAD=" + preload + ":" + others
			return env
		}
	}
	return append(env, "LD_PRELOAD="+preload)
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

// differs are the differences of AMD's releases from the drivers' suite, and hip5 those of HIP 5 alone. docs/limits.md has the list for users.
var (
	differs = []drivertest.Option{
		drivertest.Unsupported("garbage", "HIP follows every handle and pointer from release 7 on"),
		drivertest.Unsupported("fault", "after a stray access HIP ends the process"),
		drivertest.ExpectFailure("memory/freeing twice or inside is an error", "HIP frees a block by any address in it"),
		drivertest.Unsupported("graph/launches of one exec on two streams do not overlap", "HIP's do; mgpu lets one wait for the other"),
	}
	hip6 = append(slices.Clone(differs),
		drivertest.Unsupported("launch/workgroups that are too large are errors", "HIP 6 counts the work-items in 32 bits and ends the process at 0"),
	)
	hip5 = append(slices.Clone(differs),
		drivertest.ExpectFailure("module/code for another chip is refused", "HIP 5 says that it is not a code object"),
		drivertest.Unsupported("launch/workgroups that are too large are errors", "HIP 5 counts the work-items in 32 bits and ends the process at 0"),
		drivertest.Unsupported("launch/missing arguments are an error", "HIP 5 reads them all the same"),
	)
)

var (
	bookworm = &suite{name: "bookworm", library: "libamdhip64.so.5", version: "4", expect: hip5}
	trixie   = &suite{name: "trixie", library: "libamdhip64.so.5", version: "5", env: []string{"HSA_ENABLE_IPC_MODE_LEGACY=1"}, expect: hip5}
	machine  = machines() // the machine's own
	suites   = []*suite{
		bookworm,
		trixie,
		{name: "sid", library: "libamdhip64.so.6", version: "6", expect: hip6},
		{name: "experimental", library: "libamdhip64.so.7", version: "6", goesOn: true, env: []string{"HSA_ENABLE_IPC_MODE_LEGACY=1"}, expect: differs},
	}
)

func machines() *suite {
	if found, _ := filepath.Glob("/usr/lib/*/libamdhip64.so.5.7.*"); found != nil {
		return trixie
	}
	return bookworm
}

// root is where the suite is unpacked, empty for the machine's own. Where there is no
// HIP the test skips.
func (s *suite) root(t *testing.T) string {
	t.Helper()
	if s == machine {
		needHIP(t)
		return ""
	}
	root := filepath.Join(libraries(t), "..", "rocm-"+s.name)
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
	s.root(t)
	env = append([]string{"MODULE=" + s.kernels(t, chip), "MGPU_SOFT_CHIP=" + chip}, env...)
	return s.start(t, env, s.program(t, program), args...)
}

func TestMain(m *testing.M) { chost.Main(m) }

// kernels is the code object of hosts/kernels.cl, compiled with further flags.
func (s *suite) kernels(t *testing.T, chip string, flags ...string) string {
	t.Helper()
	toolchain.Need(t, "clang-22", "ld.lld-22")
	return chost.Once(strings.Join(append([]string{"kernels", chip, s.version}, flags...), "."), func(path string) {
		line := append([]string{"-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + chip, "-gline-tables-only",
			"-mcode-object-version=" + s.version, "-O2", "-nogpulib", "--ld-path=ld.lld-22", "-o", path, "hosts/kernels.cl"}, flags...)
		out, err := exec.Command("clang-22", line...).CombinedOutput()
		require.NoError(t, err, string(out))
	})
}

// program is a program of hosts/, linked with the suite's HIP.
func (s *suite) program(t *testing.T, name string) string { return s.programOf(t, name, s.library) }

// programOf is a program of hosts/, linked with a library of the suite, and with more.
func (s *suite) programOf(t *testing.T, name, library string, more ...string) string {
	t.Helper()
	root := s.root(t)
	return chost.Once(name+"."+s.name, func(path string) {
		flags := []string{"-l:" + library, "-Wno-unused-function", "-Wl,--allow-shlib-undefined"}
		if root != "" {
			flags = append([]string{"-L" + filepath.Join(root, "usr", "lib", "x86_64-linux-gnu")}, flags...)
		}
		require.NoError(t, os.Rename(chost.Build(t, name, []string{"hosts/" + name + ".c"}, append(flags, more...)...), path))
	})
}

// start runs a program with the suite's libraries.
func (s *suite) start(t *testing.T, env []string, path string, args ...string) chost.Result {
	t.Helper()
	env, command := s.command(t, env, path, args...)
	return chost.Run(t, env, command[0], command[1:]...)
}

// command returns the command that starts a program with the suite's libraries.
func (s *suite) command(t *testing.T, env []string, path string, args ...string) (environment, command []string) {
	t.Helper()
	dir, root := libraries(t), s.root(t)
	env, command = append(slices.Clone(s.env), env...), append([]string{path}, args...)
	env = onGPU(dir, env)
	if root == "" {
		return env, command
	}
	return env, append([]string{filepath.Join(root, "run"), ""}, command...)
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
		chips := []string{"gfx900", "gfx906", "gfx908", "gfx90a", "gfx1030"}
		if s != bookworm {
			chips = append(chips, "gfx942", "gfx1100") // ROCm 5.2 is older
		}
		if s.version == "6" {
			chips = append(chips, "gfx1201")
		}
		for _, chip := range chips {
			t.Run(chip, func(t *testing.T) { s.succeeds(t, chip, "add") })
		}
	})
}

func TestCopiesAndFills(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "copies") })
}

// ROCr 7 chooses between the copy engines of gfx942 and gfx950 before it asks for a queue.
func TestCopiesOfAMDsRuntimeChooseTheirEngine(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		chips := []string{"gfx906", "gfx90a", "gfx942", "gfx950"}
		switch s {
		case bookworm:
			chips = chips[:2]
		case trixie:
			chips = chips[:3]
		}
		for _, chip := range chips {
			r := s.start(t, []string{"MGPU_SOFT_CHIP=" + chip}, s.programOf(t, "dma", "libhsa-runtime64.so.1"))
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Equal(t, "ok\n", r.Stdout, chip)
		}
	})
}

func TestStreamsWaitForEachOtherAndForTheHost(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "streams") })
}

func TestPairsOfWordsAreStoredAndLoadedAtOnce(t *testing.T) {
	machine.succeeds(t, "gfx906", "pairs")
}

func TestMemoryRunsOutAndIsRegistered(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "memory", "MGPU_SOFT_MEMORY=256MiB") })
}

func TestGraphs(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "graph") })
}

func TestPeersShareMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.succeeds(t, "gfx906", "peers", "MGPU_SOFT_DEVICES=2") // by PCI express
		s.succeeds(t, "gfx90a", "peers", "MGPU_SOFT_DEVICES=2") // by XGMI
	})
}

func TestManagedMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.succeeds(t, "gfx906", "managed")
		s.succeeds(t, "gfx90a", "managed", "MGPU_SOFT_CHIP=gfx90a:xnack+", "HSA_XNACK=1")
	})
}

func TestProcessesShareMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.succeeds(t, "gfx906", "ipc")
		s.succeeds(t, "gfx906", "ipc", "HSA_ENABLE_IPC_MODE_LEGACY=0") // by dma-bufs, from ROCm 6 on
	})
}

func TestMemoryOfPools(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "pools") })
}

func TestMemoryIsMappedToReservedAddresses(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		if s.version < "6" {
			t.Skip("HIP has it from 6 on, by dma-bufs")
		}
		s.succeeds(t, "gfx906", "virtual")
		s.succeeds(t, "gfx942", "virtual")
	})
}

// ends checks the end of a program whose kernel failed.
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
		if !s.goesOn {
			require.Contains(t, r.Stderr, "Memory access fault by GPU node-1")
		}
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
		"MGPU_SOFT_CHIP=gfx1010":   "MGPU_SOFT_CHIP=gfx1010: no such chip; there are gfx900, ",
		"MGPU_SOFT_DEVICES=many":   "MGPU_SOFT_DEVICES=many: expected a number from 1 to 64",
		"MGPU_SOFT_DEVICES=100":    "MGPU_SOFT_DEVICES=100: expected a number from 1 to 64",
		"MGPU_SOFT_MEMORY=plenty":  "MGPU_SOFT_MEMORY=plenty: expected a number of bytes (8GiB)",
		"MGPU_SOFT_CHIP=gfx906:x+": `MGPU_SOFT_CHIP=gfx906:x+: unknown feature "x+"`,
	} {
		r := machine.run(t, "gfx906", "add", []string{variable})
		require.Equal(t, "exit 1", r.End, variable)
		require.Contains(t, r.Stderr, "mgpu: no software GPU for ROCm: ")
		require.Contains(t, r.Stderr, says)
	}
}

// checked runs hosts/check.c, whose kernels are watched.
func (s *suite) checked(t *testing.T, check, what string, env ...string) chost.Result {
	t.Helper()
	return s.run(t, "gfx906", "check", append([]string{"MGPU_CHECK=" + check, "HSA_DISABLE_FRAGMENT_ALLOCATOR=1",
		"LD_PRELOAD=" + filepath.Join(libraries(t), "libmgpu_sites.so")}, env...), what)
}

func TestTheCheckerNamesKernelLineWorkItemAndAllocation(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.checked(t, "memory,race", "beyond")
		s.ends(t, r, "hipErrorIllegalAddress")
		require.Regexp(t, `(?m)^mgpu check: memory: read of 4 bytes at 0x[0-9a-f]+, in kernel increment
    at increment\+0x[0-9a-f]+ .*hosts/kernels\.cl:10
    by workgroup \(3,0,0\), work-item \(58,0,0\), wave 0 lane 58.*
    0x[0-9a-f]+ is 0 bytes past the end of the block of 1000 bytes at 0x[0-9a-f]+, allocated by hipMalloc at .*check\.c:6`, r.Stderr)
	})
}

func TestTheCheckerKnowsMemoryThatWasFreed(t *testing.T) {
	r := machine.checked(t, "memory", "late")
	machine.ends(t, r, "")
	require.Regexp(t, `is byte 0 of a block that was freed: the block of 1000 bytes at 0x[0-9a-f]+, allocated by hipMalloc at .*check\.c:6`, r.Stderr)
}

func TestTheCheckerFindsRaces(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.checked(t, "memory,race", "race")
		require.Equal(t, "went on: hipSuccess\n", r.Stdout, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: race: write of 4 bytes .*, in kernel collide
    at collide\+0x[0-9a-f]+ .*hosts/kernels\.cl:19
    by workgroup`, r.Stderr)
		require.Regexp(t, `(?m)is byte 0 of the block of 1000 bytes`, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: memory,race: 1 launch: race in 1 place`, r.Stderr)
	})
}

func TestTheCheckerWatchesKernelsWhoseImageIsGone(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.checked(t, "memory,race", "gone")
		require.Equal(t, "went on: hipSuccess\n", r.Stdout, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: race: write of 4 bytes .*, in kernel collide\n    at collide\+0x[0-9a-f]+ `, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: memory,race: 1 launch: race in 1 place`, r.Stderr)
	})
}

func TestTheCheckerFindsKernelsThatWriteOverTheirCode(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.checked(t, "memory", "code")
		require.Equal(t, "went on: hipSuccess\n", r.Stdout, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: memory: write of 4 bytes over the code of the kernel's own module, at 0x[0-9a-f]+, in kernel overwrite
    at overwrite\+0x[0-9a-f]+ .*hosts/kernels\.cl:\d+
    by workgroup \(0,0,0\), work-item \(0,0,0\), wave 0 lane 0
    written over is overwrite\+0x[0-9a-f]+ `, r.Stderr)
	})
}

func TestTheCheckerIsSilentWhereNothingIsWrong(t *testing.T) {
	r := machine.checked(t, "memory,race", "well")
	require.Equal(t, "went on: hipSuccess\n", r.Stdout, r.Stderr)
	require.Equal(t, "mgpu check: memory,race: 1 launch: nothing found\n", withoutLeaks(r.Stderr))
}

// withoutLeaks removes the line in which ROCr of HIP 7.2.4 counts, in some runs, the signals in use at its end.
func withoutLeaks(stderr string) string { return rocrLeaks.ReplaceAllString(stderr, "") }

var rocrLeaks = regexp.MustCompile(`(?m)^Warning: Resource leak detected by SharedSignalPool, \d+ Signals leaked\.\n`)

// Of global memory the checker does not know what the host wrote.
func TestTheCheckerFindsReadsOfUnwrittenWorkgroupMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.checked(t, "uninit", "unwritten")
		require.Equal(t, "went on: hipSuccess\n", r.Stdout, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: uninit: read of 4 bytes of workgroup memory that no work-item wrote, at offset 252, in kernel unwritten
    at unwritten\+0x[0-9a-f]+ .*hosts/kernels\.cl:\d+
    by workgroup \(0,0,0\), work-item \(0,0,0\), wave 0 lane 0, and 31 more of its wave
`, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: uninit: 1 launch: uninit in 1 place`, r.Stderr)
		r = s.checked(t, "uninit", "well")
		require.Equal(t, "mgpu check: uninit: 1 launch: nothing found\n", withoutLeaks(r.Stderr))
	})
}
