package cuda

// #include "calls.h"
// #cgo noescape cuda_mem_info
// #cgo nocallback cuda_mem_info
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var (
	_ driver.MemInformer  = (*Driver)(nil)
	_ driver.Pinner       = (*Driver)(nil)
	_ driver.DeviceWaiter = (*Driver)(nil)
)

// MemInfo tells how much memory of the current device is free, and how much
// there is.
func (d *Driver) MemInfo() (free, total uint64, err error) {
	var f, t C.uint64_t
	err = d.check("cuMemGetInfo_v2", C.cuda_mem_info(d.c, &f, &t))
	return uint64(f), uint64(t), err
}

// HostAlloc allocates page-locked host memory for all devices.
func (d *Driver) HostAlloc(bytes uint64) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	v := C.cuda_host_malloc(d.c, C.uint64_t(bytes))
	return driver.Ptr(v.value), d.check("cuMemHostAlloc", v.status)
}

// HostFree frees what HostAlloc gave.
func (d *Driver) HostFree(p driver.Ptr) error {
	if p == 0 {
		return nil
	}
	return d.check("cuMemFreeHost", C.cuda_host_free(d.c, C.uintptr_t(p)))
}

// DeviceSynchronize waits for the current device.
func (d *Driver) DeviceSynchronize() error {
	return d.check("cuCtxSynchronize", C.cuda_device_synchronize(d.c))
}

// WaitDevice leaves a DeviceSynchronize to C.
func (d *Driver) WaitDevice() driver.Blocking {
	return driver.Blocking{Fn: uintptr(C.cuda_wait_device_function()), Arg: [5]uintptr{uintptr(unsafe.Pointer(d.c))}}
}
