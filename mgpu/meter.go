package mgpu

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// meter is the driver as one mgpu function sees it: each call is charged to
// that function.
type meter struct {
	drv     driver.Driver
	stats   *stats
	modules moduleWatcher
	row     int
}

// in begins a driver call.
func (m *meter) in() (*cell, int64) {
	c := m.stats.cell(m.row)
	c.driverCalls.Add(1)
	if !m.stats.timing {
		return c, 0
	}
	return c, now()
}

// out ends it.
func (c *cell) out(t0 int64) {
	if t0 != 0 {
		c.driverNS.Add(uint64(now() - t0))
	}
}

func (m *meter) SetDevice(device int) error {
	cell, t0 := m.in()
	err := m.drv.SetDevice(device)
	cell.out(t0)
	return err
}

func (m *meter) Device() (int, error) {
	cell, t0 := m.in()
	v, err := m.drv.Device()
	cell.out(t0)
	return v, err
}

func (m *meter) ModuleLoad(image []byte) (driver.Module, error) {
	cell, t0 := m.in()
	v, err := m.drv.ModuleLoad(image)
	cell.out(t0)
	m.modules.moduleLoaded()
	return v, err
}

func (m *meter) ModuleUnload(a driver.Module) error {
	m.modules.moduleUnloading(a)
	cell, t0 := m.in()
	err := m.drv.ModuleUnload(a)
	cell.out(t0)
	return err
}

func (m *meter) ModuleGetFunction(module driver.Module, name string) (driver.Function, error) {
	cell, t0 := m.in()
	v, err := m.drv.ModuleGetFunction(module, name)
	cell.out(t0)
	return v, err
}

func (m *meter) LaunchKernel(f driver.Function, l driver.Launch) error {
	cell, t0 := m.in()
	err := m.drv.LaunchKernel(f, l)
	cell.out(t0)
	return err
}

func (m *meter) StreamCreate() (driver.Stream, error) {
	cell, t0 := m.in()
	v, err := m.drv.StreamCreate()
	cell.out(t0)
	return v, err
}

func (m *meter) StreamDestroy(a driver.Stream) error {
	cell, t0 := m.in()
	err := m.drv.StreamDestroy(a)
	cell.out(t0)
	return err
}

func (m *meter) StreamSynchronize(a driver.Stream) error {
	cell, t0 := m.in()
	err := m.drv.StreamSynchronize(a)
	cell.out(t0)
	return err
}

// StreamIdle and EventDone ask so that no capture of the program's is ended by it. What
// is submitted to a stream that is captured has not been executed.
func (m *meter) StreamIdle(a driver.Stream) (bool, error) {
	if c, ok := m.drv.(driver.Capturer); ok {
		if on, err := c.Capturing(a); on && err == nil {
			return false, nil
		}
		defer relaxed(c).end()
	}
	cell, t0 := m.in()
	v, err := m.drv.StreamIdle(a)
	cell.out(t0)
	return v, err
}

func (m *meter) StreamWaitEvent(a driver.Stream, b driver.Event) error {
	cell, t0 := m.in()
	err := m.drv.StreamWaitEvent(a, b)
	cell.out(t0)
	return err
}

func (m *meter) EventCreate() (driver.Event, error) {
	cell, t0 := m.in()
	v, err := m.drv.EventCreate()
	cell.out(t0)
	return v, err
}

func (m *meter) EventDestroy(a driver.Event) error {
	cell, t0 := m.in()
	err := m.drv.EventDestroy(a)
	cell.out(t0)
	return err
}

func (m *meter) EventRecord(a driver.Event, b driver.Stream) error {
	cell, t0 := m.in()
	err := m.drv.EventRecord(a, b)
	cell.out(t0)
	return err
}

func (m *meter) EventSynchronize(a driver.Event) error {
	cell, t0 := m.in()
	err := m.drv.EventSynchronize(a)
	cell.out(t0)
	return err
}

func (m *meter) EventDone(a driver.Event) (bool, error) {
	if c, ok := m.drv.(driver.Capturer); ok {
		defer relaxed(c).end()
	}
	cell, t0 := m.in()
	v, err := m.drv.EventDone(a)
	cell.out(t0)
	return v, err
}

func (m *meter) MemAlloc(bytes uint64) (driver.Ptr, error) {
	cell, t0 := m.in()
	v, err := m.drv.MemAlloc(bytes)
	cell.out(t0)
	return v, err
}

func (m *meter) MemAllocManaged(bytes uint64) (driver.Ptr, error) {
	cell, t0 := m.in()
	v, err := m.drv.MemAllocManaged(bytes)
	cell.out(t0)
	return v, err
}

func (m *meter) MemFree(a driver.Ptr) error {
	cell, t0 := m.in()
	err := m.drv.MemFree(a)
	cell.out(t0)
	return err
}

func (m *meter) Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error {
	cell, t0 := m.in()
	err := m.drv.Memcpy(dst, src, bytes, s)
	cell.out(t0)
	return err
}

func (m *meter) Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error {
	cell, t0 := m.in()
	err := m.drv.Memset32(dst, value, count, s)
	cell.out(t0)
	return err
}

func (m *meter) Memset16(dst driver.Ptr, value uint16, count uint64, s driver.Stream) error {
	cell, t0 := m.in()
	err := m.drv.Memset16(dst, value, count, s)
	cell.out(t0)
	return err
}

func (m *meter) HostRegister(p driver.Ptr, bytes uint64) error {
	cell, t0 := m.in()
	err := m.drv.HostRegister(p, bytes)
	cell.out(t0)
	return err
}

func (m *meter) HostUnregister(a driver.Ptr) error {
	cell, t0 := m.in()
	err := m.drv.HostUnregister(a)
	cell.out(t0)
	return err
}

func (m *meter) HostDevicePointer(p driver.Ptr) (driver.Ptr, error) {
	cell, t0 := m.in()
	v, err := m.drv.HostDevicePointer(p)
	cell.out(t0)
	return v, err
}
