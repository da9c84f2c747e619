package fastpath

// #include "lookup.h"
// #include "thread.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu"

// rt is the process's runtime, set by Serve.
var rt *mgpu.Runtime

// Serve sets the runtime that C enters. p is the fast path of its configuration. Serve is called once, before any other
// function.
func Serve(r *mgpu.Runtime, p Path) {
	rt = r
	C.lookup_enable(C.bool(p.Lookups))
}

// goPoolEntry returns the address of a stream's entry in the pool; zero if it has none.
//
//export goPoolEntry
func goPoolEntry(stream C.uintptr_t) C.uintptr_t {
	defer rt.GuardAs("a stream")
	return C.uintptr_t(rt.Entry(uintptr(stream)))
}

//export goLaunchFailed
func goLaunchFailed(function C.uintptr_t, status C.int32_t) {
	defer rt.Guard(C.call_mgpuLaunchKernel)
	rt.LaunchFailed(uintptr(function), int32(status))
}

// goLoadFailed reports why the driver refused an image. It is for MGPU_CACHE=off.
//
//export goLoadFailed
func goLoadFailed(image C.uintptr_t, opt C.int32_t, compiled C.bool, status C.int32_t) {
	call := C.call_mgpuModuleLoad
	if compiled {
		call = C.call_mgpuModuleLoadJIT
	}
	defer rt.Guard(call)
	rt.LoadFailed(call, uintptr(image), int32(opt), int32(status))
}

//export goFunctionFailed
func goFunctionFailed(name C.uintptr_t, status C.int32_t) {
	defer rt.Guard(C.call_mgpuModuleGetFunction)
	rt.FunctionFailed(uintptr(name), int32(status))
}

//export goCallFailed
func goCallFailed(call C.uint32_t, stream C.uintptr_t, status C.int32_t) {
	defer rt.Guard(int(call))
	rt.CallFailed(int(call), uintptr(stream), int32(status))
}

// goDeviceReset is called when the only device seems to have been reset.
//
//export goDeviceReset
func goDeviceReset() {
	defer rt.GuardAs("a device reset")
	rt.NoticeReset(0)
}

// goReturnBlock takes back a block that C took from a free list by mistake.
//
//export goReturnBlock
func goReturnBlock(ptr C.uintptr_t) {
	defer rt.Guard(C.call_mgpuMemAlloc)
	rt.Keep(uintptr(ptr))
}
