package mgpu

import (
	"runtime"
	"strings"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// meter makes driver calls and charges each to one mgpu function.
type meter struct {
	drv     driver.Driver
	stats   *stats
	modules moduleWatcher
	times   workTimes // nil: work is not timed by events
	call    int
}

// workTimes times work on the device, for the timeline.
type workTimes interface {
	// timed begins to time work that is about to be submitted to a stream.
	timed(*meter, driver.Stream, trace.Work) timing
	// collect records the work of the current device that is done.
	collect(*meter)
}

// timing is the time of work. The zero value measures nothing.
type timing struct{ end func() }

// stop records that the work has been submitted, if it is timed.
func (t timing) stop() {
	if t.end != nil {
		t.end()
	}
}

// timed begins to time work that is about to be submitted to a stream, by a call that counts
// as a submission.
func (m *meter) timed(s driver.Stream, w trace.Work) timing {
	if m.times == nil || w == (trace.Work{}) { // a launch of no function
		return timing{}
	}
	return m.times.timed(m, s, w)
}

// charge is a driver call in progress.
type charge struct {
	counters *counters
	start    int64 // zero: calls are not timed
	traced   tracedCall
}

// tracedCall is a driver call for the timeline.
type tracedCall struct {
	to    *trace.Recorder // nil: the call is not recorded
	name  string
	start int64
}

// charge counts a driver call that is about to be made. Each counted driver call in this package comes after `defer
// m.charge().stop()`.
func (m *meter) charge() charge {
	locks.CallsDriver()
	c := m.stats.counters(m.call)
	c.driverCalls.Add(1)
	under := charge{counters: c}
	if t := m.stats.trace.On(); t != nil {
		under.traced = tracedCall{t, callerName(), t.Now()}
	}
	if m.stats.timing {
		under.start = now()
	}
	return under
}

// stop adds the driver call's time.
func (c charge) stop() {
	if c.start != 0 {
		c.counters.driverNS.Add(uint64(now() - c.start))
	}
	if c.traced.to != nil {
		c.traced.to.DriverCall(c.traced.name, c.traced.start)
	}
}

func (m *meter) SetDevice(device int) error {
	defer m.charge().stop()
	return m.drv.SetDevice(device)
}

func (m *meter) Device() (int, error) {
	defer m.charge().stop()
	return m.drv.Device()
}

func (m *meter) ModuleLoad(image []byte) (driver.Module, error) {
	defer m.modules.moduleLoaded()
	defer m.charge().stop()
	return m.drv.ModuleLoad(image)
}

// ModuleLoadPrepared loads an image that the driver has already read.
func (m *meter) ModuleLoadPrepared(p driver.PreparedModule) (driver.Module, error) {
	defer m.modules.moduleLoaded()
	defer m.charge().stop()
	return p.Load()
}

// ModuleUnload unloads a module. An unload that makes room for another module runs in the relaxed capture mode: newer
// HIP would end the program's captures otherwise.
func (m *meter) ModuleUnload(a driver.Module) error {
	m.modules.moduleUnloading(a)
	if c, ok := m.drv.(driver.Capturer); ok && m.call != moduleUnload {
		defer relaxCaptureMode(c).restore()
	}
	defer m.charge().stop()
	return m.drv.ModuleUnload(a)
}

func (m *meter) ModuleGetFunction(module driver.Module, name string) (driver.Function, error) {
	defer m.charge().stop()
	return m.drv.ModuleGetFunction(module, name)
}

func (m *meter) LaunchKernel(f driver.Function, l driver.Launch) error {
	defer m.timed(l.Stream, trace.Work{Kernel: uintptr(f)}).stop()
	defer m.charge().stop()
	return m.drv.LaunchKernel(f, l)
}

func (m *meter) StreamCreate() (driver.Stream, error) {
	defer m.charge().stop()
	return m.drv.StreamCreate()
}

func (m *meter) StreamDestroy(a driver.Stream) error {
	defer m.charge().stop()
	return m.drv.StreamDestroy(a)
}

func (m *meter) StreamSynchronize(a driver.Stream) error {
	defer m.charge().stop()
	return m.drv.StreamSynchronize(a)
}

// StreamIdle reports whether a stream is idle, without ending a capture of another stream. The program does not capture
// this stream.
func (m *meter) StreamIdle(a driver.Stream) (bool, error) {
	if c, ok := m.drv.(driver.Capturer); ok {
		defer relaxCaptureMode(c).restore()
	}
	defer m.charge().stop()
	return m.drv.StreamIdle(a)
}

func (m *meter) StreamWaitEvent(a driver.Stream, b driver.Event) error {
	defer m.charge().stop()
	return m.drv.StreamWaitEvent(a, b)
}

func (m *meter) EventCreate() (driver.Event, error) {
	defer m.charge().stop()
	return m.drv.EventCreate()
}

func (m *meter) EventDestroy(a driver.Event) error {
	defer m.charge().stop()
	return m.drv.EventDestroy(a)
}

func (m *meter) EventRecord(a driver.Event, b driver.Stream) error {
	defer m.charge().stop()
	return m.drv.EventRecord(a, b)
}

func (m *meter) EventSynchronize(a driver.Event) error {
	defer m.charge().stop()
	return m.drv.EventSynchronize(a)
}

func (m *meter) EventDone(a driver.Event) (bool, error) {
	if c, ok := m.drv.(driver.Capturer); ok {
		defer relaxCaptureMode(c).restore()
	}
	defer m.charge().stop()
	return m.drv.EventDone(a)
}

// EventDoneRelaxed is EventDone if the thread's capture mode is relaxed already.
func (m *meter) EventDoneRelaxed(a driver.Event) (bool, error) {
	defer m.charge().stop()
	return m.drv.EventDone(a)
}

func (m *meter) MemAlloc(bytes uint64) (driver.Ptr, error) {
	defer m.charge().stop()
	return m.drv.MemAlloc(bytes)
}

func (m *meter) MemAllocManaged(bytes uint64) (driver.Ptr, error) {
	defer m.charge().stop()
	return m.drv.MemAllocManaged(bytes)
}

func (m *meter) MemFree(a driver.Ptr) error {
	defer m.charge().stop()
	return m.drv.MemFree(a)
}

func (m *meter) Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error {
	defer m.timed(s, trace.Work{Bytes: bytes}).stop()
	defer m.charge().stop()
	return m.drv.Memcpy(dst, src, bytes, s)
}

func (m *meter) Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error {
	defer m.timed(s, trace.Work{Bytes: 4 * count, Fill: true}).stop()
	defer m.charge().stop()
	return m.drv.Memset32(dst, value, count, s)
}

func (m *meter) Memset16(dst driver.Ptr, value uint16, count uint64, s driver.Stream) error {
	defer m.timed(s, trace.Work{Bytes: 2 * count, Fill: true}).stop()
	defer m.charge().stop()
	return m.drv.Memset16(dst, value, count, s)
}

func (m *meter) HostRegister(p driver.Ptr, bytes uint64) error {
	defer m.charge().stop()
	return m.drv.HostRegister(p, bytes)
}

func (m *meter) HostUnregister(a driver.Ptr) error {
	defer m.charge().stop()
	return m.drv.HostUnregister(a)
}

func (m *meter) HostDevicePointer(p driver.Ptr) (driver.Ptr, error) {
	defer m.charge().stop()
	return m.drv.HostDevicePointer(p)
}

// moduleWatcher is notified of modules that the driver loads and unloads.
type moduleWatcher interface {
	moduleLoaded()
	moduleUnloading(driver.Module)
}

// callerNames maps a program counter to the name of its function.
var callerNames sync.Map // uintptr -> string

// callerName returns the name of the function that called callerName's caller. A prepared load is named as a load.
func callerName() string {
	var pc [1]uintptr
	if runtime.Callers(3, pc[:]) == 0 {
		return "call"
	}
	if name, ok := callerNames.Load(pc[0]); ok {
		return name.(string)
	}
	frame, _ := runtime.CallersFrames(pc[:]).Next()
	name := strings.TrimSuffix(frame.Function[strings.LastIndexByte(frame.Function, '.')+1:], "Prepared")
	callerNames.Store(pc[0], name)
	return name
}
