package rocm

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// randomCalls runs hosts/random.c: random calls of HIP by eight threads, for ten minutes on all
// releases together with MGPU_TEST_LONG.
func randomCalls(t *testing.T, env []string, args ...string) {
	t.Helper()
	seconds := 0
	if chost.Long() {
		seconds = 600 / len(suites)
	}
	args = append([]string{"1", "8", "100", strconv.Itoa(seconds / 3)}, args...)
	everywhere(t, func(t *testing.T, s *suite) {
		for _, schedule := range []string{"0", "1", "2"} {
			r := s.run(t, "gfx906", "random", append([]string{"MGPU_SOFT_SCHEDULE=" + schedule}, env...), args...)
			require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
			require.Equal(t, "ok\n", r.Stdout, r.Stderr)
			t.Log(r.Stderr)
		}
	})
}

func TestRandomCallsOfHIPDoWhatAModelSays(t *testing.T) { randomCalls(t, nil) }

// Pools, rectangles, nodes of graphs, waits for values, peers and others, of hosts/random_more.h.
func TestMoreRandomCallsOfHIPDoWhatAModelSays(t *testing.T) {
	randomCalls(t, []string{"MGPU_SOFT_DEVICES=2"}, "more")
}

// Before 5.3 a wait for a stream that ends in one thread forgets what another thread has
// submitted meanwhile, and the other's wait returns early (docs/limits.md); random.c keeps out
// of its way.
func TestWhenAWaitOfTwoThreadsForOneStreamReturns(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		if s.library == "libamdhip64.so.7" {
			t.Skip("HIP 7.2.4 launches nothing into a stream while another thread waits for it: the program hangs")
		}
		want := "ok\n"
		if s == bookworm {
			want = "early\n"
		}
		says := func(args ...string) (out string) {
			for range 10 { // on a busy machine the second thread may come late
				if out = s.run(t, "gfx906", "early", nil, args...).Stdout; out != "late\n" {
					break
				}
			}
			return out
		}
		require.Equal(t, want, says())
		require.Equal(t, "ok\n", says("event"))
	})
}

// mgpuHost compiles a program that uses this library, of a folder of test/.
func mgpuHost(t *testing.T, path string, flags ...string) string {
	t.Helper()
	library := chost.Library(t)
	return chost.Once(strings.ReplaceAll(path, "/", "_")+".mgpu", func(out string) {
		flags := append(append(chost.Linked(library), "-std=gnu11"), flags...)
		require.NoError(t, os.Rename(chost.Build(t, "host", []string{path}, flags...), out))
	})
}

// overMGPU runs a program that uses this library, which uses the suite's HIP.
func (s *suite) overMGPU(t *testing.T, path string, env []string, args ...string) chost.Result {
	t.Helper()
	env = append([]string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + s.library}, env...)
	return s.start(t, env, mgpuHost(t, path), args...)
}

// TestRandomProgramsAgreeWithTheSoftwareGPUsDriver runs the random programs of
// test/library/abi on AMD's HIP, with and without graphs.
func TestRandomProgramsAgreeWithTheSoftwareGPUsDriver(t *testing.T) {
	host, seeds := filepath.Join("..", "library", "abi", "hosts", "graphs.c"), 1
	if chost.Long() {
		seeds = 50
	}
	hash := func(r chost.Result) string {
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.NotContains(t, r.Stderr, "failed with")
		_, hash, found := strings.Cut(r.Stdout, "hash ")
		require.True(t, found, r.Stdout)
		hash, _, _ = strings.Cut(hash, "\n")
		return hash
	}
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		image := filepath.Join(t.TempDir(), "suite.hsaco")
		require.NoError(t, os.WriteFile(image, drivertest.BuildAMD(t, "gfx906", "-mcode-object-version="+s.version).Kernels(), 0o600))
		for seed := range seeds {
			text := strconv.Itoa(seed)
			want := hash(chost.Run(t, []string{"MGPU_DRIVER=soft"}, mgpuHost(t, host), image, text, "0"))
			for _, graphs := range []string{"0", "1"} {
				require.Equal(t, want, hash(s.overMGPU(t, host, nil, image, text, graphs)), "seed %d, graphs %s", seed, graphs)
			}
			schedule, graphs := "MGPU_SOFT_SCHEDULE="+strconv.Itoa(seed+1), strconv.Itoa(seed%2)
			require.Equal(t, want, hash(s.overMGPU(t, host, []string{schedule}, image, text, graphs)), schedule)
			require.Equal(t, want, hash(chost.Run(t, []string{schedule, "MGPU_DRIVER=soft"}, mgpuHost(t, host), image, text, graphs)), schedule)
		}
	})
}

// Copies to pageable memory are done when their calls return, which a free finds out.
func TestAFreeBehindACopyToTheHostFindsNothingPending(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		r := s.overMGPU(t, "hosts/frees.c", nil)
		require.Equal(t, "exit 0", r.End, r.Stderr)
		lines := strings.Fields(r.Stdout)
		deferred, err := strconv.Atoi(lines[len(lines)-1])
		require.NoError(t, err, r.Stdout)
		require.Less(t, deferred, 30, "of 300")
	})
}

// HIP before 6.3 mixes up arguments of a function that is launched by graph and
// otherwise at once; this library makes them wait for each other.
func TestThreadsLaunchOneFunctionByGraphAndOtherwise(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		r := s.overMGPU(t, "hosts/threads.c", []string{"MODULE=" + s.kernels(t, "gfx906")})
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Contains(t, r.Stdout, "0 of 4 threads computed something else\n")
	})
}

// HIP ends before exit handlers that were registered before it was opened, and crashes when it is called afterwards.
func TestExitHandlersMayReleaseAfterHIPHasEnded(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		for _, env := range [][]string{{"MGPU_SOFT_CHIP=gfx906"}, {"MGPU_SOFT_CHIP=gfx906", "MGPU_CACHE=off"}} {
			r := s.overMGPU(t, "hosts/last.c", env)
			require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
			require.Equal(t, "handler: 0\ndestructor: 0\n", r.Stdout)
			require.Equal(t, 2, strings.Count(r.Stderr, "'hipMemcpyAsync' failed with 'hipErrorDeinitialized'"), r.Stderr)
			require.Equal(t, 2, strings.Count(r.Stderr, "failed with"), r.Stderr)
			r = s.overMGPU(t, "hosts/last.c", env, "opened")
			require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
			require.Equal(t, "handler: 3\n", r.Stdout)
			require.NotContains(t, r.Stderr, "failed with")
		}
	})
}

// Graphs of HIP 6.4.3 fill host memory when they are instantiated: the library leaves such fills out.
func TestRegionsFillRegisteredMemoryInTheirOrder(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		r := s.overMGPU(t, "hosts/filled.c", []string{"MODULE=" + s.kernels(t, "gfx906"), "MGPU_SOFT_CHIP=gfx906"})
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.Equal(t, "ok\n", r.Stdout)
		kept := strings.Contains(r.Stderr, "a fill of memory that the host shares can't be recorded with this driver")
		require.Equal(t, s.name == "sid", kept, r.Stderr)
	})
}
