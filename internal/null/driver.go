package null

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Options of a Driver.
type Options struct {
	Kernel time.Duration // how long each kernel keeps its stream busy
	// Sleep is the address of a C function int32_t (*)(uintptr_t ns, ...) that waits and returns zero. Zero: waits
	// happen in Go.
	Sleep uintptr
	// Nothing is the address of a C function that accepts the arguments of any function in driver.CFunctions, does
	// nothing and returns zero. Zero: there is none.
	Nothing uintptr
}

// Driver implements driver.Driver.
type Driver struct {
	opt   Options
	next  atomic.Uintptr // handles and addresses, never reused
	busy  sync.Map       // driver.Stream and driver.Event -> *atomic.Int64: the time at which its work is done
	start time.Time
}

var (
	_ driver.Driver = (*Driver)(nil)
	_ driver.Waiter = (*Driver)(nil)
)

// firstHandle is unlike any small integer and any address of the host.
const firstHandle = 0x6e756c6c_00000000

// Open makes a Driver. It never fails.
func Open(opt Options) *Driver {
	d := &Driver{opt: opt, start: time.Now()}
	d.next.Store(firstHandle)
	return d
}

func (d *Driver) handle() uintptr { return d.next.Add(64) }

func (d *Driver) Name() string          { return "null" }
func (d *Driver) DeviceCount() int      { return 1 }
func (d *Driver) DeviceName(int) string { return "nothing" }
func (d *Driver) Device() (int, error)  { return 0, nil }

func (d *Driver) SetDevice(device int) error {
	if device != 0 {
		return &driver.Error{Call: "SetDevice", Name: driver.InvalidDevice.Error(), Code: driver.InvalidDevice}
	}
	return nil
}

func (d *Driver) ModuleLoad([]byte) (driver.Module, error) { return driver.Module(d.handle()), nil }
func (d *Driver) ModuleUnload(driver.Module) error         { return nil }

func (d *Driver) ModuleGetFunction(driver.Module, string) (driver.Function, error) {
	return driver.Function(d.handle()), nil
}

func (d *Driver) LaunchKernel(_ driver.Function, l driver.Launch) error {
	if d.opt.Kernel == 0 {
		return nil
	}
	until := d.until(uintptr(l.Stream))
	until.Store(max(until.Load(), d.now()) + int64(d.opt.Kernel))
	return nil
}

func (d *Driver) StreamCreate() (driver.Stream, error)              { return driver.Stream(d.handle()), nil }
func (d *Driver) StreamDestroy(s driver.Stream) error               { d.busy.Delete(uintptr(s)); return nil }
func (d *Driver) StreamSynchronize(s driver.Stream) error           { d.wait(uintptr(s)); return nil }
func (d *Driver) StreamIdle(s driver.Stream) (bool, error)          { return d.left(uintptr(s)) == 0, nil }
func (d *Driver) StreamWaitEvent(driver.Stream, driver.Event) error { return nil }

func (d *Driver) EventCreate() (driver.Event, error)     { return driver.Event(d.handle()), nil }
func (d *Driver) EventDestroy(e driver.Event) error      { d.busy.Delete(uintptr(e)); return nil }
func (d *Driver) EventSynchronize(e driver.Event) error  { d.wait(uintptr(e)); return nil }
func (d *Driver) EventDone(e driver.Event) (bool, error) { return d.left(uintptr(e)) == 0, nil }

func (d *Driver) EventRecord(e driver.Event, s driver.Stream) error {
	if d.opt.Kernel != 0 {
		d.until(uintptr(e)).Store(d.until(uintptr(s)).Load())
	}
	return nil
}

// MemAlloc returns an address that must not be accessed.
func (d *Driver) MemAlloc(bytes uint64) (driver.Ptr, error) {
	size := uintptr(bytes+63) &^ 63
	return driver.Ptr(d.next.Add(size) - size + 64), nil // the range before has the previous handle
}

func (d *Driver) MemAllocManaged(bytes uint64) (driver.Ptr, error) { return d.MemAlloc(bytes) }
func (d *Driver) MemFree(driver.Ptr) error                         { return nil }

func (d *Driver) Memcpy(_, _ driver.Ptr, _ uint64, _ driver.Stream) error  { return nil }
func (d *Driver) Memset32(driver.Ptr, uint32, uint64, driver.Stream) error { return nil }
func (d *Driver) Memset16(driver.Ptr, uint16, uint64, driver.Stream) error { return nil }
func (d *Driver) HostRegister(driver.Ptr, uint64) error                    { return nil }
func (d *Driver) HostUnregister(driver.Ptr) error                          { return nil }
func (d *Driver) HostDevicePointer(p driver.Ptr) (driver.Ptr, error)       { return p, nil }
