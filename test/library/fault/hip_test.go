package fault

import (
	"fmt"
	"os"
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

// program is a host, with one way to compile it.
type program struct {
	name, source string
	flags        []string
	// miscompiled programs pass streams as events: without the pool, which knows streams, the driver refuses them.
	miscompiled bool
	// unwaited programs never wait for some of their streams: if the device continues after a failure, as with HIP 6,
	// no call reports the failure.
	unwaited bool
	env      []string
}

var programs = []program{
	{name: "loop of MLIR 16", source: "loop.c", flags: []string{"-DRELEASE=16"}},
	{name: "loop of MLIR 19", source: "loop.c", flags: []string{"-DRELEASE=19"}},
	{name: "loop of MLIR 22", source: "loop.c", flags: []string{"-DRELEASE=22"}},
	{name: "tokens", source: "tokens.c", miscompiled: true, unwaited: true},
	{name: "tokens that the compiler sees", source: "tokens.c", flags: []string{"-DSEEN"}, unwaited: true},
	{name: "unwaited", source: "unwaited.c", miscompiled: true, unwaited: true, env: []string{"FAKEHIP_COSTS=kernel=300"}},
	{name: "fills", source: "fills.c"},
	{name: "registered", source: "registered.c"},
	{name: "shared", source: "shared.c"},
	{name: "modules", source: "modules.c"},
	{name: "devices", source: "devices.c", miscompiled: true, env: []string{"FAKEHIP_DEVICES=2"}},
	{name: "threads", source: "threads.c"},
}

// onStream are functions that fail on a stream; a later call reports it.
var onStream = []string{"kernel", "copy", "fill"}

// opening functions are called once, when the driver opens. If one fails that the driver needs, there is no driver for
// the rest of the process.
const countsDevices = "hipGetDeviceCount"

// silent functions fail without a line: names and versions are only for messages, and the library's own queries are not
// the program's.
var silent = map[string]bool{"hipGetLastError": true, "hipRuntimeGetVersion": true, "hipDeviceGetName": true,
	"hipMemGetInfo": true, "hipStreamIsCapturing": true, "hipThreadExchangeStreamCaptureMode": true, "hipPointerGetAttribute": true, "hipDrvPointerGetAttributes": true, "hipPeekAtLastError": true, "hipMemGetAddressRange": true, "hipStreamQuery": true, "hipEventQuery": true,
	"hipGraphExecKernelNodeSetParams": true, "hipGraphExecMemcpyNodeSetParams1D": true, "hipGraphExecMemsetNodeSetParams": true}

// making functions build a graph: if one fails, the recorded calls are executed one by one, and the line that says so
// names it.
var making = map[string]bool{"hipGraphCreate": true, "hipGraphAddKernelNode": true, "hipGraphAddMemcpyNode1D": true, "hipGraphAddMemsetNode": true,
	"hipGraphAddEmptyNode": true, "hipGraphInstantiateWithFlags": true}

// harmless functions change no result when they fail: they are the pool's own queries.
var harmless = map[string]bool{"hipStreamQuery": true, "hipEventQuery": true}

// asksModules are also the library's own: it asks whether the driver still has a module, which needs the module's device.
// They may fail without a line then.
var asksModules = map[string]bool{"hipModuleGetFunction": true, "hipGetDevice": true}

// orders reports whether the library itself calls a function to order work after a free, as the threads do. If such a
// call fails, the library waits for the device instead, without a line.
func (p program) orders(function string) bool {
	return p.name == "threads" && slices.Contains([]string{"hipEventCreateWithFlags", "hipEventRecord", "hipStreamWaitEvent"}, function)
}

// untested functions can't fail here: they only return names of errors.
var untested = map[string]bool{"hipGetErrorName": true, "hipGetErrorString": true,
	"hipHostMalloc": true, "hipHostFree": true, "hipDeviceSynchronize": true}

// functions are the functions that the driver calls, from its own list.
func functions(t *testing.T) []string {
	t.Helper()
	rows, err := os.ReadFile(filepath.Join(chost.Root(), "internal", "hip", "symbols.h"))
	require.NoError(t, err)
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^(?:SYMBOL\(\w+, [^,]+|(?:CALLED|GIVING|ASKED)\(\w+), (hip\w+),`).FindAllSubmatch(rows, -1) {
		if name := string(m[1]); !untested[name] {
			names = append(names, name)
		}
	}
	require.Greater(t, len(names), 20)
	return append(names, onStream...)
}

// host is a built program, with its way to run.
type host struct {
	path      string
	env       []string
	functions []string
}

func build(t *testing.T, p program, cache string) host {
	t.Helper()
	library := fakehip.Library(t)
	names := functions(t)
	h := host{
		path: chost.Build(t, "host", []string{filepath.Join("hosts", p.source)}, append(p.flags, chost.Linked(chost.Library(t))...)...),
		env: []string{
			"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + library, "MGPU_CACHE=" + cache, "IMAGES=" + filepath.Dir(library),
			"FUNCTIONS=" + strings.Join(names, ","),
		},
		functions: names,
	}
	h.env = append(h.env, p.env...)
	return h
}

// outcome is the output of a host.
type outcome struct {
	faulty       int   // wrong results while calls failed, in all rounds
	wrong        []int // afterwards
	count        map[string]int
	unwaited     int            // failed waits in each round, after which the next stream had to be another one
	left         map[string]int // by kind: what was not destroyed at exit although it could be
	modules      int            // how many more than usual may be left
	lines, after []string       // on standard error: while calls failed, and afterwards
}

func (h host) run(t *testing.T, rules string, env ...string) outcome {
	t.Helper()
	r := chost.Run(t, append(append([]string{"RULES=" + rules}, env...), h.env...), h.path)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	o := outcome{count: map[string]int{}}
	for _, line := range strings.Split(strings.TrimSuffix(r.Stdout, "\n"), "\n") {
		f := strings.Fields(line)
		n, err := strconv.Atoi(f[len(f)-1])
		require.NoError(t, err, line)
		switch f[0] {
		case "faulty":
			o.faulty += n
		case "wrong":
			o.wrong = append(o.wrong, n)
		case "count":
			o.count[f[1]] = n
		}
	}
	before, after, mended := strings.Cut(r.Stderr, "mended\n")
	require.True(t, mended, r.Stderr)
	o.lines = lines(before)
	o.after, o.left = leaks(lines(after))
	return o
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// leaks separates the lines about what was not destroyed, with the number of each kind, and the line that counts calls
// that failed because another one had.
func leaks(said []string) (others []string, left map[string]int) {
	left = map[string]int{}
	for _, line := range said {
		if m := leak.FindStringSubmatch(line); m != nil {
			left[m[2]], _ = strconv.Atoi(m[1])
		} else if !strings.HasPrefix(line, cascade) {
			others = append(others, line)
		}
	}
	return others, left
}

// cascade is the beginning of the line at exit that counts calls which failed only because of a failed load.
const cascade = "mgpu: calls that failed only because a load or a look-up before had failed: "

var leak = regexp.MustCompile(`^fakehip: leak: exit: (?:\d+ bytes in )?(\d+) (.+?)s? (?:never|of )`)

// form is the form of every line of the library, and of the lines of the library for tests about programs that go on:
// with the null of a failed call, without the order of one, and taking memory from kernels for which they wait in vain.
var form = regexp.MustCompile(`^('[^']+' failed with '[^']+'|mgpu: graph 0x\w+ is executed call by call: .+|mgpu: further calls that failed because no driver could be opened: .+|fakehip: order: |fakehip: handle: \w+: \(nil\) is not an? |` +
	`fakehip: memory: \w+: \d+ bytes at (0|\(nil\)) are |fakehip: memory: \w+: \d+ bytes at \w+ are in no block|fakehip: memory: hipHostUnregister: \w+: nothing was )`)

// says requires a line that names the error and the call: any call if it is empty or fails on a stream.
func (o outcome) says(t *testing.T, call, name string) {
	t.Helper()
	if call == "" || slices.Contains(onStream, call) {
		call = `hip\w+`
	}
	begin := "^"
	if making[call] {
		begin = "^mgpu: graph 0x\\w+ is executed call by call: the driver made no graph: "
	}
	require.Regexp(t, `(?m)`+begin+`'`+call+`(\(.*\))?' failed with '`+name+`'`, strings.Join(o.lines, "\n"))
}

// busy is how many more streams or events than usual a pool may have at exit. A host runs its program more often than
// that while calls fail, so a handle that is lost each time is noticed, and one that was made because another is still
// busy is allowed.
const busy = 3

// threads returns the number of threads of the program. Each may leave an event recorded after its work.
const threads = 4

// survived requires that the later programs had right results and no output, and that no more is left than what the
// pools keep anyway.
func (o outcome) survived(t *testing.T, usual outcome) {
	t.Helper()
	for _, line := range o.lines {
		require.Regexp(t, form, line)
	}
	require.Empty(t, o.after)
	require.Equal(t, usual.wrong, o.wrong)
	for kind, n := range o.left {
		most := usual.left[kind]
		if kind == "stream" || kind == "event" {
			most += max(busy, o.unwaited)
		}
		if kind == "module" {
			most += o.modules
		}
		require.LessOrEqual(t, n, most, "%ss at exit", kind)
	}
}

// each runs a test for each program, with the cache on and off. One case in twelve runs, and with MGPU_TEST_LONG all.
func each(t *testing.T, test func(t *testing.T, p program, h host, usual outcome)) {
	t.Run("program", func(t *testing.T) { eachOf(t, test) })
}

func eachOf(t *testing.T, test func(t *testing.T, p program, h host, usual outcome)) {
	for _, p := range programs {
		for _, cache := range []string{"on", "off"} {
			if cache == "off" && p.miscompiled {
				continue
			}
			t.Run(p.name+" with cache "+cache, func(t *testing.T) {
				t.Parallel()
				h := build(t, p, cache)
				usual := h.run(t, "")
				require.Empty(t, usual.lines)
				require.Empty(t, usual.after)
				require.Equal(t, []int{0, 0, 0, 0}, usual.wrong)
				test(t, p, h, usual)
			})
		}
	}
}

// injected is the error that calls fail with.
const injected = "hipErrorUnknown"

func TestTheFirstSecondAndLastCallOfEachFunctionFails(t *testing.T) {
	var reached sync.Map // functions
	each(t, func(t *testing.T, p program, h host, usual outcome) {
		for _, function := range h.functions {
			last := usual.count[function]
			for _, nth := range distinct(1, 2, last) {
				if nth > last || nth == 0 {
					continue
				}
				reached.Store(function, true)
				if !chost.Chosen(24, fmt.Sprint(t.Name(), function, nth)) {
					continue
				}
				t.Run(fmt.Sprintf("%s %d", function, nth), func(t *testing.T) {
					o := h.run(t, fmt.Sprintf("%s:%d:%s", function, nth, injected))
					if o.count[function] < nth && (nth > 1 || harmless[function] || p.name == "threads") {
						return // what is still busy, and what threads do first, differs between runs
					}
					if p.unwaited && slices.Contains(onStream, function) {
						o.survived(t, usual)
						return
					}
					if p.name == "threads" {
						o.unwaited = threads
					}
					if len(o.lines) == 0 && (asksModules[function] && (nth > 1 || p.name == "threads") || p.orders(function)) {
						o.survived(t, usual)
						return
					}
					if function == "hipSetDevice" {
						o.modules = 1 // loaded on another device than the program meant
					}
					o.judge(t, function, usual)
				})
			}
		}
	})
	for _, function := range functions(t) {
		if strings.HasPrefix(function, "hipGraph") || function == "hipThreadExchangeStreamCaptureMode" || function == "hipPointerGetAttribute" ||
			function == "hipDrvLaunchKernelEx" || function == "hipEventElapsedTime" || function == "hipGetLastError" ||
			function == "hipStreamEndCapture" || function == "hipExtMallocWithFlags" || function == "hipStreamGetCaptureInfo_v2" {
			// Other callers reach these: the programs of test/rocm, MGPU_TRACE_GPU=events, lowered programs, queries about
			// unfinished work, graph-region, the tests of test/fakehip, the drivers' suite and HIP 7.
			continue
		}
		_, ok := reached.Load(function)
		require.True(t, ok, "no program calls %s", function)
	}
}

// judge checks a run in which one call of a function failed.
func (o outcome) judge(t *testing.T, function string, usual outcome) {
	t.Helper()
	switch {
	case silent[function]:
		require.Empty(t, o.lines)
		require.Zero(t, o.faulty)
		o.survived(t, usual)
	case function == countsDevices:
		o.says(t, `mgpu\w+`, "MGPU_DRIVER=hip: tried .* \\('hipGetDeviceCount' failed with 'hipErrorUnknown'.*")
	default:
		o.says(t, function, injected)
		if harmless[function] {
			require.Zero(t, o.faulty)
		}
		o.survived(t, usual)
	}
}

func TestEveryCallOfAFunctionFails(t *testing.T) {
	rules := []struct{ function, name string }{
		{"hipMalloc", "hipErrorOutOfMemory"},
		{"hipMallocManaged", "hipErrorOutOfMemory"},
		{"hipStreamCreate", "hipErrorOutOfMemory"},
		{"hipEventCreateWithFlags", "hipErrorOutOfMemory"},
		{"hipModuleLoadData", "hipErrorOutOfMemory"},
		{"hipModuleLoadData", "hipErrorNoBinaryForGpu"},
		{"hipModuleLoadData", "hipErrorSharedObjectInitFailed"},
		{"hipModuleGetFunction", "hipErrorNotFound"},
		{"hipModuleLaunchKernel", "hipErrorLaunchOutOfResources"},
		{"hipModuleUnload", "hipErrorInvalidHandle"},
		{"hipStreamSynchronize", "hipErrorIllegalAddress"},
		{"hipStreamDestroy", "hipErrorContextIsDestroyed"},
		{"hipStreamQuery", "hipErrorIllegalAddress"},
		{"hipHostRegister", "hipErrorOutOfMemory"},
		{"hipHostGetDevicePointer", "hipErrorInvalidValue"},
		{"hipFree", "hipErrorIllegalAddress"},
		{"kernel", "hipErrorIllegalAddress"},
		{"copy", "hipErrorUnknown"},
	}
	each(t, func(t *testing.T, p program, h host, usual outcome) {
		for _, r := range rules {
			if usual.count[r.function] == 0 || p.unwaited && slices.Contains(onStream, r.function) {
				continue
			}
			if !chost.Chosen(24, t.Name()+r.function+r.name) {
				continue
			}
			t.Run(r.function+" "+r.name, func(t *testing.T) {
				o := h.run(t, r.function+":1+:"+r.name)
				if r.function == "hipStreamSynchronize" {
					o.unwaited = usual.count[r.function]
				}
				if r.function == "hipModuleGetFunction" {
					o.modules = 1000 // the driver seems to have lost each of them, in each round
				}
				switch {
				case len(o.lines) == 0 && p.orders(r.function):
				case silent[r.function]:
					require.NotContains(t, strings.Join(o.lines, "\n"), r.function)
				case o.count[r.function] > 0:
					o.says(t, r.function, r.name)
				}
				o.survived(t, usual)
			})
		}
	})
}

// A kernel fails, and with it all later calls about the device, as with HIP 7 and CUDA; or the device is lost at some
// call.
func TestTheDeviceIsLost(t *testing.T) {
	each(t, func(t *testing.T, p program, h host, usual outcome) {
		var rules []string
		for _, what := range onStream {
			if n := usual.count[what]; n > 0 {
				rules = append(rules, what+":1:"+lost)
			}
			if n := usual.count[what]; n > 1 {
				rules = append(rules, fmt.Sprintf("%s:%d:%s", what, n, lost))
			}
		}
		calls := 0
		for function, n := range usual.count {
			if !slices.Contains(onStream, function) && !silent[function] {
				calls += n
			}
		}
		for nth := opening + 1; nth < calls; nth += 5 {
			rules = append(rules, fmt.Sprintf("*:%d+:%s", nth, lost))
		}
		for _, rule := range rules {
			if !chost.Chosen(24, t.Name()+rule) {
				continue
			}
			t.Run(rule, func(t *testing.T) {
				o := h.run(t, rule, "FAKEHIP_STICKY=1")
				if what, _, _ := strings.Cut(rule, ":"); !p.unwaited || !slices.Contains(onStream, what) {
					o.says(t, "", lost)
				}
				o.survived(t, usual)
			})
		}
	})
}

const lost = "hipErrorLaunchFailure"

// opening returns the number of calls that open the driver, with two devices.
const opening = 4

func distinct(numbers ...int) []int {
	var all []int
	seen := map[int]bool{}
	for _, n := range numbers {
		if !seen[n] {
			seen[n] = true
			all = append(all, n)
		}
	}
	return all
}
