package fakehip

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// oneNode is hosts/onenode.c: launches whose parameters change.
type oneNode struct {
	path, image string
}

func buildOneNode(t *testing.T) oneNode {
	t.Helper()
	flags := append(chost.Linked(chost.Library(t)), "-std=gnu11", "-pthread")
	return oneNode{chost.Build(t, "onenode", []string{filepath.Join("hosts", "onenode.c")}, flags...), filepath.Join(folder(t), "suite.bundle")}
}

// run makes so many rounds, wants right results, and returns what the process said
// and how often it called what.
func (k oneNode) run(t *testing.T, rounds int, env ...string) (r chost.Result, counts map[string]int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "counts")
	r = chost.Run(t, append([]string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak",
		"FAKEHIP_COUNTS=" + path, "MGPU_STATS=1"}, env...), k.path, k.image, strconv.Itoa(rounds))
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Contains(t, r.Stdout, "wrong 0\n", r.Stderr)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	counts = map[string]int{}
	for line := range strings.Lines(string(text)) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		counts[name], err = strconv.Atoi(number)
		require.NoError(t, err)
	}
	return r, counts
}

func TestLaunchesGoThroughGraphsWhereThatIsMeasuredToCostLess(t *testing.T) {
	k := buildOneNode(t)
	const rounds = 600
	_, n := k.run(t, rounds)
	require.Zero(t, n["hipGraphLaunch"], "no measurement speaks for graphs on AMD GPUs: the setting has to ask")
	r, n := k.run(t, rounds, "MGPU_GRAPH=auto", "FAKEHIP_COSTS=hipModuleLaunchKernel=50,hipGraphLaunch=0")
	require.Greater(t, n["hipGraphLaunch"], rounds/2)
	require.Equal(t, 2*rounds, n["kernel"])
	require.Regexp(t, `launches on device 0: graph \(plain \d+\.\d+ us, graph \d+\.\d+ us`, r.Stderr)
	require.Contains(t, r.Stderr, "launches by one-node graphs: "+strconv.Itoa(n["hipGraphLaunch"])+"\n")
	r, n = k.run(t, rounds, "MGPU_GRAPH=auto", "FAKEHIP_COSTS=hipModuleLaunchKernel=0,hipGraphLaunch=50")
	require.Less(t, n["hipGraphLaunch"], 3*80, "three measurements")
	require.Equal(t, n["hipGraphInstantiateWithFlags"], n["hipGraphExecDestroy"], "nothing is kept of graphs that are off")
	require.Regexp(t, `launches on device 0: plain: they cost too much \(plain`, r.Stderr)
	for _, off := range []string{"MGPU_GRAPH=off", "MGPU_CACHE=off", "MGPU_TEST_FASTPATH=off"} {
		_, n = k.run(t, rounds, "MGPU_TEST_GRAPH=always", off)
		require.Zero(t, n["hipGraphLaunch"], off)
	}
}

func TestGraphsAreOffBesideProfilers(t *testing.T) {
	k := buildOneNode(t)
	source, err := os.ReadFile(filepath.Join("..", "..", "config.go"))
	require.NoError(t, err)
	var all []string // that the library knows
	for _, m := range regexp.MustCompile(`(?m)^\t\{"([A-Z0-9_]+)", "`).FindAllStringSubmatch(string(source), -1) {
		all = append(all, m[1]+"=x")
	}
	list := regexp.MustCompile(`profilerLibraries = \[\]string\{(.*)\}`).FindStringSubmatch(string(source))
	require.NotNil(t, list)
	for name := range strings.SplitSeq(list[1], ", ") {
		all = append(all, "LD_PRELOAD=lib"+strings.Trim(name, `"`)+"-of-a-profiler.so")
	}
	require.GreaterOrEqual(t, len(all), 13)
	for _, v := range []string{"ROCP_TOOL_LIB=x", "HSA_TOOLS_LIB=x", "CUDA_INJECTION64_PATH=x", "NSYS_PROFILING_SESSION_ID=x",
		"NV_COMPUTE_PROFILER_INJECTION_PATH=x"} {
		require.Contains(t, all, v)
	}
	for _, v := range all {
		r, n := k.run(t, 50, "MGPU_TEST_GRAPH=always", v)
		require.Zero(t, n["hipGraphLaunch"], v)
		require.Regexp(t, `launches by one-node graphs: none: .* at work \(`, r.Stderr, v)
	}
}

// If a graph fails in any way, the kernel is launched without it, and nothing is reported.
func TestAGraphThatFailsEndsThemForGood(t *testing.T) {
	k := buildOneNode(t)
	for _, rule := range []string{"hipGraphCreate:1", "hipGraphAddKernelNode:2", "hipGraphInstantiateWithFlags:1", "hipGraphLaunch:1", "hipGraphLaunch:77",
		"hipGraphExecKernelNodeSetParams:1", "hipGraphExecKernelNodeSetParams:50", "hipStreamIsCapturing:20+"} {
		function, _, _ := strings.Cut(rule, ":")
		r, n := k.run(t, 300, "MGPU_TEST_GRAPH=always", "FAKEHIP_FAIL="+rule)
		require.Equal(t, 600, n["kernel"], rule)
		require.Regexp(t, `launches on device 0: plain: '`+function+`(\(\w+\))?' failed with 'hipError`, r.Stderr, rule)
		require.Empty(t, regexp.MustCompile(`(?m)^'.*$`).FindAllString(r.Stderr, -1), rule)
		require.LessOrEqual(t, n["hipGraphLaunch"], 80, rule)
	}
}

// HIP uses memory for each update, so execs are replaced after some updates.
func TestUpdatesOfAnExecAreBounded(t *testing.T) {
	_, n := buildOneNode(t).run(t, 2000, "MGPU_TEST_GRAPH=always")
	require.Greater(t, n["hipGraphExecKernelNodeSetParams"], 1000)
	require.GreaterOrEqual(t, n["hipGraphInstantiateWithFlags"], n["hipGraphExecKernelNodeSetParams"]/256)
	require.GreaterOrEqual(t, n["hipGraphExecDestroy"], n["hipGraphInstantiateWithFlags"]-4)
}

func TestLaunchesWithChangingParametersTakeNoMemory(t *testing.T) {
	rounds := 10000
	if chost.Long() {
		rounds = 500000 // of two launches
	}
	k := buildOneNode(t)
	for _, env := range [][]string{{"MGPU_TEST_GRAPH=always"}, {"MGPU_TEST_GRAPH=always", "MGPU_DRIVER=null"}} {
		r := chost.Run(t, append([]string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_IGNORE=leak"}, env...),
			k.path, k.image, strconv.Itoa(rounds))
		require.Equal(t, "exit 0", r.End, r.Stderr)
		_, text, ok := strings.Cut(strings.TrimSpace(r.Stdout), "grown ")
		require.True(t, ok, r.Stdout)
		grown, err := strconv.Atoi(text)
		require.NoError(t, err)
		require.Less(t, grown, 2048, "KiB, %v", env)
	}
}
