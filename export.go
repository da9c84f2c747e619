package main

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=implicit-function-declaration -Werror=unused-variable -Wno-unused-parameter -fvisibility=hidden -fno-plt -I${SRCDIR}/include -I${SRCDIR}/internal/fastpath -I${SRCDIR}/internal/guest -I${SRCDIR}/internal/process
#include "layout.h"
#include "thread.h"
*/
import "C"

import (
	"unsafe"

	_ "github.com/mgpu-runtime/mgpu/include" // for its headers
	"github.com/mgpu-runtime/mgpu/internal/fastpath"
	"github.com/mgpu-runtime/mgpu/internal/guest"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// rt is the only runtime of this process, made by goStart.
var rt *mgpu.Runtime

// goStart makes the runtime at the process's first mgpu call. It opens no driver; the call itself does.
//
//export goStart
func goStart() {
	config, path := configure()
	if config.Label != "" {
		guest.Label(config.Label)
	}
	rt = mgpu.New(config)
	fastpath.Serve(rt, path)
	traceFromStart()
	noteResources()
	keepStatistics()
}

//export goModuleLoad
func goModuleLoad(image C.uintptr_t, loaded *C.struct_loaded_image) C.uintptr_t {
	defer rt.Guard(C.call_mgpuModuleLoad)
	m, from := rt.ModuleLoad(uintptr(image))
	*(*mgpu.LoadedImage)(unsafe.Pointer(loaded)) = from
	return C.uintptr_t(m)
}

//export goModuleLoadJIT
func goModuleLoadJIT(image C.uintptr_t, opt C.int32_t, loaded *C.struct_loaded_image) C.uintptr_t {
	defer rt.Guard(C.call_mgpuModuleLoadJIT)
	m, from := rt.ModuleLoadJIT(uintptr(image), int32(opt))
	*(*mgpu.LoadedImage)(unsafe.Pointer(loaded)) = from
	return C.uintptr_t(m)
}

//export goModuleUnload
func goModuleUnload(module C.uintptr_t) {
	defer rt.Guard(C.call_mgpuModuleUnload)
	rt.ModuleUnload(uintptr(module))
}

//export goModuleGetFunction
func goModuleGetFunction(module, name C.uintptr_t) C.uintptr_t {
	defer rt.Guard(C.call_mgpuModuleGetFunction)
	return C.uintptr_t(rt.ModuleGetFunction(uintptr(module), uintptr(name)))
}

//export goLaunchKernel
func goLaunchKernel(l *C.struct_launch) {
	defer rt.Guard(C.call_mgpuLaunchKernel)
	rt.LaunchKernel((*mgpu.Launch)(unsafe.Pointer(l)))
}

//export goLaunchClusterKernel
func goLaunchClusterKernel(l *C.struct_launch) {
	defer rt.Guard(C.call_mgpuLaunchClusterKernel)
	rt.LaunchClusterKernel((*mgpu.Launch)(unsafe.Pointer(l)))
}

//export goLaunchKernelCooperative
func goLaunchKernelCooperative(l *C.struct_launch) {
	defer rt.Guard(C.call_mgpuLaunchKernelCooperative)
	rt.LaunchKernelCooperative((*mgpu.Launch)(unsafe.Pointer(l)))
}

//export goStreamCreate
func goStreamCreate() C.uintptr_t {
	defer rt.Guard(C.call_mgpuStreamCreate)
	return C.uintptr_t(rt.StreamCreate())
}

//export goStreamDestroy
func goStreamDestroy(stream C.uintptr_t) {
	defer rt.Guard(C.call_mgpuStreamDestroy)
	rt.StreamDestroy(uintptr(stream))
}

// passWait passes a wait to C. It returns whether there is a wait.
func passWait(w mgpu.Wait, to *C.struct_wait) C.bool {
	if w.Fn == 0 {
		return false
	}
	*(*mgpu.Wait)(unsafe.Pointer(to)) = w
	return true
}

// goStreamSynchronize begins a synchronize. If it returns true, C makes the call in w and ends the synchronize by
// goWaited.
//
//export goStreamSynchronize
func goStreamSynchronize(stream C.uintptr_t, w *C.struct_wait) (pending C.bool) {
	defer rt.Guard(C.call_mgpuStreamSynchronize)
	return passWait(rt.StreamSynchronize(uintptr(stream)), w)
}

// goWaited ends a call after C has made its driver call.
//
//export goWaited
func goWaited(w *C.struct_wait, status C.int32_t) {
	defer rt.GuardAs("a wait")
	rt.Waited(*(*mgpu.Wait)(unsafe.Pointer(w)), int32(status))
}

//export goStreamWaitEvent
func goStreamWaitEvent(stream, event C.uintptr_t) {
	defer rt.Guard(C.call_mgpuStreamWaitEvent)
	rt.StreamWaitEvent(uintptr(stream), uintptr(event))
}

//export goEventCreate
func goEventCreate() C.uintptr_t {
	defer rt.Guard(C.call_mgpuEventCreate)
	return C.uintptr_t(rt.EventCreate())
}

//export goEventDestroy
func goEventDestroy(event C.uintptr_t) {
	defer rt.Guard(C.call_mgpuEventDestroy)
	rt.EventDestroy(uintptr(event))
}

// goEventSynchronize is goStreamSynchronize for an event.
//
//export goEventSynchronize
func goEventSynchronize(event C.uintptr_t, w *C.struct_wait) (pending C.bool) {
	defer rt.Guard(C.call_mgpuEventSynchronize)
	return passWait(rt.EventSynchronize(uintptr(event)), w)
}

//export goEventRecord
func goEventRecord(event, stream C.uintptr_t) {
	defer rt.Guard(C.call_mgpuEventRecord)
	rt.EventRecord(uintptr(event), uintptr(stream))
}

//export goMemAlloc
func goMemAlloc(bytes C.uint64_t, stream C.uintptr_t, shared C.bool, site, session C.uintptr_t) C.uintptr_t {
	defer rt.Guard(C.call_mgpuMemAlloc)
	return C.uintptr_t(rt.MemAlloc(uint64(bytes), uintptr(stream), bool(shared),
		mgpu.Origin{Site: uintptr(site), Session: uintptr(session)}))
}

//export goMemFree
func goMemFree(ptr C.uintptr_t, w *C.struct_wait) (pending C.bool) {
	defer rt.Guard(C.call_mgpuMemFree)
	return passWait(rt.MemFree(uintptr(ptr)), w)
}

//export goMemcpy
func goMemcpy(dst, src C.uintptr_t, bytes C.uint64_t, stream C.uintptr_t, w *C.struct_wait) (pending C.bool) {
	defer rt.Guard(C.call_mgpuMemcpy)
	return passWait(rt.Memcpy(uintptr(dst), uintptr(src), uint64(bytes), uintptr(stream)), w)
}

//export goMemset32
func goMemset32(dst C.uintptr_t, value C.uint32_t, count C.uint64_t, stream C.uintptr_t) {
	defer rt.Guard(C.call_mgpuMemset32)
	rt.Memset32(uintptr(dst), uint32(value), uint64(count), uintptr(stream))
}

//export goMemset16
func goMemset16(dst C.uintptr_t, value C.uint16_t, count C.uint64_t, stream C.uintptr_t) {
	defer rt.Guard(C.call_mgpuMemset16)
	rt.Memset16(uintptr(dst), uint16(value), uint64(count), uintptr(stream))
}

//export goMemHostRegister
func goMemHostRegister(ptr C.uintptr_t, bytes C.uint64_t) {
	defer rt.Guard(C.call_mgpuMemHostRegister)
	rt.HostRegister(uintptr(ptr), uint64(bytes))
}

//export goMemHostUnregister
func goMemHostUnregister(ptr C.uintptr_t) {
	defer rt.Guard(C.call_mgpuMemHostUnregister)
	rt.HostUnregister(uintptr(ptr))
}

//export goMemHostRegisterMemRef
func goMemHostRegisterMemRef(rank C.int64_t, desc C.uintptr_t, elemBytes C.int64_t) {
	defer rt.Guard(C.call_mgpuMemHostRegisterMemRef)
	rt.HostRegisterMemRef(int64(rank), uintptr(desc), int64(elemBytes))
}

//export goMemHostUnregisterMemRef
func goMemHostUnregisterMemRef(rank C.int64_t, desc C.uintptr_t, elemBytes C.int64_t) {
	defer rt.Guard(C.call_mgpuMemHostUnregisterMemRef)
	rt.HostUnregisterMemRef(int64(rank), uintptr(desc), int64(elemBytes))
}

//export goDeviceMemRefFloat
func goDeviceMemRefFloat(ptr C.uintptr_t) C.uintptr_t {
	defer rt.Guard(C.call_mgpuMemGetDeviceMemRef1dFloat)
	return C.uintptr_t(rt.DeviceMemRefFloat(uintptr(ptr)))
}

//export goDeviceMemRefInt32
func goDeviceMemRefInt32(ptr C.uintptr_t) C.uintptr_t {
	defer rt.Guard(C.call_mgpuMemGetDeviceMemRef1dInt32)
	return C.uintptr_t(rt.DeviceMemRefInt32(uintptr(ptr)))
}

//export goTensorMapEncodeTiled
func goTensorMapEncodeTiled(m C.uintptr_t, dataType, rank C.uint32_t, address, dims, strides, box, steps C.uintptr_t,
	interleave, swizzle, l2, bounds C.uint32_t) {
	defer rt.Guard(C.call_mgpuTensorMapEncodeTiled)
	rt.TensorMapEncodeTiled(driver.TensorMap{
		Map: uintptr(m), DataType: uint32(dataType), Rank: uint32(rank), Address: driver.Ptr(address),
		Dims: uintptr(dims), Strides: uintptr(strides), Box: uintptr(box), ElementStrides: uintptr(steps),
		Interleave: uint32(interleave), Swizzle: uint32(swizzle), L2Promotion: uint32(l2), OutOfBoundsFill: uint32(bounds),
	})
}

//export goTensorMapEncodeTiledMemref
func goTensorMapEncodeTiledMemref(rank C.int64_t, desc C.uintptr_t, dataType, interleave, swizzle, l2, bounds C.uint32_t,
	box C.uintptr_t) C.uintptr_t {
	defer rt.Guard(C.call_mgpuTensorMapEncodeTiledMemref)
	return C.uintptr_t(rt.TensorMapEncodeTiledMemref(&mgpu.TiledMemref{
		Rank: int64(rank), Descriptor: uintptr(desc), DataType: uint32(dataType), Box: uintptr(box),
		Interleave: uint32(interleave), Swizzle: uint32(swizzle), L2Promotion: uint32(l2), OutOfBounds: uint32(bounds),
	}))
}

//export goSetDefaultDevice
func goSetDefaultDevice(device C.int32_t) {
	defer rt.Guard(C.call_mgpuSetDefaultDevice)
	rt.SetDefaultDevice(int32(device))
}

//export goGetDeviceCount
func goGetDeviceCount() C.int32_t {
	defer rt.Guard(C.call_mgpuxGetDeviceCount)
	return C.int32_t(rt.DeviceCount())
}

// goBeginThread handles a thread's first call.
//
//export goBeginThread
func goBeginThread() {
	defer rt.GuardAs("MGPU_DEVICE")
	rt.BeginThread()
}
