package hip

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// MemAlloc allocates memory of the current device; no bytes are a null pointer.
func (d *Driver) MemAlloc(bytes uint64) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	v := C.hip_malloc(d.h, C.uint64_t(bytes))
	return driver.Ptr(v.value), d.check("hipMalloc", v.status)
}

// MemAllocManaged allocates memory that host and devices share.
func (d *Driver) MemAllocManaged(bytes uint64) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	v := C.hip_malloc_managed(d.h, C.uint64_t(bytes))
	return driver.Ptr(v.value), d.check("hipMallocManaged", v.status)
}

// MemFree frees either; HIP waits for the device first.
func (d *Driver) MemFree(p driver.Ptr) error {
	if p == 0 {
		return nil
	}
	return d.check("hipFree", C.hip_free(d.h, C.uintptr_t(p)))
}

// Memcpy copies in the order of a stream; HIP sees from the addresses which way.
func (d *Driver) Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error {
	return d.check("hipMemcpyAsync", C.hip_memcpy(d.h, C.uintptr_t(dst), C.uintptr_t(src), C.uint64_t(bytes), C.uintptr_t(s)))
}

// WaitCopy leaves a Memcpy to C: one from or to pageable memory blocks.
func (d *Driver) WaitCopy(dst, src driver.Ptr, bytes uint64, s driver.Stream) driver.Blocking {
	return driver.Blocking{Fn: d.waitCopy, Arg: [5]uintptr{uintptr(unsafe.Pointer(d.h)), uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s)}}
}

// WaitFree leaves a MemFree to C.
func (d *Driver) WaitFree(p driver.Ptr) driver.Blocking {
	return driver.Blocking{Fn: d.waitFree, Arg: [5]uintptr{uintptr(unsafe.Pointer(d.h)), uintptr(p)}}
}

// Memset32 sets count elements of 32 bits in the order of a stream.
func (d *Driver) Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error {
	if count > ^uint64(0)/4 {
		return d.failure("hipMemsetD32Async", C.hip_invalid_value)
	}
	return d.check("hipMemsetD32Async", C.hip_memset32(d.h, C.uintptr_t(dst), C.uint32_t(value), C.uint64_t(count), C.uintptr_t(s)))
}

// Memset16 sets count elements of 16 bits in the order of a stream.
func (d *Driver) Memset16(dst driver.Ptr, value uint16, count uint64, s driver.Stream) error {
	if count > ^uint64(0)/2 {
		return d.failure("hipMemsetD16Async", C.hip_invalid_value)
	}
	return d.check("hipMemsetD16Async", C.hip_memset16(d.h, C.uintptr_t(dst), C.uint16_t(value), C.uint64_t(count), C.uintptr_t(s)))
}

// HostRegister page-locks host memory and maps it for the devices.
func (d *Driver) HostRegister(p driver.Ptr, bytes uint64) error {
	return d.check("hipHostRegister", C.hip_host_register(d.h, C.uintptr_t(p), C.uint64_t(bytes)))
}

// HostUnregister undoes HostRegister.
func (d *Driver) HostUnregister(p driver.Ptr) error {
	return d.check("hipHostUnregister", C.hip_host_unregister(d.h, C.uintptr_t(p)))
}

// HostDevicePointer is the current device's address of registered host memory.
func (d *Driver) HostDevicePointer(p driver.Ptr) (driver.Ptr, error) {
	v := C.hip_host_device_pointer(d.h, C.uintptr_t(p))
	return driver.Ptr(v.value), d.check("hipHostGetDevicePointer", v.status)
}
