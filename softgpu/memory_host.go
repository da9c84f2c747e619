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
	used := d.heap.inUse(d.current().index)
	return d.heap.limit - used, d.heap.limit, nil
}

// OrdersDefaultStream implements driver.DefaultStreamOrderer.
func (d *Driver) OrdersDefaultStream() bool { return true }

// DeviceSynchronize implements driver.DeviceSynchronizer. It waits for the current device's work and reports its
// failure.
func (d *Driver) DeviceSynchronize() error {
	return d.current().synchronize()
}
