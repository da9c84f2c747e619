package main

// #include "mgpu_runtime.h"
// #include "entry.h"
import "C"

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime/metrics"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/guest"
	"github.com/mgpu-runtime/mgpu/internal/hostfile"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/internal/report"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

//export goStats
func goStats(out *C.struct_mgpux_stats) {
	defer rt.Guard(C.call_mgpuxGetStats)
	s := rt.Snapshot()
	out.functions = C.uint64_t(len(s.Functions))
	out.heap_allocations = C.uint64_t(heapAllocations())
	if s.Cache {
		out.cache = 1
	}
	copyText(out.driver[:], s.Driver)
	copyText(out.device[:], s.Device)
	for _, m := range s.Memory {
		out.memory_live += C.uint64_t(m.Live)
		out.memory_peak += C.uint64_t(m.Peak)
		out.memory_reserved += C.uint64_t(m.Reserved)
		out.memory_cached += C.uint64_t(m.Cached)
	}
	for i := range s.Functions {
		addCounters(&out.total, &s.Functions[i])
	}
}

//export goFunctionStats
func goFunctionStats(index C.size_t, out *C.struct_mgpux_function_stats) (there C.bool) {
	defer rt.Guard(C.call_mgpuxGetFunctionStats)
	if index >= C.size_t(mgpu.Functions()) {
		return false
	}
	f := rt.Function(int(index))
	copyText(out.name[:], mgpu.CallName(int(index)))
	addCounters(&out.counters, &f)
	return true
}

//export goRefusal
func goRefusal(index C.size_t, out *C.struct_mgpux_refusal) (there C.bool) {
	defer rt.Guard(C.call_mgpuxGetRefusal)
	all := rt.Snapshot().Refusals
	if index >= C.size_t(len(all)) {
		return false
	}
	out.times = C.uint64_t(all[index].Times)
	copyText(out.reason[:], all[index].Reason)
	return true
}

//export goRank
func goRank(out *C.struct_mgpux_rank) {
	defer rt.Guard(C.call_mgpuxGetRank)
	r := rank()
	out.local, out.local_ranks = C.int32_t(r.Local), C.int32_t(r.LocalSize)
	out.world, out.ranks = C.int32_t(r.World), C.int32_t(r.Size)
}

//export goKernelArgument
func goKernelArgument(module, kernel C.uintptr_t, index C.size_t, out *C.struct_mgpux_kernel_argument) (there C.bool) {
	defer rt.Guard(C.call_mgpuxGetKernelArgument)
	a, ok := rt.KernelArgument(uintptr(module), uintptr(kernel), uint64(index))
	if !ok {
		return false
	}
	out.bytes, out.offset = C.uint64_t(a.Size), C.uint64_t(a.Offset)
	copyText(out.kind[:], a.KindName)
	copyText(out.name[:], a.Name)
	return true
}

// goExit prints unreported failures, the statistics and a summary of the checker's findings. It returns the status with
// which the process has to end, 0 for the process's own. It makes no call of HIP or CUDA, since the library may be
// unloaded.
//
//export goExit
func goExit() (status C.int) {
	defer rt.GuardAs("exit")
	defer func() { status = C.int(log.Status()) }()
	d := softGPU.Load()
	leaks := softgpu.AsksForLeaks(process.Getenv("MGPU_CHECK"))
	if d != nil && leaks {
		reportUnfinished(d)
	}
	if d != nil {
		for _, err := range lastFailures(d) {
			rt.Report("exit", err)
		}
	}
	for _, line := range rt.Cascade() {
		_, _ = process.StandardError{}.Write([]byte(line + "\n"))
	}
	writeStatistics()
	if d != nil {
		writeProfile(d)
		if line := d.CheckSummary(); line != "" {
			_, _ = process.StandardError{}.Write([]byte(line + "\n"))
		}
	}
	if leaks {
		reportLeaks()
	}
	endTrace()
	return 0
}

// writeProfile prints the profile of MGPU_PROFILE, unless the statistics have it, and appends it to the file of
// MGPU_REPORT.
func writeProfile(d *softgpu.Driver) {
	text, kernels := d.Profile()
	if text != "" && statistics() == "" {
		_, _ = process.StandardError{}.Write([]byte(text + "\n"))
	}
	log.Profiled(kernels)
}

// reportUnfinished reports work that is still running when the program ends.
func reportUnfinished(d *softgpu.Driver) {
	if n, streams := d.Unfinished(); n != 0 {
		_, _ = fmt.Fprintf(findings{}, "mgpu check: leak: work that nothing waited for is under way at exit (operations: %d, streams: %d)\n", n, streams)
	}
}

// reportLeaks reports what the program created and did not release.
func reportLeaks() {
	all := rt.Leaks()
	for i := range all {
		_, _ = fmt.Fprintf(findings{}, "mgpu check: leak: %s\n", &all[i])
	}
	if len(all) == 0 {
		_, _ = fmt.Fprintln(process.StandardError{}, "mgpu check: leak: everything was given back")
	}
}

// noteResources starts the ledger if MGPU_CHECK asks for leaks.
func noteResources() {
	if softgpu.AsksForLeaks(process.Getenv("MGPU_CHECK")) {
		C.note_resources()
	}
}

// goNoteResource enters a call that has created or released something into the ledger.
//
//export goNoteResource
func goNoteResource(call C.uint32_t, args *C.uint64_t, result C.uint64_t, site, session C.uintptr_t) {
	defer rt.GuardAs("leak")
	n := mgpu.ResourceCall{Call: int(call), Result: uint64(result), Site: uintptr(site), Session: uint64(session)}
	for i, v := range unsafe.Slice(args, len(n.Args)) {
		n.Args[i] = uint64(v)
	}
	rt.NoteResource(&n)
}

// statisticsText returns the statistics in the form of MGPU_STATS: a table, or for FILE.json a line of JSON.
func statisticsText(s *mgpu.Snapshot, name string) []byte {
	var b bytes.Buffer
	if strings.HasSuffix(name, ".json") {
		_ = s.WriteJSON(&b, os.Getpid(), max(0, rank().World))
	} else {
		_ = s.WriteTable(&b)
	}
	return b.Bytes()
}

// writeStatistics appends the statistics to a file, or prints them if MGPU_STATS is "1" or the file can't be written.
func writeStatistics() {
	to := statistics()
	if to == "" {
		return
	}
	s := rt.Snapshot()
	if to != "1" {
		name := rank().FileName(to, os.Getpid())
		soFar.Lock()
		defer soFar.Unlock()
		soFar.over = true
		_ = syscall.Unlink(statisticsSoFar(name))
		err := hostfile.Add(name, statisticsText(&s, name))
		if err == nil {
			return
		}
		_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: MGPU_STATS=%v\n", err)
	}
	_ = s.WriteTable(process.StandardError{})
}

// statisticsSoFar returns the name of the file with the statistics of a process that still runs.
func statisticsSoFar(name string) string { return fmt.Sprintf("%s.%d.part", name, os.Getpid()) }

// soFar guards that file. over: the final statistics have been written.
var soFar struct {
	locks.Mutex[locks.StatisticsFile]
	over bool
}

// soFarEvery is the interval between writes of the statistics so far.
const soFarEvery = 500 * time.Millisecond

// keepStatistics writes the statistics so far repeatedly, if MGPU_STATS names a file. So they exist however the process
// ends, without a signal handler.
func keepStatistics() {
	to := statistics()
	if to == "" || to == "1" {
		return
	}
	name := rank().FileName(to, os.Getpid())
	go func() {
		defer rt.GuardAs("statistics")
		for calls := uint64(0); ; {
			time.Sleep(soFarEvery)
			now := rt.CallNumber()
			if now != calls && !writeSoFar(name) {
				return
			}
			calls = now
		}
	}()
}

// writeSoFar writes the statistics so far. It returns false if they are not wanted or can't be written; the end of the
// process reports the latter.
func writeSoFar(name string) bool {
	soFar.Lock()
	defer soFar.Unlock()
	if soFar.over {
		return false
	}
	s := rt.Snapshot()
	return hostfile.Replace(statisticsSoFar(name), func(to io.Writer) error {
		_, err := to.Write(statisticsText(&s, name))
		return err
	}) == nil
}

func addCounters(to *C.struct_mgpux_counters, f *mgpu.FunctionStats) {
	to.calls += C.uint64_t(f.Calls)
	to.driver_calls += C.uint64_t(f.DriverCalls)
	to.hits += C.uint64_t(f.Hits)
	to.misses += C.uint64_t(f.Misses)
	to.refusals += C.uint64_t(f.Refusals)
	to.driver_ns += C.uint64_t(f.DriverNS)
	to.total_ns += C.uint64_t(f.TotalNS)
}

// copyText fills a C array with s, cut if necessary to leave space for the NUL.
func copyText(to []C.char, s string) {
	for i := 0; i < len(s) && i < len(to)-1; i++ {
		to[i] = C.char(s[i])
	}
}

// heapAllocations returns the number of objects allocated on the Go heap so far. It does not stop the world; objects in
// the newest, partly filled spans are missing.
func heapAllocations() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// log counts the reported failures and findings.
var log = report.Log{
	Getenv: process.Getenv, AddTo: hostfile.Add, Stderr: process.StandardError{},
	Calls: func() (n uint64, ok bool) {
		if rt == nil {
			return 0, false
		}
		return rt.CallNumber(), true
	},
}

// failed records a failed call, on its thread.
func failed(status int32, line []byte) {
	guest.Failed(status, line)
	log.Failed(driver.Code(status-1).Error(), string(line))
}

// findings receives the output of the software GPU's checker, one Write per finding.
type findings struct{ process.StandardError }

func (f findings) Write(text []byte) (int, error) {
	recording.On().Instant(trace.Line, strings.TrimSuffix(string(text), "\n"))
	log.Found(string(text))
	return f.StandardError.Write(text)
}
