package main

// #include "thread.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/fastpath"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// recording has the recorder while something is recorded; traceMu guards its beginning and end.
var (
	recording trace.Switch
	traceMu   locks.Mutex[locks.Timeline]
)

// traceFromStart begins the timeline of MGPU_TRACE.
func traceFromStart() {
	pattern, _ := settings.ParseFile(process.Getenv("MGPU_TRACE")) // settings.Problems reports invalid values
	if pattern == "" {
		return
	}
	if err := startTrace(pattern); err != nil && err != errRecording {
		traceLine("MGPU_TRACE=%s: %v", pattern, err)
	}
}

var errRecording = errors.New("something is recorded already")

// startTrace begins to record, unless something is being recorded.
func startTrace(pattern string) error {
	traceMu.Lock()
	defer traceMu.Unlock()
	if recording.On() != nil {
		return errRecording
	}
	o := trace.Options{Process: os.Getpid(), Rank: -1, Calls: rt.CallNumber(), Program: programName(), NoGPU: process.Getenv("MGPU_TRACE_GPU") == "off"}
	place := rank()
	if place.Size > 1 {
		o.Rank = max(place.World, 0)
	}
	host, _ := os.Hostname()
	o.File = trace.Names{Process: o.Process, Rank: o.Rank, Host: host, Getenv: process.Getenv}.File(pattern)
	limit, _ := settings.ParseTraceLimit(process.Getenv("MGPU_TRACE_LIMIT")) // settings.Problems reports invalid values
	o.Limit, o.Last = limit.Bytes, limit.Last
	r, err := trace.New(o)
	if err != nil {
		return err
	}
	rt.TraceBegins(r)
	recording.Set(r)
	fastpath.Trace(r.Address())
	return nil
}

// endTrace ends the recording, if there is one, and prints how the command makes a timeline from it.
func endTrace() {
	traceMu.Lock()
	defer traceMu.Unlock()
	r := recording.On()
	if r == nil {
		return
	}
	fastpath.Trace(0)
	recording.Set(nil)
	end := r.Finish()
	lost := ""
	if end.Lost != 0 {
		lost = fmt.Sprintf(", %d lost (MGPU_TRACE_LIMIT)", end.Lost)
	}
	traceLine("%s: %d KiB of records%s; 'mgpu trace %s' makes the timeline", end.File, end.Bytes>>10, lost, strings.TrimSuffix(end.File, trace.PartSuffix))
}

func traceLine(format string, args ...any) {
	_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: trace: "+format+"\n", args...)
}

// programName returns the name by which the host was called.
func programName() string {
	path, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return ""
	}
	return filepath.Base(path)
}

//export goTraceStart
func goTraceStart(file *C.char) (started C.bool) {
	defer rt.Guard(C.call_mgpuxTraceStart)
	name, err := C.GoString(file), errors.New("no file name")
	if name != "" {
		err = startTrace(name)
	}
	if err != nil && err != errRecording {
		rt.TraceRefused(err)
	}
	return err == nil
}

//export goTraceStop
func goTraceStop() {
	defer rt.Guard(C.call_mgpuxTraceStop)
	endTrace()
}

//export goRangePush
func goRangePush(name *C.char) {
	defer rt.Guard(C.call_mgpuxRangePush)
	recording.On().Push(C.GoString(name))
}

//export goRangePop
func goRangePop() {
	defer rt.Guard(C.call_mgpuxRangePop)
	recording.On().Pop()
}

//export goMark
func goMark(name *C.char) {
	defer rt.Guard(C.call_mgpuxMark)
	recording.On().Mark(C.GoString(name))
}

//export goNameStream
func goNameStream(stream C.uintptr_t, name *C.char) {
	defer rt.Guard(C.call_mgpuxNameStream)
	recording.On().Stream(uintptr(stream), C.GoString(name))
}
