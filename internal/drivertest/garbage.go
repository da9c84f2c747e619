package drivertest

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// garbageTests has one test per method that takes a handle, since drivers differ in what they validate.
var garbageTests = []conformance{
	{"garbage/StreamDestroy", garbage(func(x *exam, h uintptr) error { return x.d.StreamDestroy(driver.Stream(h)) })},
	{"garbage/StreamSynchronize", garbage(func(x *exam, h uintptr) error { return x.d.StreamSynchronize(driver.Stream(h)) })},
	{"garbage/StreamIdle", garbage(func(x *exam, h uintptr) error { _, err := x.d.StreamIdle(driver.Stream(h)); return err })},
	{"garbage/StreamWaitEvent stream", garbage(func(x *exam, h uintptr) error { return x.d.StreamWaitEvent(driver.Stream(h), x.event()) })},
	{"garbage/StreamWaitEvent event", garbage(func(x *exam, h uintptr) error { return x.d.StreamWaitEvent(x.stream(), driver.Event(h)) })},
	{"garbage/EventDestroy", garbage(func(x *exam, h uintptr) error { return x.d.EventDestroy(driver.Event(h)) })},
	{"garbage/EventRecord event", garbage(func(x *exam, h uintptr) error { return x.d.EventRecord(driver.Event(h), x.stream()) })},
	{"garbage/EventRecord stream", garbage(func(x *exam, h uintptr) error { return x.d.EventRecord(x.event(), driver.Stream(h)) })},
	{"garbage/EventSynchronize", garbage(func(x *exam, h uintptr) error { return x.d.EventSynchronize(driver.Event(h)) })},
	{"garbage/EventDone", garbage(func(x *exam, h uintptr) error { _, err := x.d.EventDone(driver.Event(h)); return err })},
	{"garbage/ModuleUnload", garbage(func(x *exam, h uintptr) error { return x.d.ModuleUnload(driver.Module(h)) })},
	{"garbage/ModuleGetFunction", garbage(func(x *exam, h uintptr) error {
		_, err := x.d.ModuleGetFunction(driver.Module(h), "fill")
		return err
	})},
	{"garbage/LaunchKernel function", garbage(func(x *exam, h uintptr) error {
		return x.d.LaunchKernel(driver.Function(h), driver.Launch{Grid: along(1), Block: along(1), Stream: x.stream()})
	})},
	{"garbage/LaunchKernel stream", func(x *exam) {
		f := x.kernel("empty")
		garbage(func(x *exam, h uintptr) error {
			return x.d.LaunchKernel(f, driver.Launch{Grid: along(1), Block: along(1), Stream: driver.Stream(h)})
		})(x)
	}},
	{"garbage/Memcpy stream", func(x *exam) {
		p := x.words(1, 0)
		garbage(func(x *exam, h uintptr) error { return x.d.Memcpy(p, p, 4, driver.Stream(h)) })(x)
	}},
	{"garbage/Memset stream", func(x *exam) {
		p := x.words(1, 0)
		garbage(func(x *exam, h uintptr) error { return x.d.Memset32(p, 1, 1, driver.Stream(h)) })(x)
		garbage(func(x *exam, h uintptr) error { return x.d.Memset16(p, 1, 1, driver.Stream(h)) })(x)
	}},
	{"garbage/pointers", func(x *exam) {
		s, p := x.stream(), x.words(1, 7)
		for _, bad := range []driver.Ptr{1, 0xdead0000, ^driver.Ptr(0) - 8, 1 << 62} {
			what := fmt.Sprintf("(%#x)", bad)
			x.fails(x.d.MemFree(bad), "MemFree"+what, driver.InvalidValue, driver.InvalidHandle)
			x.fails(x.d.HostUnregister(bad), "HostUnregister"+what, driver.InvalidValue, driver.Unknown)
			x.failsBySync(x.d.Memcpy(p, bad, 4, s), s, "Memcpy from"+what)
			x.failsBySync(x.d.Memcpy(bad, p, 4, s), s, "Memcpy to"+what)
			x.failsBySync(x.d.Memset32(bad, 1, 1, s), s, "Memset32"+what)
			_, err := x.d.HostDevicePointer(bad)
			x.fails(err, "HostDevicePointer"+what, driver.InvalidValue, driver.Unknown)
		}
		x.failsBySync(x.d.Memcpy(p, 0, 4, s), s, "Memcpy from null")
		x.failsBySync(x.d.Memcpy(0, p, 4, s), s, "Memcpy to null")
		x.failsBySync(x.d.Memset32(0, 1, 1, s), s, "Memset32 of null")
		x.equal(x.download(p, 1), []uint32{7}, "memory beside")
	}},
	{"garbage/destroyed handles", func(x *exam) {
		s, err := x.d.StreamCreate()
		x.ok(err, "StreamCreate")
		x.ok(x.d.StreamDestroy(s), "StreamDestroy")
		x.fails(x.d.StreamDestroy(s), "StreamDestroy again", driver.InvalidHandle)
		x.fails(x.d.StreamSynchronize(s), "StreamSynchronize of a destroyed stream", driver.InvalidHandle)
		e, err := x.d.EventCreate()
		x.ok(err, "EventCreate")
		x.ok(x.d.EventDestroy(e), "EventDestroy")
		x.fails(x.d.EventDestroy(e), "EventDestroy again", driver.InvalidHandle)
		m, err := x.d.ModuleLoad(x.images.Kernels())
		x.ok(err, "ModuleLoad")
		f := x.function(m, "empty")
		x.ok(x.d.ModuleUnload(m), "ModuleUnload")
		x.fails(x.d.ModuleUnload(m), "ModuleUnload again", driver.InvalidHandle)
		x.fails(x.d.LaunchKernel(f, driver.Launch{Grid: along(1), Block: along(1)}), "LaunchKernel of an unloaded function", driver.InvalidHandle)
	}},
	{"garbage/handles of another kind", func(x *exam) {
		s, e, m := x.stream(), x.event(), x.load(x.images.Kernels())
		f := x.function(m, "empty")
		for _, h := range []uintptr{uintptr(s), uintptr(e), uintptr(m)} {
			x.fails(x.d.LaunchKernel(driver.Function(h), driver.Launch{Grid: along(1), Block: along(1)}), "LaunchKernel", driver.InvalidHandle)
		}
		x.fails(x.d.EventDestroy(driver.Event(s)), "EventDestroy of a stream", driver.InvalidHandle)
		x.fails(x.d.StreamDestroy(driver.Stream(e)), "StreamDestroy of an event", driver.InvalidHandle)
		x.fails(x.d.ModuleUnload(driver.Module(f)), "ModuleUnload of a function", driver.InvalidHandle)
	}},
}

// garbage makes a test that passes values which are not handles to a call. Zero is not among them, since it is the null
// stream.
func garbage(call func(x *exam, h uintptr) error) func(*exam) {
	return func(x *exam) {
		for _, h := range []uintptr{1, 8, 0xdeadbeef, 0x7fff_ffff_fff8, 1 << 63, ^uintptr(0)} {
			x.fails(call(x, h), fmt.Sprintf("handle %#x", h), driver.InvalidHandle)
		}
	}
}

// failsBySync accepts an error of the call, or of the next synchronize.
func (x *exam) failsBySync(err error, s driver.Stream, call string) {
	if later := x.d.StreamSynchronize(s); err == nil {
		err = later
	}
	x.fails(err, call, driver.InvalidValue, driver.LaunchFailure)
}
