package fault

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/fakehip"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// kind returns how a program of test/mlir is lowered, and for which chip if not the usual one, from its own first line.
var kind = regexp.MustCompile(`(?m)^// RUN: (?:.*\b(CHIP=\w+) )?.*%(?:each_way|lower) (\w+) `)

// needs returns the first release that lowers a program, from its own REQUIRES line; without one, every release does.
var needs = regexp.MustCompile(`(?m)^// REQUIRES: from-mlir-(\d+)$`)

// lowering is a program of test/mlir as one release of MLIR lowers it.
type lowering struct {
	name, release, path string
	calls               string // the driver calls with the cache on and with it off, in order
}

// sources returns the programs of test/mlir that a release lowers, by name.
func sources(t *testing.T, release string) map[string]string {
	t.Helper()
	for _, tool := range []string{"mlir-opt-" + release, "clang-22", "ld.lld-" + release} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no programs of MLIR %s: %v", release, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(chost.Root(), "test", "mlir", "*.mlir"))
	require.NoError(t, err)
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if asked := needs.FindSubmatch(text); asked == nil || string(asked[1]) <= release {
			all[strings.TrimSuffix(filepath.Base(file), ".mlir")] = file
		}
	}
	return all
}

// lower builds a program in a folder and finds out which calls it makes.
func lower(t *testing.T, dir, name, release, source string) lowering {
	t.Helper()
	root := chost.Root()
	text, err := os.ReadFile(source)
	require.NoError(t, err)
	m := kind.FindSubmatch(text)
	require.NotNil(t, m, "%s does not say how to lower it", source)
	out := filepath.Join(dir, name+"-"+release)
	for _, line := range [][]string{
		{filepath.Join(root, "scripts", "lower"), release, string(m[2]), source, out + ".mlir"},
		{filepath.Join(root, "scripts", "link"), release, out + ".mlir", out},
	} {
		cmd := exec.Command(line[0], line[1:]...)
		cmd.Env = append(os.Environ(), "BUILD="+filepath.Dir(chost.Library(t)), string(m[1]))
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, "%q\n%s", line, text)
	}
	p := lowering{name: name, release: release, path: out}
	for _, cache := range []string{"on", "off"} {
		trace := out + "." + cache
		r := chost.Run(t, append(overFakeHIP(t), "MGPU_CACHE="+cache, "FAKEHIP_TRACE="+trace), out)
		require.Regexp(t, `^exit \d+$`, r.End, r.Stderr)
		called, err := os.ReadFile(trace)
		if !errors.Is(err, os.ErrNotExist) { // it made no call
			require.NoError(t, err)
		}
		p.calls += "\n" + query.ReplaceAllString(string(called), "")
	}
	return p
}

// query is a query of the pool, whose number depends on the speed of kernels.
var query = regexp.MustCompile(`(?m)^hip(Stream|Event)Query\n`)

func overFakeHIP(t *testing.T) []string {
	return []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + fakehip.Library(t), "FAKEHIP_DEVICES=2"}
}

// Compiled programs run over the HIP library for tests, whose kernels of AMD code objects do nothing: results are
// wrong, and calls are real. Of programs with the same calls in the same order, one is tested. MGPU_TEST_LONG runs all
// programs and all calls, and MLIR 19 and 16. Without it, one program in eight runs, with one in four of its calls.
func TestCallsOfLoweredProgramsFail(t *testing.T) {
	var mu sync.Mutex
	var programs []lowering
	dir := t.TempDir()
	t.Run("lower", func(t *testing.T) {
		for _, release := range []string{"22", "19", "16"} {
			if release != "22" && !chost.Long() {
				continue
			}
			t.Run(release, func(t *testing.T) {
				for name, source := range sources(t, release) {
					if !chost.Chosen(16, name) {
						continue
					}
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						p := lower(t, dir, name, release, source)
						mu.Lock()
						defer mu.Unlock()
						programs = append(programs, p)
					})
				}
			})
		}
	})
	slices.SortFunc(programs, func(a, b lowering) int {
		return cmp.Or(-strings.Compare(a.release, b.release), strings.Compare(a.name, b.name))
	})
	tested := map[string]bool{}
	for _, p := range programs {
		if tested[p.calls] {
			continue
		}
		tested[p.calls] = true
		t.Run(p.name+" of MLIR "+p.release, func(t *testing.T) {
			t.Parallel()
			failEach(t, p.path)
		})
	}
	t.Logf("%d programs, %d of them with calls of their own", len(programs), len(tested))
}

func failEach(t *testing.T, path string) {
	counts := filepath.Join(t.TempDir(), "counts")
	env := append(overFakeHIP(t), "FAKEHIP_COUNTS="+counts)
	usual := chost.Run(t, env, path)
	require.Regexp(t, `^exit \d+$`, usual.End)
	said, left := leaks(usual.Lines())
	require.Empty(t, said)
	called := countsIn(t, counts)
	ends := `^exit \d+$`
	if called["hipMallocManaged"] > 0 { // the host writes there; MLIR's programs don't check for null
		ends += "|^signal: segmentation fault$"
	}
	for _, function := range functions(t) {
		last := called[function]
		for _, nth := range distinct(1, 2, last) {
			if nth > last || nth == 0 {
				continue
			}
			if !chost.Chosen(8, fmt.Sprint(t.Name(), function, nth)) {
				continue
			}
			t.Run(fmt.Sprintf("%s %d", function, nth), func(t *testing.T) {
				r := chost.Run(t, append(env, "FAKEHIP_STICKY=1",
					fmt.Sprintf("FAKEHIP_FAIL=%s:%d:%s", function, nth, injected)), path)
				require.Regexp(t, ends, r.End, r.Stderr)
				said, now := leaks(r.Lines())
				fired := countsIn(t, counts)[function] >= nth
				o := outcome{lines: said}
				switch {
				case silent[function] || !fired:
				case len(said) == 0 && nth > 1 && asksModules[function]:
				case slices.Contains(onStream, function) && left["stream"] > 1:
					// the host may have waited only for a stream that waited for this one
				case function == countsDevices:
					o.says(t, `mgpu\w+`, "MGPU_DRIVER=hip: tried .*"+injected+".*")
				default:
					o.says(t, function, injected)
				}
				for _, line := range said {
					require.Regexp(t, form, line)
				}
				for kind, n := range now {
					if kind == "block" && (slices.Contains(onStream, function) || function == "hipStreamSynchronize") {
						continue // freed after work whose end no call has reported
					}
					require.LessOrEqual(t, n, left[kind]+busy, "%ss at exit", kind)
				}
			})
		}
	}
}

// countsIn reads the file in FAKEHIP_COUNTS. A program that made no call has written nothing.
func countsIn(t *testing.T, path string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(path)
	if !errors.Is(err, os.ErrNotExist) {
		require.NoError(t, err)
	}
	counts := map[string]int{}
	for _, line := range lines(string(text)) {
		name, number, _ := strings.Cut(line, " ")
		counts[name], err = strconv.Atoi(number)
		require.NoError(t, err, line)
	}
	return counts
}
