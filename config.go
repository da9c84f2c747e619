package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/cuda"
	"github.com/mgpu-runtime/mgpu/internal/dl"
	"github.com/mgpu-runtime/mgpu/internal/fastpath"
	"github.com/mgpu-runtime/mgpu/internal/guest"
	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/internal/ranks"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/internal/source"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

// rank returns the process's rank in a parallel job. Unreadable variables are reported where they matter, by the choice
// of a device.
func rank() ranks.Rank {
	r, _ := ranks.Find(process.Getenv)
	return r
}

// statistics returns where the table goes at exit: "1", standard error; a file's name; empty, nowhere.
func statistics() string {
	text := process.Getenv("MGPU_STATS")
	if text == "1" {
		return text
	}
	name, _ := settings.ParseFile(text) // settings.Problems reports invalid values
	return name
}

// host is the process, with source lines in the names of its text.
type host struct{ process.Host }

// Symbol implements mgpu.Process: file and offset, the function, and the source line of the call that returns to addr.
// Unknown parts are omitted.
func (h host) Symbol(addr uintptr) string {
	text := h.Host.Symbol(addr)
	if file, base, function := process.ObjectAt(addr); text != "" {
		if function == "" {
			if function = source.HostFunction(file, uint64(base), uint64(addr)); function != "" {
				text += " (" + function + ")"
			}
		}
		if line := source.HostLine(file, uint64(base), uint64(addr)); line != "" {
			text += ", " + line
		}
	}
	return text
}

// reportNoRank warns if MGPU_DEVICE=rank is set and no variable has a rank.
func reportNoRank() {
	if process.Getenv("MGPU_DEVICE") != "rank" {
		return
	}
	if r, err := ranks.Find(process.Getenv); err == nil && r.Variable == "" {
		_, _ = fmt.Fprintln(process.StandardError{}, "mgpu: MGPU_DEVICE=rank, but no variable says which rank this is: threads begin with device 0")
	}
}

// configure reads the environment by C's getenv, since the Go runtime's copy misses variables that the program has set
// itself. internal/settings describes each variable.
func configure() (mgpu.Config, fastpath.Path) {
	c := mgpu.Config{
		Drivers: inOrder(drivers, loadedAs()),
		Driver:  process.Getenv("MGPU_DRIVER"),
		NoCache: process.Getenv("MGPU_CACHE") == "off",
		Device:  func(devices int) (int, string, error) { return ranks.Device(process.Getenv, devices) },
		Sharing: func(devices int) int { return rank().Sharing(process.Getenv, devices) },
		Label:   rank().Label(os.Getpid()),
		Trace:   &recording,
		Timing:  statistics() != "",
		Memory: mgpu.MemoryConfig{
			Level: process.Getenv("MGPU_MEM_CACHE"),
			Limit: process.Getenv("MGPU_MEM_LIMIT"),
			Fill:  process.Getenv("MGPU_MEM_FILL"),
		},
		Stderr:   process.StandardError{},
		Failed:   failed,
		Hold:     guest.Hold,
		Process:  host{},
		CallsInC: process.Getenv("MGPU_TEST_FASTPATH") != "off",

		UncheckedStreams: process.Getenv("MGPU_TEST_STREAMS") == "unchecked",
	}
	if process.Getenv("MGPU_TRACE_GPU") == "events" {
		c.TraceEvents, c.CallsInC = true, false
	}
	onSoftGPU(&c, "MGPU_CHECK", "checks", softgpu.AsksForChecks)
	onSoftGPU(&c, "MGPU_PROFILE", "profiles", softgpu.AsksForProfile)
	if softgpu.AsksForLeaks(process.Getenv("MGPU_CHECK")) {
		c.CheckFrees = func(line string) { _, _ = fmt.Fprintln(findings{}, line) }
	}
	reportNoRank()
	for _, problem := range settings.Problems(process.Environ()) {
		_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: %s\n", problem)
	}
	if log.OnError().Abort {
		c.Abort = process.Abort
	}
	c.Graphs, c.GraphsOff = graphMode()
	p := fastpath.Path{GraphsAlways: c.Graphs == mgpu.GraphAlways, Timed: c.Timing, Lookups: !c.NoCache}
	c.FastPath = p
	return c, p
}

// onSoftGPU chooses the software GPU if a setting asks for what only it can do.
func onSoftGPU(c *mgpu.Config, setting, does string, asks func(list string) (bool, error)) {
	switch asked, err := asks(process.Getenv(setting)); {
	case !asked && err == nil:
	case c.Driver == "":
		c.Driver = "soft"
	case c.Driver != "soft" && !process.Defines("mgpu_kfd_allocated"): // the stand-in for AMD's driver obeys it
		_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: %s=%s: MGPU_DRIVER=%s %s nothing; the software GPU does (MGPU_DRIVER=soft, or below HIP: mgpu run --rocm)\n",
			setting, process.Getenv(setting), c.Driver, does)
	}
}

// profilers are variables that profilers set in the processes that they watch, with the profilers' names. A profiler
// shows a graph as one thing, and some can't say which kernels are in it.
var profilers = []struct{ variable, name string }{
	{"ROCP_TOOL_LIB", "rocprofiler"},
	{"ROCP_TOOL_LIBRARIES", "rocprofiler-sdk"},
	{"ROCPROFILER_LIBRARY_CTOR", "rocprofiler-sdk"},
	{"ROCPROFILER_REGISTER_FORCE_LOAD", "rocprofiler-sdk"},
	{"HSA_TOOLS_LIB", "a tool of HSA"},
	{"CUDA_INJECTION64_PATH", "a tool of CUPTI"},
	{"NSYS_PROFILING_SESSION_ID", "Nsight Systems"},
	{"NV_COMPUTE_PROFILER_INJECTION_PATH", "Nsight Compute"},
}

// profilerLibraries are parts of the names of libraries that profilers preload.
var profilerLibraries = []string{"rocprof", "roctracer", "libToolsInjection", "libcupti", "TreeLauncher"}

// graphMode reads MGPU_GRAPH, and returns why launches must not go through graphs.
func graphMode() (mode mgpu.GraphMode, off string) {
	mode = mgpu.GraphMode(process.Getenv("MGPU_GRAPH"))
	if mode != mgpu.GraphAuto && mode != mgpu.GraphOff {
		mode = mgpu.GraphDefault
	}
	if mode != mgpu.GraphOff && process.Getenv("MGPU_TEST_GRAPH") == "always" { // tests can't wait for a measurement
		mode = mgpu.GraphAlways
	}
	for _, p := range profilers {
		if process.Getenv(p.variable) != "" {
			return mode, fmt.Sprintf("%s is at work (%s)", p.name, p.variable)
		}
	}
	for _, name := range profilerLibraries {
		if strings.Contains(process.Getenv("LD_PRELOAD"), name) {
			return mode, fmt.Sprintf("a profiler is at work (LD_PRELOAD has %s)", name)
		}
	}
	return mode, ""
}

// cudaName is the prefix of the names by which programs for NVIDIA GPUs load this library.
const cudaName = "libmlir_cuda_runtime.so"

// inOrder puts cuda before hip if the library was loaded by the name of MLIR's runtime for CUDA.
func inOrder(drivers []mgpu.Opener, loadedAs string) []mgpu.Opener {
	if !strings.HasPrefix(filepath.Base(loadedAs), cudaName) {
		return drivers
	}
	var first, rest []mgpu.Opener
	for _, o := range drivers {
		if o.Name == "cuda" {
			first = append(first, o)
		} else {
			rest = append(rest, o)
		}
	}
	return append(first, rest...)
}

// loadedAs returns the path by which this library was loaded.
func loadedAs() string { return dl.Containing(process.WaitFunction()) }

// amdDevices are the kernel's files for AMD GPUs: its own, and Windows' for WSL.
var amdDevices = []string{"/dev/kfd", "/dev/dxg"}

// openHIP opens the AMD GPUs. If the kernel offers none, it opens no library unless a setting names one, since that
// takes 15 ms and 6 MB.
func openHIP() (driver.Driver, error) {
	named := process.Getenv("MGPU_HIP_LIBRARY") != "" || process.Getenv("MGPU_DRIVER") == "hip"
	if !named && !slices.ContainsFunc(amdDevices, exists) {
		return nil, fmt.Errorf("no %s: no AMD GPU, or no amdgpu kernel driver, here", amdDevices[0])
	}
	d, err := hip.Open(process.Getenv("MGPU_HIP_LIBRARY"), func() []string {
		return hip.Installed(hip.Places, hip.From(loadedAs(), process.Getenv))
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

func exists(path string) bool { return syscall.Access(path, 0) == nil }

// openCUDA opens the NVIDIA GPUs.
func openCUDA() (driver.Driver, error) {
	d, err := cuda.Open(process.Getenv("MGPU_CUDA_LIBRARY"))
	if err != nil {
		return nil, err
	}
	return d, nil
}
