package guest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// A process that loads the library and never calls it only uses memory for Go's relocated data.
func TestLoadingAloneStartsNothing(t *testing.T) {
	r := chost.Run(t, []string{null}, build(t, "own_memory"), chost.Library(t))
	require.Equal(t, "exit 0", r.End, r.Stderr)
	var loaded, called int
	_, err := fmt.Sscan(r.Stdout, &loaded, &called)
	require.NoError(t, err, r.Stdout)
	require.Less(t, loaded, 1280, "KiB that loading takes") // 950: some 240 pages of pointers
	// With 64 processors of Go's and the software GPU's tables it was 3560 KiB.
	if runtime.NumCPU() <= 16 {
		require.Less(t, called, 2048, "KiB that the first call takes") // 1300
	}
}

// The failed calls of a stream, and the other output of refused.c for a thread whose calls were refused.
func requireRefusal(t *testing.T, r chost.Result, why string) {
	t.Helper()
	require.Equal(t, "exit 0", r.End, r.Stderr)
	line := "'mgpuStreamCreate' failed with '" + why + "'\n"
	require.Equal(t, line+line, r.Stderr)
	require.Equal(t, "none, errno 77\nnone, errno 77\n"+
		"main: mask 0000000000000800, alternate stack flags 2 size 0\nthreads: 1\n", r.Stdout)
}

// Go's runtime would end the process.
func TestSandboxThatForbidsThreadsGetsALine(t *testing.T) {
	r := chost.Run(t, []string{null}, build(t, "refused"), chost.Library(t))
	if strings.HasPrefix(r.Stdout, "no filters") {
		t.Skip("the kernel has no seccomp filters")
	}
	requireRefusal(t, r, "the process can't start a thread: the system forbids it")
}

func TestSandboxThatForbidsWhatSignalsNeedGetsALine(t *testing.T) {
	host := build(t, "refused")
	for _, call := range []string{"sigaltstack", "rt_sigprocmask", "rt_sigaction"} {
		r := chost.Run(t, []string{null}, host, chost.Library(t), call)
		if strings.HasPrefix(r.Stdout, "no filters") {
			t.Skip("the kernel has no seccomp filters")
		}
		require.Equal(t, "exit 0", r.End, r.Stderr)
		line := "'mgpuStreamCreate' failed with 'Go's runtime needs " + call + ", which the system forbids'\n"
		require.Equal(t, line+line, r.Stderr)
		require.True(t, strings.HasPrefix(r.Stdout, "none, errno 77\nnone, errno 77\n"), r.Stdout)
		require.Contains(t, r.Stdout, "threads: 1\n")
	}
	r := chost.Run(t, []string{null}, host, chost.Library(t), "late")
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Equal(t, "stream\nnone on another thread\nstream\n", r.Stdout)
	require.Equal(t, "'mgpuStreamCreate' failed with 'Go's runtime needs sigaltstack, which the system forbids'\n", r.Stderr)
}

// If glibc's pthread_create crashes in any library, the host does not crash: each call fails.
func TestProgramThatIsLinkedStaticallyGetsALine(t *testing.T) {
	for _, kind := range []string{"-static", "-static-pie"} {
		r := chost.Run(t, []string{null}, build(t, "refused", kind), chost.Library(t), "nothing")
		requireRefusal(t, r, "the program is linked statically: a library that it opens can't start threads; link it dynamically")
	}
}

// Go's runtime would end the process with its own message.
func TestProcessesWithTooLowLimitsGetALine(t *testing.T) {
	library, host := chost.Library(t), build(t, "limited")
	const addresses = `the process has too little address space left: raise RLIMIT_AS \(ulimit -v\) by \d+ MiB` // more for larger stacks
	for _, c := range []struct{ limit, value, why string }{
		{"addresses", "300000000", addresses},
		{"addresses", "1600000000", addresses},
		{"addresses", "2000000000", addresses}, // the runtime would start, and end the process within a kernel
		{"addresses", "3000000000", ""},
		{"data", "100000000", `the process may have too little memory: raise RLIMIT_DATA \(ulimit -d\) by \d+ MiB`},
		{"data", "400000000", ""},
		{"threads", "3", "the process can't start seven threads: a limit on threads or memory is reached"},
	} {
		r := chost.Run(t, []string{soft}, host, library, c.limit, c.value)
		require.Equal(t, "exit 0", r.End, "%v: %s", c, r.Stderr)
		if c.why == "" {
			require.Equal(t, "stream\n", r.Stdout, "%v: %s", c, r.Stderr)
			require.Empty(t, r.Stderr, c)
			continue
		}
		require.Equal(t, "none\n", r.Stdout, c)
		require.Regexp(t, "^'mgpuStreamCreate' failed with '("+c.why+")'\n$", r.Stderr, c)
	}
}

func TestStrippedLibraryWorks(t *testing.T) {
	strip, err := exec.LookPath("strip")
	if err != nil {
		t.Skip("strip is not installed")
	}
	stripped := filepath.Join(t.TempDir(), "stripped.so")
	out, err := exec.Command(strip, "-s", "-o", stripped, chost.Library(t)).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Empty(t, string(out))
	host := build(t, "called")
	require.Equal(t, chost.Run(t, []string{null}, host), chost.Run(t, []string{null}, host, stripped))
}
