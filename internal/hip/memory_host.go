package hip

// #include "calls.h"
// #cgo noescape hip_mem_info
// #cgo nocallback hip_mem_info
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
	err = d.check("hipMemGetInfo", C.hip_mem_info(d.h, &f, &t))
	return uint64(f), uint64(t), err
}

// HostAlloc allocates page-locked host memory for all devices.
func (d *Driver) HostAlloc(bytes uint64) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	v := C.hip_host_malloc(d.h, C.uint64_t(bytes))
	return driver.Ptr(v.value), d.check("hipHostMalloc", v.status)
}

// HostFree frees what HostAlloc gave.
func (d *Driver) HostFree(p driver.Ptr) error {
	if p == 0 {
		return nil
	}
	return d.check("hipHostFree", C.hip_host_free(d.h, C.uintptr_t(p)))
}

// DeviceSynchronize waits for the current device.
func (d *Driver) DeviceSynchronize() error {
	return d.check("hipDeviceSynchronize", C.hip_device_synchronize(d.h))
}

// WaitDevice leaves a DeviceSynchronize to C.
func (d *Driver) WaitDevice() driver.Blocking {
	return driver.Blocking{Fn: uintptr(C.hip_wait_device_function()), Arg: [5]uintptr{uintptr(unsafe.Pointer(d.h))}}
}
