package mpi

import (
	"fmt"
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

// heaps builds hosts/heaps.c and its kernels, and returns the command.
func heaps(t *testing.T) (program, kernels string) {
	t.Helper()
	toolchain.Need(t, "clang-22", "ld.lld-22", "cc")
	build := filepath.Dir(chost.Library(t))
	require.FileExists(t, filepath.Join(build, "libmgpu_symmetric.so"), "make")
	dir := t.TempDir()
	program, kernels = filepath.Join(dir, "heaps"), filepath.Join(dir, "heaps.hsaco")
	_, err := toolchain.Run(nil, nil, "clang-22", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-O2", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx906",
		"-fuse-ld=lld-22", "-o", kernels, "heaps.cl")
	require.NoError(t, err)
	_, err = toolchain.Run(nil, nil, "cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I"+filepath.Join(chost.Root(), "include"), "hosts/heaps.c", "-o", program,
		"-L"+build, "-Wl,-rpath,"+build, "-lmgpu_symmetric", "-lmlir_rocm_runtime", "-ldl")
	require.NoError(t, err)
	return program, kernels
}

// right are the lines of so many ranks, sorted.
func right(ranks int) (lines []string) {
	for r := range ranks {
		lines = append(lines, fmt.Sprintf("rank %d of %d: right", r, ranks))
	}
	return lines
}

func sorted(text string) []string { return slices.Sorted(strings.Lines(text)) }

func lines(text ...string) []string {
	for i := range text {
		text[i] += "\n"
	}
	return text
}

func TestKernelsReachTheHeapsOfAllRanks(t *testing.T) {
	program, kernels := heaps(t)
	for _, m := range Both {
		for _, devices := range []string{"1", "4"} {
			t.Run(m.Name+"/"+devices, func(t *testing.T) {
				toolchain.Need(t, m.Start)
				r := m.Run(t, 4, []string{"MGPU_SOFT_DEVICES=" + devices, "MGPU_CHECK=memory"}, program, kernels)
				require.Equal(t, "exit 0", r.End, "%s\n%s", r.Stdout, r.Stderr)
				assert.Equal(t, lines(right(4)...), sorted(r.Stdout), r.Stderr)
			})
		}
	}
	t.Run("one process", func(t *testing.T) {
		r := Both[0].Run(t, 0, nil, program, kernels)
		assert.Equal(t, "rank 0 of 1: right\n", r.Stdout, r.Stderr)
	})
}

// started starts ranks by mlir-air's variables alone, each from a shell of its own, as its Makefiles do.
func started(t *testing.T, ranks int, mode string, env ...string) (all []chost.Result) {
	t.Helper()
	program, kernels := heaps(t)
	results := make(chan chost.Result)
	for rank := range ranks {
		go func() {
			all := append([]string{"MGPU_DRIVER=soft", fmt.Sprintf("RANK=%d", rank), fmt.Sprintf("WORLD_SIZE=%d", ranks), "LOCAL_RANK=0", "AIRGPU_JOB_ID=" + t.Name()}, env...)
			results <- chost.Run(t, all, "sh", "-c", `"$@"; exit $?`, "sh", program, kernels, mode)
		}()
	}
	for range ranks {
		all = append(all, <-results)
	}
	return all
}

func TestRanksOfShellsFindEachOther(t *testing.T) {
	var said string
	for _, r := range started(t, 3, "") {
		require.Equal(t, "exit 0", r.End, r.Stderr)
		said += r.Stdout
	}
	assert.Equal(t, lines(right(3)...), sorted(said))
}

// TestHeapsOfADriverAreLent has heaps of device memory, over the HIP library for tests.
func TestHeapsOfADriverAreLent(t *testing.T) {
	fakehip := filepath.Join(filepath.Dir(chost.Library(t)), "test/fakehip")
	require.FileExists(t, filepath.Join(fakehip, "libamdhip64.so.6"), "make fakehip")
	var said string
	for _, r := range started(t, 3, "copies", "MGPU_DRIVER=hip", "LD_LIBRARY_PATH="+fakehip) {
		require.Equal(t, "exit 0", r.End, r.Stderr)
		assert.NotContains(t, r.Stderr, "failed with")
		said += r.Stdout
	}
	assert.Equal(t, lines(right(3)...), sorted(said))
	for _, r := range started(t, 2, "copies", "MGPU_DRIVER=hip", "LD_LIBRARY_PATH="+fakehip, "FAKEHIP_FAIL=hipIpcOpenMemHandle:1") {
		assert.Equal(t, "exit 3", r.End)
		assert.Regexp(t, `\[rank \d\] 'mgpuSymmetricHeapInit' failed with 'hipIpcOpenMemHandle: status \d+'`, r.Stderr)
	}
}

func TestARankThatEndsLeavesNobodyWaiting(t *testing.T) {
	told := 0
	for _, r := range started(t, 3, "ends") {
		assert.Equal(t, "exit 0", r.End)
		told += strings.Count(r.Stderr, "'mgpuBarrier' failed with 'rank 2 has ended, or left the heaps'\n")
	}
	assert.Equal(t, 6, told, "two ranks, three barriers")
}

func TestRanksThatDoNotAgree(t *testing.T) {
	for _, r := range started(t, 2, "sizes") {
		assert.Equal(t, "exit 3", r.End)
		assert.Regexp(t, `^\[rank \d\] 'mgpuSymmetricHeapInit' failed with 'heaps differ: \d+ bytes of driver soft here, \d+ of driver soft in another rank'\n$`, r.Stderr)
	}
	program, _ := heaps(t)
	for rank, why := range map[string]string{
		"0": `2 of 3 ranks did not come within 0\.3 s, among them 1 2; ranks find each other by the parent process \d+: `,
		"1": `rank 0 of 3 was not there within 0\.3 s; ranks find each other by the parent process \d+: `,
		"3": `rank 3 of 3: at most 250 ranks, from 0 on`,
	} {
		r := chost.Run(t, []string{"MGPU_DRIVER=soft", "RANK=" + rank, "WORLD_SIZE=3", "AIRGPU_TIMEOUT=0.3"}, program, "none")
		assert.Equal(t, "exit 3", r.End)
		assert.Regexp(t, `'mgpuSymmetricHeapInit' failed with '`+why, r.Stderr)
	}
	r := chost.Run(t, []string{"MGPU_DRIVER=soft", "OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=8", "OMPI_COMM_WORLD_LOCAL_RANK=0", "OMPI_COMM_WORLD_LOCAL_SIZE=4"}, program, "none")
	assert.Contains(t, r.Stderr, "failed with '8 ranks, of which 4 are on this machine: heaps are shared within one machine'")
	r = chost.Run(t, []string{"MGPU_DRIVER=null"}, program, "none")
	assert.Contains(t, r.Stderr, "failed with 'the driver null has no memory that other processes can map'")
}

func TestMistakesWithHeaps(t *testing.T) {
	program, _ := heaps(t)
	r := chost.Run(t, []string{"MGPU_DRIVER=soft"}, program, "none", "mistakes")
	assert.Equal(t, "exit 0", r.End)
	assert.Equal(t, "(nil) (nil) 0 1\n4096 (nil) (nil) (nil) (nil)\n1\n", r.Stdout)
	assert.Equal(t, `'mgpuSymmetricFree' failed with 'P is not a block of the rank's heap'
'mgpuSymmetricAlloc' failed with 'there is no heap: mgpuSymmetricHeapInit makes it'
'mgpuSymmetricHeapDestroy' failed with 'there is no heap'
'mgpuSymmetricHeapInit' failed with 'a heap of 0 bytes'
'mgpuSymmetricHeapInit' failed with 'there is a heap: mgpuSymmetricHeapDestroy ends it'
'mgpuSymmetricAlloc' failed with 'no room for 1 bytes in the heap of 8192'
'mgpuSymmetricFree' failed with 'P is not a block of the rank's heap'
'mgpuSymmetricFree' failed with 'P is not a block of the rank's heap'
`, regexp.MustCompile(`0x[0-9a-f]+`).ReplaceAllString(r.Stderr, "P"))
}

// Events of the runtime record no times; those that the program makes by HIP do.
func TestTimesBetweenEventsAreTheDrivers(t *testing.T) {
	program, _ := heaps(t)
	r := chost.Run(t, []string{"MGPU_DRIVER=soft"}, program, "none", "elapsed")
	assert.Equal(t, "400 untimed\n", r.Stdout)
	assert.Equal(t, "'mgpuEventElapsedTime' failed with 'events of the driver soft record no times'\n", r.Stderr)

	driver := filepath.Join(filepath.Dir(chost.Library(t)), "rocm", "libmgpu_kfd.so")
	require.FileExists(t, driver, "make rocm")
	r = chost.Run(t, []string{"MGPU_DRIVER=hip", "LD_PRELOAD=" + driver}, program, "none", "elapsed", "libamdhip64.so.5")
	assert.Regexp(t, `^400 untimed\nElapsed time: \d+\.\d{3} ms\n0 timed\n$`, r.Stdout)
	assert.Equal(t, "'mgpuEventElapsedTime' failed with 'error 400 of the driver; events of mgpuEventCreate record no times, those of hipEventCreate do'\n", r.Stderr)
}
