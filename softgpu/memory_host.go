package softgpu

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

var (
	_ driver.MemInformer        = (*Driver)(nil)
	_ driver.DeviceSynchronizer = (*Driver)(nil)
	_ driver.MemoryChecker      = (*Driver)(nil)
)

// ChecksMemory implements driver.MemoryChecker.
func (d *Driver) ChecksMemory() (ends, lives bool) { return true, d.check != nil }

// MemInfo implements driver.MemInformer. A device has the memory that programs may allocate.
func (d *Driver) MemInfo() (free, total uint64, err error) {
	dev, err := d.current("hipMemGetInfo")
	if err != nil {
		return 0, 0, err
	}
	used := d.heap.inUse(dev.index)
	return d.heap.limit - used, d.heap.limit, nil
}

// OrdersDefaultStream implements driver.DefaultStreamOrderer.
func (d *Driver) OrdersDefaultStream() bool { return true }

// DeviceSynchronize implements driver.DeviceSynchronizer. It waits for the current device's work and reports its
// failure.
func (d *Driver) DeviceSynchronize() error {
	dev, err := d.current("hipDeviceSynchronize")
	if err != nil {
		return err
	}
	return dev.synchronize()
}
