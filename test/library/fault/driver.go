package fault

import (
	"fmt"
	"sync"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Kind is the kind of object of a handle.
type Kind string

// Kinds.
const (
	Stream Kind = "stream"
	Event  Kind = "event"
	Module Kind = "module"
	Memory Kind = "memory"
)

// Driver is another driver whose calls fail if Fail says so. It checks the use of handles. Optional powers of the other
// driver are hidden. All functions may be called from any number of threads at once.
type Driver struct {
	driver.Driver

	// Fail is called for each call that may fail, with its method and how often that was called. If it returns an
	// error, the call fails with it without being made. Nil: nothing fails. It is called with a lock held, and is
	// changed only while no call is in progress.
	Fail func(method string, nth int) error

	mu     sync.Mutex
	calls  map[string]int
	live   map[Kind]map[uintptr]int // by handle: the device that was current when it was made
	gone   map[Kind]map[uintptr]bool
	misuse []string
}

// NewDriver makes a Driver on top of d.
func NewDriver(d driver.Driver) *Driver {
	f := &Driver{Driver: d, calls: map[string]int{}, live: map[Kind]map[uintptr]int{}, gone: map[Kind]map[uintptr]bool{}}
	for _, k := range []Kind{Stream, Event, Module, Memory} {
		f.live[k], f.gone[k] = map[uintptr]int{}, map[uintptr]bool{}
	}
	return f
}

// Calls returns how often a method was called.
func (f *Driver) Calls(method string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[method]
}

// Live returns the handles of a kind, made on a device, that were not passed to a destroy function.
func (f *Driver) Live(k Kind, device int) []uintptr {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []uintptr
	for h, of := range f.live[k] {
		if of == device {
			all = append(all, h)
		}
	}
	return all
}

// Misuse returns what was done with destroyed handles.
func (f *Driver) Misuse() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.misuse
}

// used checks a handle that is passed to a call.
type used struct {
	kind   Kind
	handle uintptr
}

// fails counts a call, and returns the error with which it has to fail.
func (f *Driver) fails(method string, uses []used) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failsLocked(method, uses)
}

func (f *Driver) failsLocked(method string, uses []used) error {
	for _, u := range uses {
		if f.gone[u.kind][u.handle] && u.handle != 0 {
			f.misuse = append(f.misuse, fmt.Sprintf("%s(%s %#x), which is gone", method, u.kind, u.handle))
		}
	}
	f.calls[method]++
	if f.Fail == nil {
		return nil
	}
	return f.Fail(method, f.calls[method])
}

// call makes a call, unless it has to fail.
func (f *Driver) call(method string, really func() error, uses ...used) error {
	if err := f.fails(method, uses); err != nil {
		return err
	}
	return really()
}

// ask makes a call with a result, unless it has to fail.
func ask[T any](f *Driver, method string, really func() (T, error), uses ...used) (given T, err error) {
	if err := f.fails(method, uses); err != nil {
		return given, err
	}
	return really()
}

// create makes a call that returns a handle, unless it has to fail.
func create[H ~uintptr](f *Driver, method string, k Kind, really func() (H, error)) (H, error) {
	h, err := ask(f, method, really)
	if err == nil {
		device, _ := f.Driver.Device()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.live[k][uintptr(h)] = device
		delete(f.gone[k], uintptr(h))
	}
	return h, err
}

// destroy destroys a handle. The handle is gone before the driver can return it to another thread; after a failure
// no call may use it either.
func (f *Driver) destroy(method string, k Kind, h uintptr, really func() error) error {
	f.mu.Lock()
	err := f.failsLocked(method, []used{{k, h}})
	if _, known := f.live[k][h]; known {
		delete(f.live[k], h)
		f.gone[k][h] = true
	}
	f.mu.Unlock()
	if err == nil {
		err = really()
	}
	return err
}

// The driver's methods.

func (f *Driver) SetDevice(device int) error {
	return f.call("SetDevice", func() error { return f.Driver.SetDevice(device) })
}

func (f *Driver) Device() (int, error) { return ask(f, "Device", f.Driver.Device) }

func (f *Driver) ModuleLoad(image []byte) (driver.Module, error) {
	return create(f, "ModuleLoad", Module, func() (driver.Module, error) { return f.Driver.ModuleLoad(image) })
}

func (f *Driver) ModuleUnload(m driver.Module) error {
	return f.destroy("ModuleUnload", Module, uintptr(m), func() error { return f.Driver.ModuleUnload(m) })
}

func (f *Driver) ModuleGetFunction(m driver.Module, name string) (driver.Function, error) {
	return ask(f, "ModuleGetFunction", func() (driver.Function, error) { return f.Driver.ModuleGetFunction(m, name) },
		used{Module, uintptr(m)})
}

func (f *Driver) LaunchKernel(fn driver.Function, l driver.Launch) error {
	return f.call("LaunchKernel", func() error { return f.Driver.LaunchKernel(fn, l) }, used{Stream, uintptr(l.Stream)})
}

func (f *Driver) StreamCreate() (driver.Stream, error) {
	return create(f, "StreamCreate", Stream, f.Driver.StreamCreate)
}

func (f *Driver) StreamDestroy(s driver.Stream) error {
	return f.destroy("StreamDestroy", Stream, uintptr(s), func() error { return f.Driver.StreamDestroy(s) })
}

func (f *Driver) StreamSynchronize(s driver.Stream) error {
	return f.call("StreamSynchronize", func() error { return f.Driver.StreamSynchronize(s) }, used{Stream, uintptr(s)})
}

func (f *Driver) StreamIdle(s driver.Stream) (bool, error) {
	return ask(f, "StreamIdle", func() (bool, error) { return f.Driver.StreamIdle(s) }, used{Stream, uintptr(s)})
}

func (f *Driver) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return f.call("StreamWaitEvent", func() error { return f.Driver.StreamWaitEvent(s, e) },
		used{Stream, uintptr(s)}, used{Event, uintptr(e)})
}

func (f *Driver) EventCreate() (driver.Event, error) {
	return create(f, "EventCreate", Event, f.Driver.EventCreate)
}

func (f *Driver) EventDestroy(e driver.Event) error {
	return f.destroy("EventDestroy", Event, uintptr(e), func() error { return f.Driver.EventDestroy(e) })
}

func (f *Driver) EventRecord(e driver.Event, s driver.Stream) error {
	return f.call("EventRecord", func() error { return f.Driver.EventRecord(e, s) }, used{Event, uintptr(e)}, used{Stream, uintptr(s)})
}

func (f *Driver) EventSynchronize(e driver.Event) error {
	return f.call("EventSynchronize", func() error { return f.Driver.EventSynchronize(e) }, used{Event, uintptr(e)})
}

func (f *Driver) EventDone(e driver.Event) (bool, error) {
	return ask(f, "EventDone", func() (bool, error) { return f.Driver.EventDone(e) }, used{Event, uintptr(e)})
}

func (f *Driver) MemAlloc(bytes uint64) (driver.Ptr, error) {
	return create(f, "MemAlloc", Memory, func() (driver.Ptr, error) { return f.Driver.MemAlloc(bytes) })
}

func (f *Driver) MemAllocManaged(bytes uint64) (driver.Ptr, error) {
	return create(f, "MemAllocManaged", Memory, func() (driver.Ptr, error) { return f.Driver.MemAllocManaged(bytes) })
}

func (f *Driver) MemFree(p driver.Ptr) error {
	return f.destroy("MemFree", Memory, uintptr(p), func() error { return f.Driver.MemFree(p) })
}

func (f *Driver) Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error {
	return f.call("Memcpy", func() error { return f.Driver.Memcpy(dst, src, bytes, s) }, used{Stream, uintptr(s)})
}

func (f *Driver) Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error {
	return f.call("Memset32", func() error { return f.Driver.Memset32(dst, value, count, s) }, used{Stream, uintptr(s)})
}

func (f *Driver) Memset16(dst driver.Ptr, value uint16, count uint64, s driver.Stream) error {
	return f.call("Memset16", func() error { return f.Driver.Memset16(dst, value, count, s) }, used{Stream, uintptr(s)})
}

func (f *Driver) HostRegister(p driver.Ptr, bytes uint64) error {
	return f.call("HostRegister", func() error { return f.Driver.HostRegister(p, bytes) })
}

func (f *Driver) HostUnregister(p driver.Ptr) error {
	return f.call("HostUnregister", func() error { return f.Driver.HostUnregister(p) })
}

func (f *Driver) HostDevicePointer(p driver.Ptr) (driver.Ptr, error) {
	return ask(f, "HostDevicePointer", func() (driver.Ptr, error) { return f.Driver.HostDevicePointer(p) })
}
