//go:build race && invariants

// Judge runs random programs on a model device: judge KIND DEVICES SEED PROGRAMS STEPS, where
// KIND is C, Go or both; JUDGE_FAULT is the number of the fault to have. Its C code is compiled as
// test/model says, so that Go's race detector sees the two languages. It prints what is wrong, and
// how much was done.
package main

// #include "schedule.h"
// #include "tsan.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/fastpath"
	"github.com/mgpu-runtime/mgpu/internal/invariants"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/model/device"
	"github.com/mgpu-runtime/mgpu/test/model/programs"
)

func number(arg int) int {
	n, err := strconv.Atoi(os.Args[arg])
	if err != nil {
		panic(err)
	}
	return n
}

// kinds say whether C may make a call.
var kinds = map[string]func(*rand.Rand) bool{
	"C":    func(*rand.Rand) bool { return true },
	"Go":   func(*rand.Rand) bool { return false },
	"both": func(r *rand.Rand) bool { return r.IntN(2) == 0 },
}

// patience is how much of the processors' time threads may take for one step between them. A thread
// that waits for what never comes takes more.
const patience = 20 * time.Second

// processors is more than there are threads of a program, and of Go's runtime.
const processors = 8

// watch ends the process if its threads take no more steps.
func watch() {
	var steps uint64
	var since time.Duration
	for {
		time.Sleep(time.Second)
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		used := time.Duration(u.Utime.Nano() + u.Stime.Nano())
		if now := device.Steps.Load(); now != steps {
			steps, since = now, used
		}
		if used-since > patience {
			C.schedule_open()
			stacks := make([]byte, 1<<20)
			fmt.Printf("hangs: no thread goes on\n%s\n", stacks[:runtime.Stack(stacks, true)])
			for _, line := range invariants.Left() {
				fmt.Println("left:", line)
			}
			os.Exit(1)
		}
	}
}

// kernels loads a kernel for each thread of a program, and one for all.
func kernels(r *mgpu.Runtime) (functions []uintptr) {
	for i := range 4 {
		name := string(rune('a' + i))
		text := ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry " + name + "(.param .u64 p) { ret; }\n"
		module, _ := r.ModuleLoad(uintptr(unsafe.Pointer(C.CString(text))))
		functions = append(functions, r.ModuleGetFunction(module, uintptr(unsafe.Pointer(C.CString(name)))))
	}
	return functions
}

func main() {
	kind, devices, first, count, steps := os.Args[1], number(2), number(3), number(4), number(5)
	if fault, err := strconv.Atoi(os.Getenv("JUDGE_FAULT")); err == nil {
		C.judge_fault = C.int(fault)
	}
	// A thread that waits for its turn may be within an atomic operation, where the collector can't stop it, and keeps
	// its processor.
	debug.SetGCPercent(-1)
	runtime.GOMAXPROCS(processors)
	locks.Wait = func() { C.schedule_yield() }
	runtime.LockOSThread()
	C.judge_start()
	runtime.UnlockOSThread()
	go watch()
	var reused, hot uint64
	var epochs atomic.Uint64 // the number of programs and of replaced functions
	wrong := false
	var runtimes []*mgpu.Runtime // C may read what was theirs
	for seed := uint64(first); seed < uint64(first+count); seed++ {
		model = device.New(devices, seed)
		model.Quiet, model.Pause = quiet, pause
		model.Lazy = seed%3 == 0
		model.Shared = shared
		unchecked := seed/4%2 == 1 // not what Bounds and graphs depend on
		graphs = seed%3 == 2
		model.Brisk, model.Pinned = graphs, graphs && !unchecked
		path := fastpath.Path{Lookups: true, GraphsAlways: true}
		config := mgpu.Config{Stderr: io.Discard, Drivers: []mgpu.Opener{{Name: model.Name(), Open: func() (driver.Driver, error) { return modelDriver{model}, nil }}}}
		config.MaxIdle, config.MaxDraining = programs.Bounds(seed)
		config.UncheckedStreams = unchecked
		config.Graphs = mgpu.GraphAlways
		if kind != "Go" {
			config.FastPath, config.CallsInC = path, true
		}
		r := mgpu.New(config)
		runtimes = append(runtimes, r)
		fastpath.Serve(r, path)
		for range epochs.Load() { // threads have graphs of the programs before
			path.ForgetFunctions()
		}
		lib := func(random *rand.Rand) programs.Library {
			return attach(inC{Go: programs.Go{Runtime: r}, r: random, in: kinds[kind]})
		}
		p := &programs.Programs{Runtime: r, Device: model, Seed: seed, Library: lib, Shared: shared, Order: order{}, Destroys: unchecked}
		if graphs {
			p.Kernels = kernels(r)
			p.Replace = func(function uintptr) {
				epochs.Add(1)
				path.ForgetFunctions()
				model.Replace(driver.Function(function))
			}
		}
		for _, line := range p.Run(2+int(seed%2), steps) {
			fmt.Printf("seed %d: %s\n", seed, line)
			wrong = true
		}
		for path.Take(alloccache.Any) != 0 { // what C still has is not the next runtime's
		}
		path.ForgetStreams()
		runtime.GC()
		epochs.Add(1)
		reused, hot = reused+uint64(p.Reused), hot+uint64(p.Hot)
	}
	a, b, c := fastpath.Path{}.Allocations()
	runtime.KeepAlive(runtimes)
	fmt.Printf("reused %d hot %d in C %d by graph %d\n", reused, hot, a+b+c, fastpath.Path{}.GraphLaunches())
	for _, line := range invariants.Left() {
		fmt.Println("left:", line)
		wrong = true
	}
	if wrong {
		os.Exit(1)
	}
}
