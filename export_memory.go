package main

// #include "mgpu_runtime.h"
// #include "thread.h"
import "C"

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/hostfile"
)

//export goAllocCacheCreate
func goAllocCacheCreate() C.uintptr_t {
	defer rt.Guard(C.call_mgpuxAllocCacheCreate)
	return C.uintptr_t(rt.AllocCacheCreate())
}

//export goAllocCacheBegin
func goAllocCacheBegin(cache C.uintptr_t, full C.bool) C.uintptr_t {
	defer rt.Guard(C.call_mgpuxAllocCacheBegin)
	if full {
		rt.Report("mgpuxAllocCacheBegin", fmt.Errorf("%d scopes are open on this thread", C.scopes_max))
		return 0
	}
	return C.uintptr_t(rt.AllocCacheBegin(uintptr(cache)))
}

//export goAllocCacheEnd
func goAllocCacheEnd(cache, session C.uintptr_t) (closed C.bool) {
	defer rt.Guard(C.call_mgpuxAllocCacheEnd)
	return C.bool(rt.AllocCacheEnd(uintptr(cache), uintptr(session)))
}

//export goAllocCacheTrim
func goAllocCacheTrim(cache C.uintptr_t) C.uint64_t {
	defer rt.Guard(C.call_mgpuxAllocCacheTrim)
	return C.uint64_t(rt.AllocCacheTrim(uintptr(cache)))
}

//export goAllocCacheDestroy
func goAllocCacheDestroy(cache C.uintptr_t) {
	defer rt.Guard(C.call_mgpuxAllocCacheDestroy)
	rt.AllocCacheDestroy(uintptr(cache))
}

//export goAllocCacheInfo
func goAllocCacheInfo(cache C.uintptr_t, what C.int32_t) C.uint64_t {
	defer rt.Guard(C.call_mgpuxAllocCacheInfo)
	return C.uint64_t(rt.AllocCacheInfo(uintptr(cache), int32(what)))
}

//export goScratch
func goScratch(key C.uintptr_t, bytes C.uint64_t, stream, site C.uintptr_t) C.uintptr_t {
	defer rt.Guard(C.call_mgpuxScratch)
	return C.uintptr_t(rt.Scratch(uintptr(key), uint64(bytes), uintptr(stream), uintptr(site)))
}

//export goMemorySnapshot
func goMemorySnapshot(path C.uintptr_t) (written C.bool) {
	defer rt.Guard(C.call_mgpuxMemorySnapshot)
	return C.bool(rt.MemorySnapshot(uintptr(path), hostfile.Replace))
}

//export goMemoryStats
func goMemoryStats(device C.int32_t, out *C.struct_mgpux_memory_stats) (there C.bool) {
	defer rt.Guard(C.call_mgpuxGetMemoryStats)
	if device < 0 || int(device) >= rt.Devices() {
		return false
	}
	s := rt.MemoryStats(int(device))
	*out = C.struct_mgpux_memory_stats{
		live: C.uint64_t(s.Live), peak: C.uint64_t(s.Peak), reserved: C.uint64_t(s.Reserved), cached: C.uint64_t(s.Cached),
		hits: C.uint64_t(s.Reused), waited: C.uint64_t(s.Covered), misses: C.uint64_t(s.Allocated),
		deferred: C.uint64_t(s.Deferred), device_waits: C.uint64_t(s.Waits.All()), scope_waits: C.uint64_t(s.Waited),
		released: C.uint64_t(s.Released), flushes: C.uint64_t(s.Flushes), queries: C.uint64_t(s.Queries),
		waits_shared: C.uint64_t(s.Waits.Shared), waits_foreign: C.uint64_t(s.Waits.Foreign),
		waits_abandoned: C.uint64_t(s.Waits.Abandoned),
	}
	return true
}
