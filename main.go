// Package main is libmlir_rocm_runtime.so: the C ABI that MLIR-lowered GPU
// programs call, over package mgpu.
//
// entry.c holds the C functions, guest.c what keeps the Go runtime unnoticed in
// someone else's process, export.go the Go side of each function. This file
// chooses: which drivers there are, in which order, and what the environment
// says. Nothing here runs before the process's first mgpu call.
package main

// #include <stdlib.h>
// #include "answer.h"
// #include "blocks.h"
// #include "copy.h"
// #include "direct.h"
// #include "guest.h"
// #include "kept.h"
// #include "recording.h"
// #cgo nocallback image_is_stable
// #cgo noescape image_is_stable
// #cgo nocallback answer_forget
// #cgo noescape answer_forget
import "C"

import (
	"fmt"
	"math"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/internal/soft"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// main is never called: the library is entered through its exports.
func main() {}

// drivers are tried in this order.
var drivers = []mgpu.Opener{
	{Name: "hip", Open: openHIP},
	{Name: "cuda", Open: openCUDA},
	{Name: "soft", Open: openSoft, Fallback: true},
	{Name: "null", Open: openNull, OnDemand: true},
}

// openSoft opens the software GPU.
//
//	MGPU_SOFT_CHIP     which GPU it is, as LLVM calls it, with features or
//	                   without (gfx90a:xnack-); gfx906
//	MGPU_SOFT_DEVICES  how many there are; 1
//	MGPU_SOFT_TIMEOUT  when to end a kernel that runs on: seconds, or as 1m30s; never
//	MGPU_CHECK         what kernels are watched for: memory, strict, align,
//	                   race, uninit, sync, all, in a list; nothing
func openSoft() (driver.Driver, error) {
	devices, err := number("MGPU_SOFT_DEVICES", 1)
	if err != nil {
		return nil, err
	}
	timeout, err := duration("MGPU_SOFT_TIMEOUT")
	if err != nil {
		return nil, err
	}
	d, err := soft.Open(soft.Options{
		Chip: environment("MGPU_SOFT_CHIP"), Devices: int(devices), Current: chosenDevice{},
		Check: environment("MGPU_CHECK"), Reports: standardError{}, Abort: onError(),
		Stdout: hostStdout{}, Stderr: hostStderr{}, Timeout: timeout,
	})
	if err != nil {
		return nil, err
	}
	checked = d.CheckSummary
	return d, nil
}

// checked is what checking found, for the end of the process; nil: nothing was
// checked.
var checked func() string

// onError is what happens after the first line that says what went wrong; nil:
// nothing.
func onError() func() {
	if environment("MGPU_ON_ERROR") == "abort" {
		return func() { C.abort() }
	}
	return nil
}

// openNull opens the driver that does nothing.
//
//	MGPU_NULL_KERNEL_US  for how many microseconds each kernel keeps its stream
//	                     busy; 0
func openNull() (driver.Driver, error) {
	us, err := number("MGPU_NULL_KERNEL_US", 0)
	if err != nil {
		return nil, err
	}
	return null.Open(null.Options{
		Kernel:  time.Duration(us) * time.Microsecond,
		Sleep:   uintptr(C.wait_function()),
		Nothing: uintptr(C.direct_nothing()),
	}), nil
}

// configure reads the environment, with C's getenv: the Go runtime's own copy
// misses what the program has set by itself.
//
//	MGPU_DRIVER    the only driver to try
//	MGPU_CACHE     off: every call goes straight to the driver
//	MGPU_DIRECT    off: C makes no launch and no wait without asking Go
//	MGPU_HOSTCALLS warn or error: report, or refuse, kernels that print, assert or allocate; off
//	MGPU_GRAPH     auto, off or burst: which launches go through graphs, see graphMode
//	MGPU_STATS     1: time each call, and print a table at exit
//	MGPU_MEM_CACHE strict, stream or off: when device memory is given out again
//	MGPU_MEM_LIMIT how much of it is kept: 4GiB, 50%
//	MGPU_MEM_FILL  poison or zero: what it holds when the program gets it
//	MGPU_COPY      deferred: copies from the device arrive when they are waited for;
//	               direct: none goes through page-locked memory
//	MGPU_ON_ERROR  abort: stop at the first failing call
//	MGPU_CHECK     where set, the software GPU is the only driver to try
func configure() mgpu.Config {
	c := mgpu.Config{
		Drivers: inOrder(drivers, loadedAs()),
		Driver:  environment("MGPU_DRIVER"),
		NoCache: environment("MGPU_CACHE") == "off",
		Timing:  environment("MGPU_STATS") == "1",
		Stderr:  standardError{},
		Stable:  func(addr, n uintptr) bool { return bool(C.image_is_stable(C.uintptr_t(addr), C.uintptr_t(n))) },
	}
	c.Calls = func(name string) uint64 {
		key := append([]byte(name), 0)
		return uint64(C.calls_made((*C.char)(unsafe.Pointer(&key[0]))))
	}
	c.DriverCalls = func(name string) uint64 {
		key := append([]byte(name), 0)
		return uint64(C.direct_calls((*C.char)(unsafe.Pointer(&key[0]))))
	}
	var err error
	if c.Hostcalls, err = mgpu.ParseHostcalls(environment("MGPU_HOSTCALLS")); err != nil {
		_, _ = standardError{}.Write([]byte("mgpu: " + err.Error() + "\n"))
	}
	c.DriverTime = func(name string) uint64 {
		key := append([]byte(name), 0)
		return uint64(C.direct_nanoseconds((*C.char)(unsafe.Pointer(&key[0]))))
	}
	c.GraphLaunches = func() uint64 { return uint64(C.kept_launches()) }
	c.Graphs, c.GraphsOff = graphMode()
	c.RecordAll = func(id uintptr) { C.record_all(C.uintptr_t(id)) }
	if environment("MGPU_DIRECT") != "off" {
		c.Direct = func(d driver.DirectCalls, devices int) {
			C.kept_offer(C.uintptr_t(d.Driver), C.uintptr_t(d.GraphLaunch), C.bool(d.GraphsPinned), C.bool(c.Graphs == mgpu.GraphAlways))
			C.direct_offer(C.uintptr_t(d.Driver), C.uintptr_t(d.LaunchKernel), C.uintptr_t(d.StreamSynchronize), devices == 1, C.bool(c.Timing))
		}
	}
	c.Memory = mgpu.MemoryConfig{
		Level: environment("MGPU_MEM_CACHE"),
		Limit: environment("MGPU_MEM_LIMIT"),
		Fill:  environment("MGPU_MEM_FILL"),
		Copy:  environment("MGPU_COPY"),
		Hands: threadHands{},
	}
	c.StagedCopy = uintptr(C.copy_staged_function())
	c.Deferring = func(outstanding uintptr) { C.copy_deferring(C.uintptr_t(outstanding)) }
	c.HandHits = func() uint64 { return uint64(C.blocks_given()) }
	c.Symbol = symbol
	c.StreamsChanged = func() { C.direct_forget() }
	c.Unloading = func() { C.answer_forget() }
	C.answer_enable(C.bool(!c.NoCache))
	c.Abort = onError()
	if check := environment("MGPU_CHECK"); c.Driver == "" && check != "" && check != "off" {
		c.Driver = "soft"
	}
	return c
}

// environment is the value of an environment variable, empty if it is not set.
func environment(name string) string {
	key := append([]byte(name), 0)
	value := C.getenv((*C.char)(unsafe.Pointer(&key[0])))
	if value == nil {
		return ""
	}
	return C.GoString(value)
}

// number is the value of an environment variable that holds a whole number,
// otherwise if it is not set.
func number(name string, otherwise uint32) (uint32, error) {
	text := environment(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%s=%s is not a number from 0 to %d", name, text, 1<<31-1)
	}
	return uint32(n), nil
}

// duration is the value of an environment variable that holds a time, in seconds or
// as Go writes it; zero if it is not set or is that.
func duration(name string) (time.Duration, error) {
	text := environment(name)
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if seconds, e := strconv.ParseFloat(text, 64); e == nil && seconds < math.MaxInt32 {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%s=%s is no time: seconds, or as 1m30s", name, text)
	}
	return d, nil
}

// standardError writes to descriptor 2. os.Stderr would raise SIGPIPE by
// itself, whatever the host does about that signal.
type standardError struct{}

func (standardError) Write(p []byte) (int, error) { return descriptor(2).Write(p) }

// descriptor writes to a file descriptor.
type descriptor int

func (d descriptor) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		n, err := syscall.Write(int(d), p[done:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return len(p), nil
}
