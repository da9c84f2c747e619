package fakehip

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// loop is hosts/loop.c: the runtime library, whole, on the library's device.
type loop struct {
	path, image string
	env         []string
}

func buildLoop(t *testing.T, cache string) loop {
	t.Helper()
	flags := append(chost.Linked(chost.Library(t)), "-std=gnu11")
	l := loop{
		path:  chost.Build(t, "loop", []string{filepath.Join("hosts", "loop.c")}, flags...),
		image: filepath.Join(folder(t), "suite.bundle"),
		env:   []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "MGPU_CACHE=" + cache, "FAKEHIP_STRICT=1"},
	}
	if cache == "on" {
		l.env = append(l.env, "FAKEHIP_IGNORE=leak") // cached objects are left to the end of the process
	}
	return l
}

func (l loop) run(t *testing.T, env ...string) chost.Result {
	t.Helper()
	return chost.Run(t, append(append([]string(nil), l.env...), env...), l.path, l.image)
}

// counts runs the loop and returns its counts of calls.
func (l loop) counts(t *testing.T) map[string]int {
	t.Helper()
	path := filepath.Join(t.TempDir(), "counts")
	r := l.run(t, "FAKEHIP_COUNTS="+path)
	clean(t, r)
	require.Equal(t, "20\n20\n", r.Stdout)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	n := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		name, number, _ := strings.Cut(line, " ")
		n[name], err = strconv.Atoi(number)
		require.NoError(t, err)
	}
	return n
}

func TestRuntimeKeepsWarmWhatItMakes(t *testing.T) {
	cached := buildLoop(t, "on").counts(t)
	cold := buildLoop(t, "off").counts(t)
	for _, f := range []string{"hipStreamCreate", "hipModuleLoadData", "hipModuleGetFunction", "hipEventCreateWithFlags"} {
		require.Equal(t, 40, cold[f], f)
		require.LessOrEqual(t, cached[f], 2, f)
	}
	for _, f := range []string{"hipModuleLaunchKernel", "hipStreamSynchronize", "kernel"} {
		require.Equal(t, 40, cold[f], f)
		require.Equal(t, 40, cached[f], f)
	}
	require.Equal(t, cold["hipStreamCreate"], cold["hipStreamDestroy"])
}

// teller is whose failure is told where a function fails: its own, if it is not
// listed. What is empty may go unnoticed.
var teller = map[string]string{
	"kernel": `hip(Event|Stream)Synchronize`, "copy": `hip(Event|Stream)Synchronize`, "fill": `hip(Event|Stream)Synchronize`,
	"hipRuntimeGetVersion": "", "hipDeviceGetName": "", "hipGetLastError": "", "hipMemGetInfo": "", "hipStreamIsCapturing": "",
	"hipMalloc":      "", // what is kept is given back, and it is asked for again
	"hipStreamQuery": "", "hipEventQuery": "", "hipPointerGetAttribute": "", "hipDrvPointerGetAttributes": "", "hipPeekAtLastError": "", "hipMemGetAddressRange": "",
}

// TestFailuresOfEveryFunction: the first, second and last call of a first program
// fails; it is told, nothing crashes, hangs or is misused, and the second
// program in the process works.
func TestFailuresOfEveryFunction(t *testing.T) {
	for _, cache := range []string{"on", "off"} {
		l := buildLoop(t, cache)
		for f, n := range l.counts(t) {
			for _, nth := range []int{1, 2, n / 2} {
				rule := fmt.Sprintf("%s:%d", f, nth)
				if nth == 0 || nth > n || nth > 1 && !chost.Chosen(8, cache+rule) {
					continue
				}
				who, listed := teller[f]
				switch {
				case f == "hipModuleGetFunction" && nth > 1 && cache == "on":
					who = "mgpuModuleUnload" // asks whether the driver still has the module
				case !listed:
					who = f
				}
				t.Run(cache+"/"+rule, func(t *testing.T) { fail(t, l, f, rule, who) })
			}
		}
	}
}

// fail has a function fail by a rule; the line must name who.
func fail(t *testing.T, l loop, f, rule, who string) {
	r := l.run(t, "FAKEHIP_FAIL="+rule)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	for _, line := range r.Lines() {
		require.Regexp(t, `^'\w+(\(\w+\))?' failed with '|^mgpu: further calls that failed because no driver could be opened: `, line)
	}
	if f == "hipGetDeviceCount" { // no device: there is no second try
		require.Contains(t, r.Stderr, f)
		require.Equal(t, "0\n0\n", r.Stdout)
		return
	}
	if who != "" {
		require.Regexp(t, "'"+who+`(\(\w+\))?' failed with 'hipError`, r.Stderr)
	}
	require.Regexp(t, "^(19|20)\n20\n$", r.Stdout)
}

// TestDeviceThatIsLost: from some point on every call fails.
func TestDeviceThatIsLost(t *testing.T) {
	for _, cache := range []string{"on", "off"} {
		l := buildLoop(t, cache)
		for _, nth := range []int{4, 5, 8, 11, 40} {
			r := l.run(t, fmt.Sprintf("FAKEHIP_FAIL=*:%d+:hipErrorLaunchFailure", nth), "FAKEHIP_IGNORE=leak")
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.NotContains(t, r.Stderr, "fakehip:")
			require.Regexp(t, `\n0\n$`, r.Stdout)
		}
	}
}

// TestFailureThatSticks: after a kernel has failed, every call fails.
func TestFailureThatSticks(t *testing.T) {
	for _, cache := range []string{"on", "off"} {
		r := buildLoop(t, cache).run(t, "FAKEHIP_FAIL=kernel:5", "FAKEHIP_STICKY=1", "FAKEHIP_IGNORE=leak")
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.NotContains(t, r.Stderr, "fakehip:")
		require.Equal(t, "4\n0\n", r.Stdout)
	}
}
