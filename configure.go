package main

// #include "answer.h"
// #include "blocks.h"
// #include "copy.h"
// #include "direct.h"
// #include "guest.h"
// #include "kept.h"
// #cgo nocallback image_is_stable
// #cgo noescape image_is_stable
// #cgo nocallback answer_forget
// #cgo noescape answer_forget
import "C"

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// configure reads the environment, with C's getenv: the Go runtime's own copy
// misses what the program has set by itself. What each variable means stands in
// internal/settings.
func configure() mgpu.Config {
	c := mgpu.Config{
		Drivers: inOrder(drivers, loadedAs()),
		Driver:  environment("MGPU_DRIVER"),
		NoCache: environment("MGPU_CACHE") == "off",
		Timing:  environment("MGPU_STATS") == "1",
		Memory: mgpu.MemoryConfig{
			Level: environment("MGPU_MEM_CACHE"),
			Limit: environment("MGPU_MEM_LIMIT"),
			Fill:  environment("MGPU_MEM_FILL"),
			Copy:  environment("MGPU_COPY"),
			Hands: threadHands{},
		},
		Stderr: standardError{},
		Abort:  onError(),
	}
	if check := environment("MGPU_CHECK"); c.Driver == "" && check != "" && check != "off" {
		c.Driver = "soft"
	}
	var err error
	if c.Hostcalls, err = mgpu.ParseHostcalls(environment("MGPU_HOSTCALLS")); err != nil {
		_, _ = fmt.Fprintf(standardError{}, "mgpu: %v\n", err)
	}
	c.Graphs, c.GraphsOff = graphMode()
	connect(&c)
	return c
}

// connect gives the runtime what the library does in C, and lets that begin.
func connect(c *mgpu.Config) {
	c.Stable = func(addr, n uintptr) bool { return bool(C.image_is_stable(C.uintptr_t(addr), C.uintptr_t(n))) }
	c.Symbol = symbol
	c.Calls = func(call string) uint64 { return uint64(C.calls_made(terminated(call))) }
	c.DriverCalls = func(call string) uint64 { return uint64(C.direct_calls(terminated(call))) }
	c.DriverTime = func(call string) uint64 { return uint64(C.direct_nanoseconds(terminated(call))) }
	c.GraphLaunches = func() uint64 { return uint64(C.kept_launches()) }
	c.HandHits = func() uint64 { return uint64(C.blocks_given()) }
	c.StagedCopy = uintptr(C.copy_staged_function())
	c.StreamsChanged = func() { C.direct_forget() }
	c.Unloading = func() { C.answer_forget() }
	C.answer_enable(C.bool(!c.NoCache))
	if environment("MGPU_DIRECT") == "off" {
		return
	}
	always, timed := C.bool(c.Graphs == mgpu.GraphAlways), C.bool(c.Timing)
	c.Direct = func(d driver.DirectCalls, devices int) {
		C.kept_offer(C.uintptr_t(d.Driver), C.uintptr_t(d.GraphLaunch), C.bool(d.GraphsPinned), always)
		C.direct_offer(C.uintptr_t(d.Driver), C.uintptr_t(d.LaunchKernel), C.uintptr_t(d.StreamSynchronize), devices == 1, timed)
	}
}
