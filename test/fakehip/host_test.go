package fakehip

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// host is a program of hosts/, linked against the library.
type host struct{ path, images string }

func build(t *testing.T, name string) host { return buildWith(t, name, folder(t)) }

func buildWith(t *testing.T, name, dir string, flags ...string) host {
	t.Helper()
	flags = append(flags, "-std=gnu11", "-Wno-unused-function", filepath.Join(dir, "libamdhip64.so.6"), "-Wl,-rpath,"+dir)
	return host{chost.Build(t, name, []string{filepath.Join("hosts", name+".c")}, flags...), dir}
}

func (h host) cases(t *testing.T) []string {
	t.Helper()
	r := chost.Run(t, nil, h.path)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	return strings.Fields(r.Stdout)
}

// run runs one case with two devices and violations that count.
func (h host) run(t *testing.T, name string, env ...string) chost.Result {
	t.Helper()
	return chost.Run(t, append([]string{"IMAGES=" + h.images, "FAKEHIP_DEVICES=2", "FAKEHIP_STRICT=1"}, env...), h.path, name)
}

func clean(t *testing.T, r chost.Result) {
	t.Helper()
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Empty(t, r.Stderr)
}

// environment returns the settings that a case of the well-behaved hosts needs.
var environment = map[string][]string{
	"runs_out":                    {"FAKEHIP_MEMORY=1M"},
	"a_failed_kernel_sticks":      {"FAKEHIP_STICKY=1"},
	"from_the_environment":        {"FAKEHIP_FAIL=hipStreamCreate:1,hipMalloc:2", "FAKEHIP_IGNORE=leak"},
	"calls_take_their_time":       {"FAKEHIP_COSTS=gfx906,hipMemGetInfo=20,kernel=3000us"},
	"amd_kernels_do_nothing":      {"KERNEL=saxpy", "CODE_OBJECT=" + filepath.Join(chost.Root(), "internal", "codeobj", "testdata", "v5.hsaco")},
	"devices":                     {"FAKEHIP_DEVICES=3"},
	"no_device":                   {"FAKEHIP_DEVICES=0"},
	"a_reset_destroys_everything": {"FAKEHIP_IGNORE=handle"},
}

// TestBehaviour: correct programs see what HIP promises, and no line is printed.
func TestBehaviour(t *testing.T) {
	apart := map[string]bool{ // which have tests of their own
		"host_can_not_touch_a_device": true, "bad_rules_change_nothing": true, "a_status_of_its_own_is_kept": true,
		"an_end_without_handlers_can_report": true,
	}
	for _, name := range []string{"streams", "events", "memory", "capture", "faults", "life", "stress"} {
		h := build(t, name)
		for _, c := range h.cases(t) {
			if !apart[c] {
				t.Run(name+"/"+c, func(t *testing.T) { clean(t, h.run(t, c, environment[c]...)) })
			}
		}
	}
}

func TestHostCannotTouchDeviceMemory(t *testing.T) {
	require.Equal(t, "signal: segmentation fault", build(t, "memory").run(t, "host_can_not_touch_a_device").End)
}

func TestBadRulesAreNamed(t *testing.T) {
	r := build(t, "faults").run(t, "bad_rules_change_nothing")
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Len(t, r.Lines(), 18)
	for _, line := range r.Lines() {
		assert.Regexp(t, `^fakehip: (rule|cost) .*: .+`, line)
	}
	for _, bad := range []string{"FAKEHIP_FAIL=nonsense:1", "FAKEHIP_COSTS=nonsense", "FAKEHIP_IGNORE=nonsense", "FAKEHIP_MEMORY=12x"} {
		r := build(t, "life").run(t, "devices", bad)
		assert.Equal(t, "exit 2", r.End, bad)
		assert.Len(t, r.Lines(), 1, bad)
	}
}

func TestCallsAreCountedAndTraced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "counts")
	trace := path + ".trace"
	clean(t, build(t, "life").run(t, "calls_are_counted", "FAKEHIP_COUNTS="+path, "FAKEHIP_TRACE="+trace))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "hipModuleLoadData 1\nhipModuleUnload 1\nhipModuleGetFunction 1\nhipModuleLaunchKernel 7\n"+
		"hipStreamCreate 1\nhipStreamDestroy 1\nhipStreamSynchronize 1\nkernel 7\n", string(text))
	text, err = os.ReadFile(trace)
	require.NoError(t, err)
	require.Equal(t, "hipModuleLoadData\nhipStreamCreate\nhipModuleGetFunction\n"+strings.Repeat("hipModuleLaunchKernel\n", 7)+
		"hipStreamSynchronize\nhipStreamDestroy\nhipModuleUnload\n", string(text))
}

func TestViolationsChangeOnlyASuccessfulStatus(t *testing.T) {
	life, violations := build(t, "life"), build(t, "violations")
	require.Equal(t, "exit 3", life.run(t, "a_status_of_its_own_is_kept").End)
	require.Equal(t, "exit 86", violations.run(t, "streams_leak").End)
	require.Equal(t, "exit 0", violations.run(t, "streams_leak", "FAKEHIP_STRICT=0").End)
	clean(t, violations.run(t, "streams_leak", "FAKEHIP_IGNORE=order,leak"))
	r := life.run(t, "an_end_without_handlers_can_report")
	require.Equal(t, "exit 0", r.End)
	require.Len(t, r.Lines(), 1)
}

// told has the line that each case of violations.c prints, after "fakehip: ".
var told = map[string]string{
	"stream_destroyed_twice":               `handle: hipStreamDestroy: stream 0x\w+ was destroyed before`,
	"stream_used_after_destroy":            `handle: hipStreamSynchronize: stream 0x\w+ was destroyed before`,
	"event_used_after_destroy":             `handle: hipEventRecord: event 0x\w+ was destroyed before`,
	"event_used_long_after_destroy":        `handle: hipEventRecord: 0x\w+ was destroyed before`,
	"stream_taken_for_an_event":            `handle: hipEventSynchronize: 0x\w+ is not an event, but a stream`,
	"function_of_an_unloaded_module":       `handle: hipModuleLaunchKernel: function 0x\w+ was destroyed before`,
	"memory_freed_twice":                   `memory: hipFree: 0x\w+ was freed before`,
	"memory_freed_inside":                  `memory: hipFree: 0x\w+ lies 4 bytes inside the block at 0x\w+`,
	"pinned_memory_freed_as_device_memory": `memory: hipFree: 0x\w+ is of hipHostMalloc, and not for this call`,
	"copy_of_freed_memory":                 `memory: hipMemcpyAsync: 0x\w+ was freed: it is in the block of call 1 of hipMalloc`,
	"copy_beyond_a_block":                  `memory: hipMemcpyAsync: 256 bytes at 0x\w+ end beyond the block of 256 bytes at 0x\w+`,
	"copy_the_wrong_way":                   `argument: hipMemcpyAsync: kind 1 is not the way from 0x\w+ to 0x\w+`,
	"fill_of_host_memory":                  `memory: hipMemsetD32Async: 0x\w+ is the program's memory, which no device reaches`,
	"kernel_beyond_a_block":                `memory: fill: 260 bytes at 0x\w+ end beyond the block of 256 bytes at 0x\w+`,
	"kernel_uses_freed_memory":             `memory: fill: 0x\w+ was freed: it is in the block of call 1 of hipMalloc`,
	"kernel_uses_another_device":           `device: fill: 0x\w+ is memory of device 1, and the kernel runs on device 0`,
	"launch_on_another_device":             `device: hipModuleLaunchKernel: empty was loaded on device 0, and the stream is of device 1`,
	"event_of_another_device":              `device: hipEventRecord: event 0x\w+ of device 0 on stream 0 of device 1`,
	"fill_of_another_device":               `device: hipMemsetD32Async: 0x\w+ is memory of device 0, and the stream is of device 1`,
	"launch_without_arguments":             `argument: hipModuleLaunchKernel: fill has 3 arguments, and none are given`,
	"launch_of_nothing":                    `argument: hipModuleLaunchKernel: empty: 0 workgroups of 1 along x`,
	"memory_written_while_read":            orderLine("hipModuleLaunchKernel", "fill", "vector_add"),
	"memory_read_while_written":            orderLine("hipModuleLaunchKernel", "vector_add", "fill"),
	"memory_written_twice_at_once":         orderLine("hipModuleLaunchKernel", "fill", "fill"),
	"memory_handed_out_too_early":          orderLine("hipMemcpyAsync", "hipMemcpyAsync", "fill"),
	"registration_ends_in_use":             `order: hipHostUnregister: 0x\w+ is unregistered while fill, submitted earlier, still uses it|memory: fill: .*no block`,
	"registered_twice":                     `memory: hipHostRegister: 4096 bytes at 0x\w+ are registered already, in part at least`,
	"image_changed":                        `image: hipModuleGetFunction: module 0x\w+: its image at 0x\w+ is not what it was when it was loaded`,
	"image_freed":                          `image: hipModuleGetFunction: module 0x\w+: its image at 0x\w+ is not what it was when it was loaded`,
	"call_in_a_fork":                       `fork: hipStreamSynchronize: called in the child of a fork: a GPU's runtime does not survive one`,
	"streams_leak":                         `leak: exit: 2 streams never destroyed, the first from call 1 of hipStreamCreate`,
	"event_leaks":                          `leak: exit: 1 event never destroyed, the first from call 1 of hipEventCreateWithFlags`,
	"module_leaks":                         `leak: exit: 1 module never destroyed, the first from call 1 of hipModuleLoadData`,
	"memory_leaks":                         `leak: exit: 512 bytes in 2 blocks never freed, the first from call 1 of hipMalloc`,
	"registration_leaks":                   `leak: exit: 1 pieces of host memory never unregistered, the first from call 1 of hipHostRegister`,
}

func orderLine(call, now, earlier string) string {
	return "order: " + call + ": " + now + ` on stream 0x\w+ uses 0x\w+, which ` + earlier + `, submitted earlier on stream 0x\w+, still uses`
}

// TestViolations: each violation prints a line and makes the exit status 86.
func TestViolations(t *testing.T) {
	h := build(t, "violations")
	seen := 0
	for _, c := range h.cases(t) {
		t.Run(c, func(t *testing.T) {
			r := h.run(t, c)
			line, wrong := told[c]
			if !wrong {
				require.Regexp(t, "^fine", c, "no line is known for it")
				clean(t, r)
				return
			}
			seen++
			require.NotEmpty(t, r.Lines())
			for _, l := range r.Lines() {
				require.Regexp(t, regexp.MustCompile("^fakehip: ("+line+")$"), l)
			}
			if c != "call_in_a_fork" { // where it is the child that did it
				require.Equal(t, "exit 86", r.End)
			}
		})
	}
	require.Len(t, told, seen)
}
