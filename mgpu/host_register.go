package mgpu

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// HostRegister page-locks host memory and maps it for the device.
func (r *Runtime) HostRegister(ptr uintptr, bytes uint64) {
	f, ok := r.enter(memHostRegister)
	if !ok {
		return
	}
	defer f.leave()
	f.k.memory.noteShared()
	f.failed(f.HostRegister(driver.Ptr(ptr), bytes))
}

// HostUnregister undoes HostRegister.
func (r *Runtime) HostUnregister(ptr uintptr) {
	f, ok := r.enter(memHostUnregister)
	if !ok {
		return
	}
	defer f.leave()
	f.failed(f.HostUnregister(driver.Ptr(ptr)))
}

// HostRegisterMemRef registers the memory of a ranked memref. desc is the address of the
// descriptor, elemBytes the size of an element.
func (r *Runtime) HostRegisterMemRef(rank int64, desc uintptr, elemBytes int64) {
	f, ok := r.enter(memHostRegisterMemRef)
	if !ok {
		return
	}
	defer f.leave()
	m, err := readMemRef(rank, desc, elemBytes)
	if !f.failed(err) && m.bytes != 0 {
		f.k.memory.noteShared()
		f.failed(f.HostRegister(driver.Ptr(m.ptr), m.bytes))
	}
}

// HostUnregisterMemRef undoes HostRegisterMemRef.
func (r *Runtime) HostUnregisterMemRef(rank int64, desc uintptr, elemBytes int64) {
	f, ok := r.enter(memHostUnregisterMemRef)
	if !ok {
		return
	}
	defer f.leave()
	m, err := readMemRef(rank, desc, elemBytes)
	if !f.failed(err) && m.bytes != 0 {
		f.failed(f.HostUnregister(driver.Ptr(m.ptr)))
	}
}

// DeviceMemRefFloat returns the device address of registered host memory, for a memref of
// floats.
func (r *Runtime) DeviceMemRefFloat(ptr uintptr) uintptr {
	return r.devicePointer(memGetDeviceMemRef1dFloat, ptr)
}

// DeviceMemRefInt32 returns the device address of registered host memory, for a memref of
// 32-bit integers.
func (r *Runtime) DeviceMemRefInt32(ptr uintptr) uintptr {
	return r.devicePointer(memGetDeviceMemRef1dInt32, ptr)
}

func (r *Runtime) devicePointer(call int, ptr uintptr) uintptr {
	f, ok := r.enter(call)
	if !ok {
		return 0
	}
	defer f.leave()
	f.k.memory.noteShared() // the program may have registered the memory through another library
	p, err := f.HostDevicePointer(driver.Ptr(ptr))
	if f.failed(err) {
		return 0
	}
	return uintptr(p)
}
