package null

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

var (
	_ driver.MemInformer  = (*Driver)(nil)
	_ driver.DeviceWaiter = (*Driver)(nil)
)

// memory is the size of the device's memory.
const memory = 64 << 30

// MemInfo reports all memory as free.
func (d *Driver) MemInfo() (free, total uint64, err error) { return memory, memory, nil }
