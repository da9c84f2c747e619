package fault

import (
	"fmt"
	"sync"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Kind is what a handle stands for.
type Kind string

// Kinds.
const (
	Stream Kind = "stream"
	Event  Kind = "event"
	Module Kind = "module"
	Memory Kind = "memory"
)

// Driver is another driver whose calls fail where Fail says so, and that watches
// what is done with handles. Optional powers of the other driver are hidden.
// Everything may be called from any number of threads at once.
type Driver struct {
	driver.Driver

	// Fail is asked about each call that may fail: its method, and how often that
	// was called. What it returns the call fails with, without being made. Nil:
	// nothing fails. It is called with a lock held and is only changed while no
	// call is under way.
	Fail func(method string, nth int) error

	mu     sync.Mutex
	calls  map[string]int
	live   map[Kind]map[uintptr]int // by handle, the device that was current when it was made
	gone   map[Kind]map[uintptr]bool
	misuse []string
}

// NewDriver makes a Driver that passes everything on to d.
func NewDriver(d driver.Driver) *Driver {
	f := &Driver{Driver: d, calls: map[string]int{}, live: map[Kind]map[uintptr]int{}, gone: map[Kind]map[uintptr]bool{}}
	for _, k := range []Kind{Stream, Event, Module, Memory} {
		f.live[k], f.gone[k] = map[uintptr]int{}, map[uintptr]bool{}
	}
	return f
}

// Calls is how often a method was called.
func (f *Driver) Calls(method string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[method]
}

// Live are the handles of a kind, made on a device, that nobody has tried to
// destroy.
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

// Misuse tells what was done to handles that are gone.
func (f *Driver) Misuse() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.misuse
}

func (f *Driver) fails(method string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failsLocked(method)
}

func (f *Driver) failsLocked(method string) error {
	f.calls[method]++
	if f.Fail == nil {
		return nil
	}
	return f.Fail(method, f.calls[method])
}

// use notes that a handle is passed to a method.
func (f *Driver) use(method string, k Kind, h uintptr) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gone[k][h] && h != 0 {
		f.misuse = append(f.misuse, fmt.Sprintf("%s(%s %#x), which is gone", method, k, h))
	}
}

func made[H ~uintptr](f *Driver, k Kind, h H, err error) (H, error) {
	if err == nil {
		device, _ := f.Driver.Device()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.live[k][uintptr(h)] = device
		delete(f.gone[k], uintptr(h))
	}
	return h, err
}

// destroy destroys a handle. It is gone before the driver can give it to another
// thread; where that fails nobody is to use it all the same.
func (f *Driver) destroy(method string, k Kind, h uintptr, really func() error) error {
	f.use(method, k, h)
	f.mu.Lock()
	if _, known := f.live[k][h]; known {
		delete(f.live[k], h)
		f.gone[k][h] = true
	}
	err := f.failsLocked(method)
	f.mu.Unlock()
	if err == nil {
		err = really()
	}
	return err
}

// SetDevice may fail.
func (f *Driver) SetDevice(device int) error {
	if err := f.fails("SetDevice"); err != nil {
		return err
	}
	return f.Driver.SetDevice(device)
}

// Device may fail.
func (f *Driver) Device() (int, error) {
	if err := f.fails("Device"); err != nil {
		return 0, err
	}
	return f.Driver.Device()
}

// ModuleLoad may fail.
func (f *Driver) ModuleLoad(image []byte) (driver.Module, error) {
	if err := f.fails("ModuleLoad"); err != nil {
		return 0, err
	}
	m, err := f.Driver.ModuleLoad(image)
	return made(f, Module, m, err)
}

// ModuleUnload may fail.
func (f *Driver) ModuleUnload(m driver.Module) error {
	return f.destroy("ModuleUnload", Module, uintptr(m), func() error { return f.Driver.ModuleUnload(m) })
}

// ModuleGetFunction may fail.
func (f *Driver) ModuleGetFunction(m driver.Module, name string) (driver.Function, error) {
	f.use("ModuleGetFunction", Module, uintptr(m))
	if err := f.fails("ModuleGetFunction"); err != nil {
		return 0, err
	}
	return f.Driver.ModuleGetFunction(m, name)
}

// LaunchKernel may fail.
func (f *Driver) LaunchKernel(fn driver.Function, l driver.Launch) error {
	f.use("LaunchKernel", Stream, uintptr(l.Stream))
	if err := f.fails("LaunchKernel"); err != nil {
		return err
	}
	return f.Driver.LaunchKernel(fn, l)
}

// StreamCreate may fail.
func (f *Driver) StreamCreate() (driver.Stream, error) {
	if err := f.fails("StreamCreate"); err != nil {
		return 0, err
	}
	s, err := f.Driver.StreamCreate()
	return made(f, Stream, s, err)
}

// StreamDestroy may fail.
func (f *Driver) StreamDestroy(s driver.Stream) error {
	return f.destroy("StreamDestroy", Stream, uintptr(s), func() error { return f.Driver.StreamDestroy(s) })
}

// StreamSynchronize may fail.
func (f *Driver) StreamSynchronize(s driver.Stream) error {
	f.use("StreamSynchronize", Stream, uintptr(s))
	if err := f.fails("StreamSynchronize"); err != nil {
		return err
	}
	return f.Driver.StreamSynchronize(s)
}

// StreamIdle may fail.
func (f *Driver) StreamIdle(s driver.Stream) (bool, error) {
	f.use("StreamIdle", Stream, uintptr(s))
	if err := f.fails("StreamIdle"); err != nil {
		return false, err
	}
	return f.Driver.StreamIdle(s)
}

// StreamWaitEvent may fail.
func (f *Driver) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	f.use("StreamWaitEvent", Stream, uintptr(s))
	f.use("StreamWaitEvent", Event, uintptr(e))
	if err := f.fails("StreamWaitEvent"); err != nil {
		return err
	}
	return f.Driver.StreamWaitEvent(s, e)
}

// EventCreate may fail.
func (f *Driver) EventCreate() (driver.Event, error) {
	if err := f.fails("EventCreate"); err != nil {
		return 0, err
	}
	e, err := f.Driver.EventCreate()
	return made(f, Event, e, err)
}

// EventDestroy may fail.
func (f *Driver) EventDestroy(e driver.Event) error {
	return f.destroy("EventDestroy", Event, uintptr(e), func() error { return f.Driver.EventDestroy(e) })
}

// EventRecord may fail.
func (f *Driver) EventRecord(e driver.Event, s driver.Stream) error {
	f.use("EventRecord", Event, uintptr(e))
	f.use("EventRecord", Stream, uintptr(s))
	if err := f.fails("EventRecord"); err != nil {
		return err
	}
	return f.Driver.EventRecord(e, s)
}

// EventSynchronize may fail.
func (f *Driver) EventSynchronize(e driver.Event) error {
	f.use("EventSynchronize", Event, uintptr(e))
	if err := f.fails("EventSynchronize"); err != nil {
		return err
	}
	return f.Driver.EventSynchronize(e)
}

// EventDone may fail.
func (f *Driver) EventDone(e driver.Event) (bool, error) {
	f.use("EventDone", Event, uintptr(e))
	if err := f.fails("EventDone"); err != nil {
		return false, err
	}
	return f.Driver.EventDone(e)
}

// MemAlloc may fail.
func (f *Driver) MemAlloc(bytes uint64) (driver.Ptr, error) {
	if err := f.fails("MemAlloc"); err != nil {
		return 0, err
	}
	p, err := f.Driver.MemAlloc(bytes)
	return made(f, Memory, p, err)
}

// MemAllocManaged may fail.
func (f *Driver) MemAllocManaged(bytes uint64) (driver.Ptr, error) {
	if err := f.fails("MemAllocManaged"); err != nil {
		return 0, err
	}
	p, err := f.Driver.MemAllocManaged(bytes)
	return made(f, Memory, p, err)
}

// MemFree may fail.
func (f *Driver) MemFree(p driver.Ptr) error {
	return f.destroy("MemFree", Memory, uintptr(p), func() error { return f.Driver.MemFree(p) })
}

// Memcpy may fail.
func (f *Driver) Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error {
	f.use("Memcpy", Stream, uintptr(s))
	if err := f.fails("Memcpy"); err != nil {
		return err
	}
	return f.Driver.Memcpy(dst, src, bytes, s)
}

// Memset32 may fail.
func (f *Driver) Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error {
	f.use("Memset32", Stream, uintptr(s))
	if err := f.fails("Memset32"); err != nil {
		return err
	}
	return f.Driver.Memset32(dst, value, count, s)
}

// Memset16 may fail.
func (f *Driver) Memset16(dst driver.Ptr, value uint16, count uint64, s driver.Stream) error {
	f.use("Memset16", Stream, uintptr(s))
	if err := f.fails("Memset16"); err != nil {
		return err
	}
	return f.Driver.Memset16(dst, value, count, s)
}

// HostRegister may fail.
func (f *Driver) HostRegister(p driver.Ptr, bytes uint64) error {
	if err := f.fails("HostRegister"); err != nil {
		return err
	}
	return f.Driver.HostRegister(p, bytes)
}

// HostUnregister may fail.
func (f *Driver) HostUnregister(p driver.Ptr) error {
	if err := f.fails("HostUnregister"); err != nil {
		return err
	}
	return f.Driver.HostUnregister(p)
}

// HostDevicePointer may fail.
func (f *Driver) HostDevicePointer(p driver.Ptr) (driver.Ptr, error) {
	if err := f.fails("HostDevicePointer"); err != nil {
		return 0, err
	}
	return f.Driver.HostDevicePointer(p)
}
