package abi

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// kernels writes the conformance suite's kernels to a file.
func kernels(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kernels.hsaco")
	require.NoError(t, os.WriteFile(path, drivertest.BuildAMD(t, "gfx906").Kernels(), 0o600))
	return path
}

// Random programs have the same results whether their calls are recorded as graphs or executed one by one.
func TestRandomProgramsAgreeWithAndWithoutGraphs(t *testing.T) {
	host, image := linked(t, "graphs.c"), kernels(t)
	seeds := 6
	if chost.Long() {
		seeds = 400
	}
	for seed := range seeds {
		run := func(regions string) (hash string, graphs int) {
			r := chost.Run(t, []string{soft}, host, image, strconv.Itoa(seed), regions)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.NotContains(t, r.Stderr, "failed with")
			hash, text, ok := strings.Cut(strings.TrimSpace(r.Stdout), "\ngraphs ")
			require.True(t, ok, r.Stdout)
			graphs, err := strconv.Atoi(text)
			require.NoError(t, err)
			return hash, graphs
		}
		eager, _ := run("0")
		recorded, graphs := run("1")
		require.Equal(t, eager, recorded, "seed %d", seed)
		require.Greater(t, graphs, 40, "of 48 pieces")
	}
}

// Without a cache, regions and their graphs are executed call by call. One line says so, once.
func TestRegionsComputeTheSameWithoutACache(t *testing.T) {
	host, image := linked(t, "again.c"), kernels(t)
	run := func(env ...string) (computed, launched string, lines []string) {
		r := chost.Run(t, append([]string{soft}, env...), host, image)
		require.Equal(t, "exit 0", r.End, r.Stderr)
		i := strings.LastIndexByte(strings.TrimSuffix(r.Stdout, "\n"), '\n') + 1
		return r.Stdout[:i], r.Stdout[i:], r.Lines()
	}
	want, launched, lines := run()
	require.Equal(t, "6\n", launched)
	require.Empty(t, lines)
	require.Contains(t, want, "updated: 1\nlaunched: 6 6\n")
	got, launched, lines := run("MGPU_CACHE=off")
	require.Equal(t, want, got)
	require.Equal(t, "0\n", launched)
	require.Equal(t, []string{"mgpu: graph 0x1 is executed call by call: MGPU_CACHE=off leaves nothing known of streams"}, lines)
	for _, env := range []string{"MGPU_MEM_CACHE=off", "MGPU_CHECK=memory"} {
		got, launched, _ = run(env)
		require.Equal(t, want, got, env)
		require.Equal(t, "6\n", launched, env)
	}
}

func TestAGraphModeThatIsNoneSaysSo(t *testing.T) {
	host, image := linked(t, "graphcases.c", `-DKERNEL="bump"`), kernels(t)
	for _, mode := range []string{"perhaps", "burst", "burst-check"} {
		r := chost.Run(t, []string{soft, "MGPU_GRAPH=" + mode}, host, image, "exit")
		require.Equal(t, []string{"mgpu: MGPU_GRAPH=" + mode + " is invalid, and the default is used: expected auto or off"}, r.Lines())
	}
}

// said is the output of a case: its value, or its standard error.
func said(t *testing.T, r chost.Result) map[string][]string {
	t.Helper()
	require.Equal(t, "exit 0", r.End, r.Stderr)
	all := map[string][]string{}
	last := ""
	for line := range strings.Lines(r.Stdout) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, f, 4, line)
		text := f[3]
		if text == "" {
			text = f[1]
		}
		if f[0] == "and gave" {
			f[0] = last + ", and gave"
		}
		last = f[0]
		all[f[0]] = append(all[f[0]], text)
	}
	return all
}

func TestGraphsUsedWrongly(t *testing.T) {
	host := linked(t, "graphcases.c", `-DKERNEL="bump"`)
	r := chost.Run(t, []string{soft}, host, kernels(t))
	got := said(t, r)
	require.Empty(t, r.Stderr)
	wrong := func(call, why string) string { return "'" + call + "' failed with 'hipErrorInvalidValue': " + why }
	for name, want := range map[string]string{
		"end without begin":           wrong("mgpuxGraphEnd", "this thread records no graph"),
		"end without begin, and gave": "0",
		"begin twice":                 wrong("mgpuxGraphBegin(0x2)", "this thread records a graph already"),
		"begin twice, and gave":       "0",
		"still recording":             "1",
		"recording after the end":     "0",
		"filled":                      "5",
		"nothing recorded":            "0",
		"launch of nothing recorded":  wrong("mgpuxGraphLaunch(0x3)", "there is no such graph: nothing was recorded that could be launched"),
		"launch of an unknown key":    wrong("mgpuxGraphLaunch(0x63)", "there is no such graph"),
		"launched, then destroyed":    "5",
		"launch of a destroyed graph": wrong("mgpuxGraphLaunch(0x1)", "there is no such graph"),
		"destroyed again":             wrong("mgpuxGraphDestroy(0x1)", "there is no such graph"),
		"on the default stream":       "4",

		"update in place":                    "1",
		"updated":                            "67",
		"update with another topology":       "0",
		"replaced":                           "202",
		"update of an unknown key":           wrong("mgpuxGraphUpdate(0x63)", "there is no such graph"),
		"update with an unknown key":         wrong("mgpuxGraphUpdate(0x63)", "there is no such graph"),
		"with itself":                        "1",
		"allocates":                          wrong("mgpuxGraphUpdate(0xa)", "graph 0xd allocates memory, which stays its own"),
		"copies host memory":                 wrong("mgpuxGraphUpdate(0xa)", "graph 0xe holds copies of host memory, which stay its own"),
		"no more":                            "0|0",
		"its memory is free":                 "1",
		"and serves others":                  "0|1",
		"with what it does now":              "67",
		"a copy to the host":                 "mgpu: graph 0x14 is executed call by call: a copy to host memory can't be recorded",
		"read":                               "50",
		"the next one records":               "1",
		"another's key":                      wrong("mgpuxGraphBegin(0x1f)", "another thread records this graph"),
		"here":                               "13",
		"there":                              "1010",
		"a key of a thread that ended":       "1",
		"the parent's end":                   "1",
		"launch after the unload":            wrong("mgpuxGraphLaunch(0x32)", "its kernel bump was unloaded; record it again"),
		"unloaded while recording":           "mgpu: graph 0x32 is executed call by call: its kernel bump is unloaded",
		"unloaded while recording, and gave": "0",
		"recorded again":                     "1",

		"with memory of its own":     "12|14|16",
		"recorded, launched":         "33",
		"the same memory":            "1",
		"that others got":            "0",
		"in the next session":        "0",
		"launched again":             "16",
		"given to another":           wrong("mgpuxGraphUpdate(0x29)", "graph 0x28 allocates memory, which stays its own"),
		"given to another, and gave": "-1",
		"once the graph is gone":     "1",
		"begun before the end":       "1",
		"and ended":                  "1",
		"beside garbage":             "10|31|31|10",
		"after retaking":             "50529028|101058055|151587082",
	} {
		require.Equal(t, want, strings.Join(got[name], "|"), name)
	}
	require.Contains(t, got["freed again"][0], "was freed before")
	require.Equal(t, []string{"null", wrong("mgpuxGraphLaunch(0x2f)", "host memory that it copies was recorded again since; record it again"), "null"}, got["retaken"])
	require.Regexp(t, `^mgpu: graph 0x2e is executed call by call: parameters of kernel step: `, got["garbage"][0])
	require.Regexp(t, `^'hipModuleLaunchKernel\(step\)' failed with `, got["garbage"][len(got["garbage"])-1])
	require.Equal(t, []string{"null"}, got["without the scope"], "nothing was said")
	require.Regexp(t, `'mgpuxGraphLaunch\(0x4\)' failed .* is an event, not a stream$`, got["launch on an event"][0])
	require.Regexp(t, `'\w+\(0x\w+\)' failed .* was destroyed before$`, got["launch on a destroyed stream"][0])
	require.Equal(t, []string{"mgpu: graph 0x14 is executed call by call: mgpuMemFree can't be recorded", "value"}, got["a free of earlier memory"], "said once")
	require.Contains(t, got["in a child"][0], "process forked")
}

// Regions that are recorded again, mostly by C, allocate nothing on the heap, and memory stays constant.
func TestRegionsTakeNoMemory(t *testing.T) {
	host, image := linked(t, "regions.c"), kernels(t)
	regions := 500
	if chost.Long() {
		regions = 10_000 // a million launches
	}
	for _, how := range []string{"plain", "lowered", "allocates", "allocates without a scope", "again"} {
		r := chost.Run(t, []string{"MGPU_DRIVER=null"}, host, image, how, strconv.Itoa(regions))
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Empty(t, r.Stderr)
		var allocations, kib int
		_, err := fmt.Sscan(r.Stdout, &allocations, &kib)
		require.NoError(t, err, r.Stdout)
		require.Less(t, allocations, regions, "%s: fewer than one a region are the Go runtime's own", how)
		require.Less(t, kib, 1024, how)
	}
}

func TestAProcessMayEndWhileItRecords(t *testing.T) {
	host := linked(t, "graphcases.c", `-DKERNEL="bump"`)
	r := chost.Run(t, []string{soft}, host, kernels(t), "exit")
	require.Equal(t, "exit 3", r.End)
	require.Empty(t, r.Stderr)
}

func TestAKernelThatFailsInAGraphIsNamed(t *testing.T) {
	host := linked(t, "graphcases.c", `-DKERNEL="bump"`)
	r := chost.Run(t, []string{soft}, host, kernels(t), "fault")
	require.Equal(t, []string{"1", "1", "1"}, said(t, r)["launched"])
	require.Equal(t, []string{"1034935345", "1034935345", "1034935345"}, said(t, r)["result"], "the rest of the graph is executed, in parts too")
	require.Len(t, r.Lines(), 3)
	for _, line := range r.Lines() {
		require.Regexp(t, `^'hipModuleLaunchKernel\(store_to\)' failed with 'hipErrorIllegalAddress': kernel store_to: `, line)
	}
}

// The streams of a region's chains are given back: the pool has a stream for each that the next round creates.
func TestTheStreamsOfARegionAreReused(t *testing.T) {
	host, image := linked(t, "chains.c"), kernels(t)
	for _, kind := range []string{null, soft} {
		r := chost.Run(t, []string{kind}, host, image)
		clean(t, r)
		var made, driver, right int
		_, err := fmt.Sscanf(r.Stdout, "%d %d %d", &made, &driver, &right)
		require.NoError(t, err, r.Stdout)
		require.Equal(t, kind == soft, right == 1, "null computes nothing")
		require.Equal(t, 4001, made)
		require.Less(t, driver, 40, kind)
	}
}
