//go:build race && invariants

package main

// #include "device.h"
// #include "schedule.h"
// #include "tsan.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/model/device"
)

// shared is the address of memory that the host sees, in programs that share any.
const shared = 1 << 43

// modelDriver is the model device with functions of C.
type modelDriver struct{ *device.Model }

// model is the device of the program that runs.
var model *device.Model

func quiet(on bool) { C.judge_quiet(C.bool(on)) }

// order is the schedule of schedule.c.
type order struct{}

func (order) Begin(threads int, seed uint64) { C.schedule_begin(C.int(threads), C.uint64_t(seed)) }
func (order) Enter(thread int)               { C.schedule_enter(C.int(thread)) }
func (order) Leave()                         { C.schedule_leave() }
func pause(steps uint64)                     { C.schedule_pause(C.uint64_t(steps)) }

//export goDriverCall
func goDriverCall(op C.enum_operation, a, b, c, d C.uintptr_t) C.uintptr_t {
	var err error
	ok := true
	switch op {
	case C.do_launch:
		err = model.LaunchKernel(driver.Function(a), driver.Launch{Stream: driver.Stream(b)})
	case C.do_synchronize:
		err = model.StreamSynchronize(driver.Stream(a))
	case C.do_idle:
		ok, err = model.StreamIdle(driver.Stream(a))
	case C.do_record:
		err = model.EventRecord(driver.Event(a), driver.Stream(b))
	case C.do_usable:
		ok = model.Knows(driver.Stream(a))
	case C.do_host_sees:
		ok = !model.Asked(driver.Ptr(a))
	case C.do_copy:
		err = model.Memcpy(driver.Ptr(a), driver.Ptr(b), uint64(c), driver.Stream(d))
	case C.do_fill:
		err = model.Memset32(driver.Ptr(a), uint32(b), uint64(c), driver.Stream(d))
	case C.do_wait_event:
		err = model.EventSynchronize(driver.Event(a))
	case C.do_wait_device:
		err = model.DeviceSynchronize()
	case C.do_free_memory:
		err = model.MemFree(driver.Ptr(a))
	}
	if err != nil || !ok {
		return 1
	}
	return 0
}

func (modelDriver) PlaceOf(p driver.Ptr) (driver.Place, error) {
	if model.Asked(p) {
		return driver.Shared, nil
	}
	return driver.Pageable, nil
}

//export goGraphLaunch
func goGraphLaunch(l *C.struct_graph_launch) {
	dims := func(d *[3]C.uint32_t) driver.Dim3 {
		return driver.Dim3{X: uint32(d[0]), Y: uint32(d[1]), Z: uint32(d[2])}
	}
	_ = model.LaunchExec(driver.GraphExec(l.exec), driver.Function(l.function),
		driver.Launch{Grid: dims(&l.grid), Block: dims(&l.block), Stream: driver.Stream(l.stream)}, uint64(l.value), bool(l.set))
}

// GraphAddKernel reads the value of a kernel's only parameter.
func (d modelDriver) GraphAddKernel(g driver.Graph, _ []driver.Node, f driver.Function, l driver.Launch) (driver.Node, error) {
	return d.AddKernel(g, f, l, uint64(C.launch_value(C.uintptr_t(l.Params)))), nil
}

func function(op C.enum_operation) uintptr { return uintptr(C.driver_function(op)) }

// graphs: C makes launches by graphs.
var graphs bool

func (modelDriver) CFunctions() driver.CFunctions {
	var launch uintptr
	if graphs {
		launch = uintptr(C.driver_graph_function())
	}
	return driver.CFunctions{
		GraphLaunch: launch, GraphsPinned: model.Pinned,
		LaunchKernel: function(C.do_launch), StreamSynchronize: function(C.do_synchronize), StreamIdle: function(C.do_idle),
		HostSees: function(C.do_host_sees), StreamUsable: function(C.do_usable), EventRecord: function(C.do_record),
		Memcpy: function(C.do_copy), Memset32: function(C.do_fill), Memset16: function(C.do_fill),
	}
}

func blocking(op C.enum_operation, args ...uintptr) (b driver.Blocking) {
	b.Fn = function(op)
	copy(b.Arg[1:], args)
	return b
}

func (modelDriver) WaitStream(s driver.Stream) driver.Blocking {
	return blocking(C.do_synchronize, uintptr(s))
}
func (modelDriver) WaitEvent(e driver.Event) driver.Blocking {
	return blocking(C.do_wait_event, uintptr(e))
}
func (modelDriver) WaitCopy(dst, src driver.Ptr, bytes uint64, s driver.Stream) driver.Blocking {
	return blocking(C.do_copy, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
}
func (modelDriver) WaitFree(p driver.Ptr) driver.Blocking {
	return blocking(C.do_free_memory, uintptr(p))
}
func (modelDriver) WaitDevice() driver.Blocking { return blocking(C.do_wait_device) }

func (modelDriver) Status(call string, status int32) error {
	if status == 0 {
		return nil
	}
	return &driver.Error{Call: call, Name: "invalid value", Code: driver.InvalidValue}
}

func wait(fn uintptr, args *[5]uintptr) int32 {
	return int32(C.driver_wait(C.uintptr_t(fn), (*C.uintptr_t)(unsafe.Pointer(args))))
}
