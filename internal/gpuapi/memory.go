package gpuapi

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// MemAlloc allocates memory of the current device.
func (d *Driver) MemAlloc(bytes uint64) (driver.Ptr, error) {
	v := C.gpu_mem_alloc(d.t, C.uintptr_t(bytes))
	return driver.Ptr(v.value), d.check(v.status)
}

// MemAllocManaged allocates memory that host and devices share.
func (d *Driver) MemAllocManaged(bytes uint64) (driver.Ptr, error) {
	v := C.gpu_mem_alloc_managed(d.t, C.uintptr_t(bytes), d.v.flags.managed)
	return driver.Ptr(v.value), d.check(v.status)
}

// MemFree frees memory of either kind. The vendor waits for the device first.
func (d *Driver) MemFree(p driver.Ptr) error {
	return d.check(C.gpu_mem_free(d.t, C.uintptr_t(p)))
}

// MemInfo returns the free and the total memory of the current device.
func (d *Driver) MemInfo() (free, total uint64, err error) {
	m := C.gpu_mem_info(d.t)
	return uint64(m.available), uint64(m.total), d.check(m.status)
}

// Memcpy copies in the order of a stream. The vendor derives the direction from the addresses.
func (d *Driver) Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error {
	return d.check(C.gpu_copy(d.t, C.uintptr_t(dst), C.uintptr_t(src), C.uintptr_t(bytes), C.uintptr_t(s)))
}

// Memset32 sets count elements of 32 bits in the order of a stream.
func (d *Driver) Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error {
	if count > ^uint64(0)/4 {
		return d.refuse(d.v.row.memset32, d.v.status.invalid_value)
	}
	return d.check(C.gpu_memset32(d.t, C.uintptr_t(dst), C.uintptr_t(value), C.uintptr_t(count), C.uintptr_t(s)))
}

// Memset16 sets count elements of 16 bits in the order of a stream.
func (d *Driver) Memset16(dst driver.Ptr, value uint16, count uint64, s driver.Stream) error {
	if count > ^uint64(0)/2 {
		return d.refuse(d.v.row.memset16, d.v.status.invalid_value)
	}
	return d.check(C.gpu_memset16(d.t, C.uintptr_t(dst), C.uintptr_t(value), C.uintptr_t(count), C.uintptr_t(s)))
}

// HostRegister page-locks host memory and maps it for the devices.
func (d *Driver) HostRegister(p driver.Ptr, bytes uint64) error {
	return d.check(C.gpu_host_register(d.t, C.uintptr_t(p), C.uintptr_t(bytes), d.v.flags.registered))
}

// HostUnregister undoes HostRegister.
func (d *Driver) HostUnregister(p driver.Ptr) error {
	return d.check(C.gpu_host_unregister(d.t, C.uintptr_t(p)))
}

// HostDevicePointer returns the current device's address of registered host memory.
func (d *Driver) HostDevicePointer(p driver.Ptr) (driver.Ptr, error) {
	v := C.gpu_host_device_pointer(d.t, C.uintptr_t(p), 0)
	return driver.Ptr(v.value), d.check(v.status)
}

// PlaceOf asks the vendor's library, which does not know pageable memory.
func (d *Driver) PlaceOf(p driver.Ptr) (driver.Place, error) {
	v := C.gpu_place(d.t, C.uintptr_t(p))
	return driver.Place(v.value), d.check(v.status)
}

// Resets reports whether the library has the functions for CanaryAlloc and MemoryNumber.
func (d *Driver) Resets() bool { return d.has(d.v.row.canary_alloc) && d.has(d.v.row.memory_number) }

// CanaryAlloc allocates as MemAlloc does.
func (d *Driver) CanaryAlloc(bytes uint64) (driver.Ptr, error) {
	v := C.gpu_canary_alloc(d.t, C.uintptr_t(bytes))
	return driver.Ptr(v.value), d.check(v.status)
}

// MemoryNumber asks the vendor.
func (d *Driver) MemoryNumber(p driver.Ptr) (uint64, error) {
	v := C.gpu_memory_number(d.t, C.uintptr_t(p))
	return uint64(v.value), d.check(v.status)
}

// ExtentOf asks the vendor.
func (d *Driver) ExtentOf(p driver.Ptr) (base driver.Ptr, bytes uint64, err error) {
	e := C.gpu_extent(d.t, C.uintptr_t(p))
	return driver.Ptr(e.base), uint64(e.bytes), d.check(e.status)
}
