package fault

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/chost"
	"github.com/mgpu-runtime/mgpu/test/hip"
)

// kind is how a program of test/mlir wants to be lowered, and for which chip if not
// the usual one, by its own first line that says so.
var kind = regexp.MustCompile(`(?m)^// RUN: (?:.*\b(CHIP=\w+) )?.*%(?:each_way|lower) (\w+) `)

// needs is what a program asks of the release, by its own REQUIRES line; without one
// every release lowers it.
var needs = regexp.MustCompile(`(?m)^// REQUIRES: (.*)$`)

// lowered builds every program of test/mlir with a release of MLIR.
func lowered(t *testing.T, release string) map[string]string {
	t.Helper()
	root := chost.Root()
	library := chost.Library(t)
	for _, tool := range []string{"mlir-opt-" + release, "clang-22", "ld.lld-" + release} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no programs of MLIR %s: %v", release, err)
		}
	}
	sources, err := filepath.Glob(filepath.Join(root, "test", "mlir", "*.mlir"))
	require.NoError(t, err)
	built := map[string]string{}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		m := kind.FindSubmatch(text)
		require.NotNil(t, m, "%s does not say how to lower it", source)
		if asked := needs.FindSubmatch(text); asked != nil && !strings.Contains(string(asked[1]), "mlir-"+release) {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(source), ".mlir")
		out := filepath.Join(t.TempDir(), name)
		for _, line := range [][]string{
			{filepath.Join(root, "scripts", "lower"), release, string(m[2]), source, out + ".mlir"},
			{filepath.Join(root, "scripts", "link"), release, out + ".mlir", out},
		} {
			cmd := exec.Command(line[0], line[1:]...)
			cmd.Env = append(os.Environ(), "BUILD="+filepath.Dir(library), string(m[1]))
			text, err := cmd.CombinedOutput()
			require.NoError(t, err, "%q\n%s", line, text)
		}
		built[name] = out
	}
	return built
}

// Compiled programs run over the HIP library for tests, whose kernels of AMD code
// objects do nothing: results are wrong, calls are real.
func TestCallsOfLoweredProgramsFail(t *testing.T) {
	for _, release := range []string{"22", "19", "16"} {
		if release != "22" && testing.Short() {
			continue
		}
		for name, path := range lowered(t, release) {
			t.Run(name+" of MLIR "+release, func(t *testing.T) {
				t.Parallel()
				failEach(t, path)
			})
		}
	}
}

func failEach(t *testing.T, path string) {
	counts := filepath.Join(t.TempDir(), "counts")
	env := []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + hip.Library(t), "TESTHIP_COUNTS=" + counts}
	usual := chost.Run(t, env, path)
	require.Regexp(t, `^exit \d+$`, usual.End)
	said, left := leaks(usual.Lines())
	require.Empty(t, said)
	called := countsIn(t, counts)
	for _, function := range functions(t) {
		last := called[function]
		for _, nth := range distinct(1, 2, last) {
			if nth > last || nth == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s %d", function, nth), func(t *testing.T) {
				r := chost.Run(t, append(env, "TESTHIP_STICKY=1",
					fmt.Sprintf("TESTHIP_FAIL=%s:%d:%s", function, nth, injected)), path)
				require.Regexp(t, `^exit \d+$`, r.End, r.Stderr)
				said, now := leaks(r.Lines())
				fired := countsIn(t, counts)[function] >= nth
				o := outcome{lines: said}
				switch {
				case silent[function] || !fired:
				case slices.Contains(onStream, function) && left["stream"] > 1:
					// The host may only have waited for a stream that waited for this one.
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
						continue // freed behind work that nobody saw the end of
					}
					require.LessOrEqual(t, n, left[kind]+busy, "%ss at exit", kind)
				}
			})
		}
	}
}

// countsIn reads what TESTHIP_COUNTS names. A program that made no call has
// written nothing.
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
