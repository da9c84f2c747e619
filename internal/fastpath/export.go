package fastpath

// #include "call.h"
// #include "lookup.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu"

// rt is the process's runtime, set by Serve.
var rt *mgpu.Runtime

// Serve makes r the runtime that C enters. p is of its configuration. Called once, before
// any other function.
func Serve(r *mgpu.Runtime, p Path) {
	rt = r
	C.lookup_enable(C.bool(p.Lookups))
}

// goPoolEntry returns the address of the stream pool's entry of a stream, zero if it has none.
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

//export goSynchronizeFailed
func goSynchronizeFailed(stream C.uintptr_t, status C.int32_t) {
	defer rt.Guard(C.call_mgpuStreamSynchronize)
	rt.SynchronizeFailed(uintptr(stream), int32(status))
}

// goReturnBlock takes back a block that C took out of a free list by mistake.
//
//export goReturnBlock
func goReturnBlock(ptr C.uintptr_t) {
	defer rt.Guard(C.call_mgpuMemAlloc)
	rt.Keep(uintptr(ptr))
}

//export goReplayed
func goReplayed(id C.uintptr_t) {
	defer rt.GuardAs("a recording")
	rt.Repeated(uintptr(id))
}
