package abi

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/fakehip"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// HIP and CUDA have a current device per thread: a call on another thread than the program's would be about another
// device.
func TestTheDriverIsCalledOnTheCallingThread(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("hosts/recorder.c is written for x86-64")
	}
	library := fakehip.Library(t)
	recorder := chost.Build(t, "librecorder.so", source("recorder.c"), "-shared", "-fPIC", "-std=gnu11", "-ldl")
	host := linked(t, "calling.c", "-rdynamic")
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + recorder, "RECORDED_LIBRARY=" + library, "MGPU_CACHE=" + cache,
			"FAKEHIP_DEVICES=2", "FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak"}, host, filepath.Join(filepath.Dir(library), "suite.bundle"))
		clean(t, r)
		require.Equal(t, "elsewhere 0, idle 0\n", r.Stdout)
	}
}

func TestAMillionCallsLeaveNothingBehind(t *testing.T) {
	host := linked(t, "stays.c")
	for _, c := range []struct {
		driver, calls string
		heap          int // for threads that a driver starts meanwhile
	}{{null, "1000000", 4096}, {soft, "10000", 65536}} {
		for _, cache := range []string{"on", "off"} {
			r := chost.Run(t, []string{c.driver, "MGPU_CACHE=" + cache}, host, c.calls)
			clean(t, r)
			var heap, resident, made int
			_, err := fmt.Sscanf(r.Stdout, "heap of C %d bytes, resident %d KiB, calls %d", &heap, &resident, &made)
			require.NoError(t, err, r.Stdout)
			require.Equal(t, 1, made)
			require.Less(t, heap, c.heap, "%s, cache %s", c.driver, cache)
			if c.driver == null && cache == "on" { // other garbage may reach GOMEMLIMIT
				require.Less(t, resident, 2048, c.driver)
			}
		}
	}
}

func TestForkedChildrenLeaveSilently(t *testing.T) {
	host := linked(t, "forked.c")
	for _, onError := range []string{"", "abort"} {
		r := chost.Run(t, []string{null, "MGPU_ON_ERROR=" + onError, "MGPU_STATS=1"}, host)
		clean(t, r)
		require.Equal(t, "exit 0\nexit 0\n", r.Stdout)
	}
}

func TestErrorsOfForkedChildrenCanAbort(t *testing.T) {
	const line = "'mgpuStreamCreate' failed with 'process forked after the GPU runtime had started; the child may only exec'\n"
	host := linked(t, "forked.c")
	for onError, end := range map[string]string{"": "exit 0\n", "abort": "signal 6\n"} {
		r := chost.Run(t, []string{null, "MGPU_ON_ERROR=" + onError}, host, "calls")
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Equal(t, strings.Repeat(end, 2), r.Stdout)
		require.Equal(t, strings.Repeat(line, 2), r.Stderr)
	}
}

// The system's list of mappings is a file: without it, each page is probed.
func TestProcessesThatCanOpenNothingRunKernelsOnTheirMemory(t *testing.T) {
	host := linked(t, "sealed.c")
	for _, how := range []string{"descriptors", "proc", "openat", "memory"} {
		for _, when := range []string{"before", "after"} {
			t.Run(how+" "+when, func(t *testing.T) {
				r := chost.Run(t, []string{soft}, host, how, when)
				require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
				if strings.Contains(r.Stdout, "skip: ") {
					t.Skip(r.Stdout)
				}
				require.Equal(t, "1 2 3 4\n1 2 3 4\n2\n", r.Stdout)
				require.Len(t, r.Lines(), 2, r.Stderr)
				require.Regexp(t, `^'hipModuleLaunchKernel\(saxpy\)' failed with 'hipErrorIllegalAddress': .*: write to an address that is not mapped`, r.Lines()[0])
				require.Regexp(t, `^'hipModuleLaunchKernel\(saxpy\)' failed with 'hipErrorIllegalAddress': .*: read from an address that is not mapped`, r.Lines()[1])
			})
		}
	}
}
