package rocm

import (
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// leaking is the environment in which what a program does not free is reported.
func leaking(t *testing.T, env ...string) []string {
	t.Helper()
	return append([]string{"MGPU_CHECK=leak", "MGPU_SOFT_CHIP=gfx906", "LD_PRELOAD=" + filepath.Join(libraries(t), "libmgpu_sites.so")}, env...)
}

func TestMemoryThatIsNeverFreedIsReportedWithItsSizeAndPlace(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		program := s.programOf(t, "leaks", s.library, "-l:libhsa-runtime64.so.1")
		r := s.start(t, leaking(t, "MGPU_ON_ERROR=exit:7"), program, "some")
		require.Equal(t, "exit 7", r.End, r.Stdout+r.Stderr)
		pitch := regexp.MustCompile(`^pitch: (\d+)\n$`).FindStringSubmatch(r.Stdout)
		require.NotNil(t, pitch, r.Stdout)
		require.Regexp(t, `(?m)^mgpu check: leak: 2 blocks of memory, 1024 bytes never freed, the last allocated by hipMalloc at .*leaks\.c:9$`, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: leak: 1 block of memory, 8192 bytes never freed, allocated by hipMallocAsync at .*leaks\.c:\d+$`, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: leak: 1 block of memory, `+pitch[1]+` bytes never freed, allocated by hipMallocPitch at .*leaks\.c:\d+$`, r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: leak: 1 block of memory, 12288 bytes never freed, allocated by hsa_amd_memory_pool_allocate at .*leaks\.c:\d+$`, r.Stderr)
		require.Len(t, regexp.MustCompile(`(?m)^mgpu check: leak: `).FindAllString(r.Stderr, -1), 4, r.Stderr)

		for _, frees := range []string{"all", "reset"} {
			r = s.start(t, leaking(t, "MGPU_ON_ERROR=exit:7"), program, frees)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Equal(t, []string{"mgpu check: leak: everything was given back"}, regexp.MustCompile(`(?m)^mgpu check: .*`).FindAllString(r.Stderr, -1), frees)
		}
	})
}

// Libraries that Python opens see HIP, and others do not.
func TestCallsAreNotedWhereHIPIsNotInTheGlobalScope(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		root := s.root(t)
		link := []string{"-shared", "-fPIC", "-l:" + s.library, "-l:libhsa-runtime64.so.1", "-Wno-unused-function", "-Wl,--allow-shlib-undefined"}
		if root != "" {
			link = append(link, "-L"+filepath.Join(root, "usr", "lib", "x86_64-linux-gnu"))
		}
		library := chost.Build(t, "leaks.so", []string{"hosts/leaks.c"}, link...)
		opens := chost.Build(t, "opened", []string{"hosts/opened.c"})
		r := s.start(t, leaking(t), opens, library, "some")
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.Regexp(t, `(?m)^mgpu check: leak: 2 blocks of memory, 1024 bytes never freed, the last allocated by hipMalloc at .*leaks\.c:9$`, r.Stderr)
	})
}

func TestLeaksNeedTheLibraryThatSeesTheCalls(t *testing.T) {
	r := machine.run(t, "gfx906", "add", []string{"MGPU_CHECK=leak"})
	require.NotEqual(t, "exit 0", r.End)
	require.Contains(t, r.Stderr, "mgpu: no software GPU for ROCm: MGPU_CHECK=leak: leak needs libmgpu_sites.so in LD_PRELOAD, where 'mgpu run --rocm' puts it\n")
	r = chost.Run(t, []string{"MODULE=" + machine.kernels(t, "gfx906")}, commandOf(t), "run", "--rocm", "--check=memory,leak", "--error-exitcode=9", machine.program(t, "check"), "well")
	require.Equal(t, "exit 9", r.End, r.Stderr)
	require.Regexp(t, `(?m)^mgpu check: leak: 1 block of memory, `+strconv.Itoa(250*4)+` bytes never freed, allocated by hipMalloc at .*check\.c:6$`, r.Stderr)
	require.Contains(t, r.Stderr, "mgpu check: memory: 1 launch: nothing found\n")
}
