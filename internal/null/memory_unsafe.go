package null

import (
	"sync"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var (
	_ driver.MemInformer  = (*Driver)(nil)
	_ driver.Pinner       = (*Driver)(nil)
	_ driver.DeviceWaiter = (*Driver)(nil)
)

// memory is what the device is said to have.
const memory = 64 << 30

// MemInfo says that nothing was ever allocated.
func (d *Driver) MemInfo() (free, total uint64, err error) { return memory, memory, nil }

// pinned keeps what HostAlloc gave: unlike device memory it is the host's to touch.
var pinned sync.Map // driver.Ptr -> []byte

// HostAlloc gives memory of the process.
func (d *Driver) HostAlloc(bytes uint64) (driver.Ptr, error) {
	if bytes > memory {
		return 0, &driver.Error{Call: "HostAlloc", Name: "out of memory", Code: driver.OutOfMemory}
	}
	block := make([]byte, bytes)
	p := driver.Ptr(unsafe.Pointer(&block[0]))
	pinned.Store(p, block)
	return p, nil
}

// HostFree forgets it.
func (d *Driver) HostFree(p driver.Ptr) error {
	pinned.Delete(p)
	return nil
}
