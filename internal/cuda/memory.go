package cuda

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
	v := C.cuda_malloc(d.c, C.uint64_t(bytes))
	return driver.Ptr(v.value), d.check("cuMemAlloc_v2", v.status)
}

// MemAllocManaged allocates memory that host and devices share.
func (d *Driver) MemAllocManaged(bytes uint64) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	v := C.cuda_malloc_managed(d.c, C.uint64_t(bytes))
	return driver.Ptr(v.value), d.check("cuMemAllocManaged", v.status)
}

// MemFree frees either; libcuda waits for the device first.
func (d *Driver) MemFree(p driver.Ptr) error {
	if p == 0 {
		return nil
	}
	return d.check("cuMemFree_v2", C.cuda_free(d.c, C.uintptr_t(p)))
}

// Memcpy copies in the order of a stream; libcuda sees from the addresses which way.
func (d *Driver) Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error {
	return d.check("cuMemcpyAsync", C.cuda_memcpy(d.c, C.uintptr_t(dst), C.uintptr_t(src), C.uint64_t(bytes), C.uintptr_t(s)))
}

// WaitCopy leaves a Memcpy to C: one from or to pageable memory blocks.
func (d *Driver) WaitCopy(dst, src driver.Ptr, bytes uint64, s driver.Stream) driver.Blocking {
	return driver.Blocking{Fn: d.waitCopy, Arg: [5]uintptr{uintptr(unsafe.Pointer(d.c)), uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s)}}
}

// WaitFree leaves a MemFree to C.
func (d *Driver) WaitFree(p driver.Ptr) driver.Blocking {
	return driver.Blocking{Fn: d.waitFree, Arg: [5]uintptr{uintptr(unsafe.Pointer(d.c)), uintptr(p)}}
}

// Memset32 sets count elements of 32 bits in the order of a stream.
func (d *Driver) Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error {
	if count > ^uint64(0)/4 {
		return d.failure("cuMemsetD32Async", C.cuda_invalid_value)
	}
	return d.check("cuMemsetD32Async", C.cuda_memset32(d.c, C.uintptr_t(dst), C.uint32_t(value), C.uint64_t(count), C.uintptr_t(s)))
}

// Memset16 sets count elements of 16 bits in the order of a stream.
func (d *Driver) Memset16(dst driver.Ptr, value uint16, count uint64, s driver.Stream) error {
	if count > ^uint64(0)/2 {
		return d.failure("cuMemsetD16Async", C.cuda_invalid_value)
	}
	return d.check("cuMemsetD16Async", C.cuda_memset16(d.c, C.uintptr_t(dst), C.uint16_t(value), C.uint64_t(count), C.uintptr_t(s)))
}

// HostRegister page-locks host memory and maps it for the devices.
func (d *Driver) HostRegister(p driver.Ptr, bytes uint64) error {
	return d.check("cuMemHostRegister_v2", C.cuda_host_register(d.c, C.uintptr_t(p), C.uint64_t(bytes)))
}

// HostUnregister undoes HostRegister.
func (d *Driver) HostUnregister(p driver.Ptr) error {
	return d.check("cuMemHostUnregister", C.cuda_host_unregister(d.c, C.uintptr_t(p)))
}

// HostDevicePointer is the current device's address of registered host memory.
func (d *Driver) HostDevicePointer(p driver.Ptr) (driver.Ptr, error) {
	v := C.cuda_host_device_pointer(d.c, C.uintptr_t(p))
	return driver.Ptr(v.value), d.check("cuMemHostGetDevicePointer_v2", v.status)
}
