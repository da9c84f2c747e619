package main

import (
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/mgpu"
)

// profilers are variables that profilers set in the processes that they watch, and
// what they are called. A profiler shows a graph as one thing, and some can't say
// which kernels are in it.
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

// graphMode reads MGPU_GRAPH, and tells why launches may not go through graphs.
func graphMode() (mode mgpu.GraphMode, off string) {
	switch text := process.Getenv("MGPU_GRAPH"); text {
	case "", "auto", "off":
		mode = mgpu.GraphMode(text)
	default:
		mode = mgpu.GraphOff
		_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: MGPU_GRAPH=%.60s is neither auto nor off: taken for off\n", strings.Map(printable, text))
	}
	if mode != mgpu.GraphOff && process.Getenv("MGPU_TEST_GRAPH") == "always" { // for tests, which can't wait for a measurement
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

func printable(c rune) rune {
	if c < ' ' || c == 0x7f {
		return '?'
	}
	return c
}
