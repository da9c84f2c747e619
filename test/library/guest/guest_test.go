package guest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/fakehip"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// Hosts run with the driver that does nothing, unless a test asks for the one that works on its own threads.
const (
	null = "MGPU_DRIVER=null"
	soft = "MGPU_DRIVER=soft"
)

func build(t *testing.T, name string, flags ...string) string {
	t.Helper()
	return chost.Build(t, name, []string{filepath.Join("hosts", name+".c")}, append(flags, "-ldl")...)
}

// compare runs a host with and without the library and requires the same
// output and the same end. It returns the run with the library.
func compare(t *testing.T, env []string, name string, flags ...string) chost.Result {
	t.Helper()
	library := chost.Library(t)
	host := build(t, name, flags...)
	env = append([]string{null}, env...)
	without := chost.Run(t, env, host)
	with := chost.Run(t, env, host, library)
	require.Equal(t, without.Stdout, with.Stdout, "standard error with the library:\n%s", with.Stderr)
	require.Equal(t, without.End, with.End, "standard error with the library:\n%s", with.Stderr)
	return with
}

func TestConstructorOfAnotherLibraryMayCallFirst(t *testing.T) {
	library := chost.Library(t)
	early := build(t, "early", "-shared", "-fPIC")
	host := build(t, "nothing")
	without := chost.Run(t, []string{null, "LD_PRELOAD=" + early}, host)
	require.Equal(t, "constructed\n", without.Stdout)
	for _, order := range []string{early + ":" + library, library + ":" + early} {
		with := chost.Run(t, []string{null, "LD_PRELOAD=" + order}, host)
		require.Equal(t, without, with, order)
	}
}

func TestLoadingAloneChangesNothing(t *testing.T) {
	r := compare(t, nil, "loaded")
	require.Empty(t, r.Stderr)
	require.Contains(t, r.Stdout, "threads: 1\n")
}

func TestShellUnderInheritedPreloadRunsAsWithout(t *testing.T) {
	library := chost.Library(t)
	script := `for i in 1 2 3; do (exit $i); echo $?; done; echo x | cat; ls /proc/self/task | wc -l`
	sh, err := exec.LookPath("sh")
	require.NoError(t, err)
	without := chost.Run(t, nil, sh, "-c", script)
	require.Equal(t, without, chost.Run(t, []string{"LD_PRELOAD=" + library}, sh, "-c", script))
}

func TestCallingKeepsDescriptorsLimitsAndDispositions(t *testing.T) {
	require.Empty(t, compare(t, nil, "called").Stderr)
}

// The same with a vendor's library that is opened and called.
func TestADriverThatIsOpenedKeepsThemToo(t *testing.T) {
	require.Empty(t, compare(t, []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + fakehip.Library(t), "FAKEHIP_IGNORE=leak"}, "called").Stderr)
	require.Empty(t, compare(t, []string{soft}, "called").Stderr)
}

func TestGoSettingsOfTheUserDoNotReachTheLibrary(t *testing.T) {
	for _, setting := range []string{
		"GODEBUG=inittrace=1,gctrace=1,schedtrace=1", "GOGC=1", "GOMAXPROCS=1", "GOTRACEBACK=crash", "GOMEMLIMIT=1",
	} {
		require.Empty(t, compare(t, []string{setting}, "called").Stderr, setting)
	}
}

func TestCrashReachedThroughGoEndsAsWithout(t *testing.T) {
	r := compare(t, nil, "crash", "-rdynamic")
	require.Equal(t, "signal: segmentation fault", r.End)
	require.Empty(t, r.Stderr)
}

func TestHostHandlesItsOwnFaults(t *testing.T) {
	require.Empty(t, compare(t, nil, "handled").Stderr)
}

func TestFirstCallKeepsMaskAlternateStackAndErrno(t *testing.T) {
	require.Empty(t, compare(t, nil, "state").Stderr)
}

func TestSignalsReadWithSigwaitAreNotTaken(t *testing.T) {
	require.Empty(t, compare(t, nil, "sigwait").Stderr)
	require.Empty(t, compare(t, []string{soft}, "sigwait").Stderr)
}

// While one of Go's threads starts, the library has a handler for SIGCHLD.
func TestTheHostsWayWithSIGCHLDHoldsMeanwhile(t *testing.T) {
	library, host := chost.Library(t), build(t, "window", "-rdynamic")
	for flags, want := range map[string]string{
		"default":  "calls go on yes, stopped no, ended no, nested no, blocked no",
		"ignore":   "calls go on yes, stopped no, ended yes, nested no, blocked no",
		"0":        "calls go on no, stopped no, ended no, nested no, blocked yes",
		"10000000": "calls go on yes, stopped no, ended no, nested no, blocked yes",   // SA_RESTART
		"40000003": "calls go on no, stopped yes, ended yes, nested yes, blocked yes", // SA_NODEFER, _NOCLDWAIT, _NOCLDSTOP
	} {
		r := chost.Run(t, []string{soft}, host, library, flags)
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Equal(t, "seen yes, "+want+", back 1\n", r.Stdout, flags)
	}
}

func TestSanitizedHostsRunAsWithout(t *testing.T) {
	for _, sanitizer := range []string{"address", "undefined", "thread"} {
		t.Run(sanitizer, func(t *testing.T) {
			flag := chost.Sanitizer(t, sanitizer)
			for _, host := range []string{"called", "state", "handled", "sigwait", "children"} {
				if host == "called" || chost.Chosen(2, host+flag) {
					require.Empty(t, compare(t, []string{soft}, host, flag).Stderr, host)
				}
			}
		})
	}
}

func TestValgrindFindsTheHostsMistakesAndNoOthers(t *testing.T) {
	library, host := chost.Library(t), build(t, "mistakes", "-O0")
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		t.Skip("valgrind is not installed")
	}
	suppressions := filepath.Join(chost.Root(), "scripts", "valgrind.supp")
	watched := func(driver string, mistakes ...string) chost.Result {
		args := append([]string{"-q", "--error-exitcode=9", "--leak-check=full", "--suppressions=" + suppressions, host, library}, mistakes...)
		r := chost.Run(t, []string{driver}, valgrind, args...)
		require.Equal(t, "done\n", r.Stdout, r.Stderr)
		return r
	}
	for _, driver := range []string{null, soft} {
		r := watched(driver)
		require.Equal(t, "exit 0", r.End, r.Stderr)
	}
	r := watched(null, "all")
	require.Equal(t, "exit 9", r.End)
	for _, mistake := range []string{"Invalid write of size 1", "41 bytes in 1 blocks are definitely lost", "Conditional jump or move depends on uninitialised value(s)"} {
		require.Contains(t, r.Stderr, mistake)
	}
	require.NotContains(t, r.Stderr, filepath.Base(library))
}

func TestAProcessMayGiveUpItsRights(t *testing.T) {
	require.Empty(t, compare(t, nil, "identity").Stderr)
	require.Empty(t, compare(t, []string{soft}, "identity").Stderr)
}

func TestACancelledThreadLeavesTheOthersAlone(t *testing.T) {
	for _, env := range [][]string{{null}, {null, "MGPU_TEST_FASTPATH=off"}, {null, "MGPU_TEST_NULL_KERNEL_US=100", "MGPU_TEST_FASTPATH=off"}, {soft}} {
		require.Empty(t, compare(t, env, "cancelled").Stderr, env)
	}
}

func TestHandlersWithoutAlternateStackHaveRoom(t *testing.T) {
	require.Empty(t, compare(t, nil, "handler_stack").Stderr)
}

func TestHandlersThatInterruptCallsMayExit(t *testing.T) {
	host := build(t, "handler_exits")
	for _, when := range []string{"3000", "7000", "12000", "20000", "31000"} {
		for _, args := range [][]string{{chost.Library(t), when}, {chost.Library(t), when, "alternate"}} {
			for _, env := range [][]string{{soft}, {soft, "MGPU_CACHE=off"}} {
				r := chost.Run(t, env, host, args...)
				require.Equal(t, "exit 7", r.End, r.Stderr)
				require.Empty(t, r.Stdout+r.Stderr, "%s %s", env, args)
			}
		}
	}
}

func TestAConstructorMayCallBesideAThreadsFirstCall(t *testing.T) {
	opened := chost.Build(t, "opened.so", []string{"hosts/loading.c"}, "-DOPENED", "-shared", "-fPIC")
	r := chost.Run(t, []string{null}, build(t, "loading"), chost.Library(t), opened)
	require.Equal(t, "exit 0", r.End)
	require.Equal(t, "done\n", r.Stdout+r.Stderr)
}

func TestForkedChildrenDoNotHang(t *testing.T) {
	r := compare(t, nil, "fork")
	require.Equal(t, 1, strings.Count(r.Stderr, "child forked before: stream\n"), r.Stderr)
	for _, when := range []string{"after", "by a thread"} {
		require.Contains(t, r.Stderr, "child forked "+when+": none\n")
	}
	const line = "' failed with 'process forked after the GPU runtime had started; the child may only exec'\n"
	require.Equal(t, 2, strings.Count(r.Stderr, "'mgpuStreamCreate"+line), r.Stderr)
	require.Equal(t, 2, strings.Count(r.Stderr, "'mgpuStreamDestroy"+line), r.Stderr)
	require.Len(t, r.Lines(), 7, r.Stderr)
}

func TestHostMayHaveFunctionsOfTheSameNames(t *testing.T) {
	require.Empty(t, compare(t, nil, "symbols", "-rdynamic").Stderr)
}

func TestOnlyTheABIIsExported(t *testing.T) {
	out, err := exec.Command("nm", "-D", "--defined-only", "--format=posix", chost.Library(t)).Output()
	require.NoError(t, err)
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		require.True(t, strings.HasPrefix(line, "mgpu"), line)
	}
}

func TestFiveHundredThreadsMayCallFirstAtOnce(t *testing.T) {
	require.Empty(t, compare(t, nil, "herd").Stderr)
}

func TestNoSignalOfGoReachesTheHostOrItsChildren(t *testing.T) {
	require.Empty(t, compare(t, nil, "children").Stderr)
}

func TestNestedCallsRunOnTheCallingThread(t *testing.T) {
	require.Empty(t, compare(t, nil, "same_thread", "-rdynamic").Stderr)
}

func TestThreadsThatEndLeaveNothingBehind(t *testing.T) {
	compare(t, nil, "churn")
}
