package fastpath

// #include "kernels.h"
// #include "lookup.h"
// #include "alloc.h"
// #include "driver.h"
// #include "onenode.h"
// #include "relaunch.h"
// #include "reset.h"
// #include "stream.h"
// #include "trace.h"
// #cgo nocallback lookup_forget
// #cgo nocallback lookup_lose_module
// #cgo noescape lookup_lose_module
// #cgo noescape lookup_forget
import "C"

import (
	"sync/atomic"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

//go:generate go run ../cstructs ../.. layout.h

// Path implements mgpu.FastPath.
type Path struct {
	GraphsAlways bool // launches go through one-node graphs without measurements
	Timed        bool // driver calls are timed
	Lookups      bool // threads cache modules and functions
}

func (Path) Calls(call int) uint64       { return uint64(C.calls_counted(uint32(call))) }
func (Path) DriverCalls(call int) uint64 { return uint64(C.driver_calls_made(uint32(call))) }
func (Path) DriverTime(call int) uint64  { return uint64(C.driver_calls_ns(uint32(call))) }
func (Path) GraphLaunches() uint64       { return uint64(C.onenode_launches()) }

// Launches calls f for each kernel and shape that C launched for a thread; the function is zero for launches that have
// no row. Launches are counted only if calls are timed.
func (Path) Launches(f func(mgpu.Launches)) {
	for r := C.kernels_all(); r != nil; r = r.next {
		f(mgpu.Launches{
			Function: uintptr(r.function), Grid: dims(&r.grid), Block: dims(&r.block),
			Count: atomic.LoadUint64((*uint64)(&r.launches)), ByGraph: atomic.LoadUint64((*uint64)(&r.by_graph)),
		})
	}
}

func dims(d *C.struct_dim3) driver.Dim3 {
	return driver.Dim3{X: uint32(d.x), Y: uint32(d.y), Z: uint32(d.z)}
}

func (Path) Allocations() (reused, waited, deferred uint64) {
	c := C.alloc_counts()
	return uint64(c.reused), uint64(c.waited), uint64(c.deferred)
}

// Nothing returns the address of a C function that accepts the arguments of any of driver.CFunctions and does nothing.
func Nothing() uintptr { return uintptr(C.driver_nothing()) }

func (p Path) Offer(o mgpu.PathOffer) {
	calls := (*C.struct_driver_functions)(unsafe.Pointer(&o.Calls))
	if o.OneNode {
		C.onenode_offer(calls, C.bool(p.GraphsAlways))
	}
	C.driver_offer(calls, C.uintptr_t(o.Addresses), o.Devices == 1, C.bool(p.Timed), C.bool(o.Cached))
}

// Trace makes C record calls in the file that is mapped at an address; zero ends that.
func Trace(file uintptr) { C.trace_offer(C.uintptr_t(file)) }

func (Path) ForgetFunctions() { C.lookup_forget() }

func (Path) ForgetModule(m driver.Module) (comparing bool) {
	return bool(C.lookup_lose_module(C.uintptr_t(m)))
}

func (Path) ForgetStreams() { C.stream_forget() }

func (Path) WatchReset(at driver.Ptr, number uint64, slow bool) {
	C.reset_watch(C.uintptr_t(at), C.uint64_t(number), C.bool(slow))
}

func (Path) ReleaseModule(m driver.Module) bool { return bool(C.lookup_release_module(C.uintptr_t(m))) }

func (Path) Relaunch(key uint64, s driver.Stream, x driver.GraphExec, launches uintptr) {
	C.relaunch_begin(C.uint64_t(key), C.uintptr_t(s), C.uintptr_t(x), C.uintptr_t(launches))
}

func (Path) EndRelaunch(key uint64, s driver.Stream) {
	C.relaunch_end(C.uint64_t(key), C.uintptr_t(s))
}

func (Path) Take(class uint32) uintptr { return uintptr(C.alloc_steal(C.uint32_t(class))) }

func (Path) Publish(b *alloccache.Block) {
	C.alloc_publish(C.uintptr_t(b.Ptr()), C.uintptr_t(b.Address()))
}

func (Path) Withdraw(b *alloccache.Block) { C.alloc_withdraw(C.uintptr_t(b.Ptr())) }

func (Path) Each(f func(ptr uintptr)) {
	for place := C.uint64_t(0); ; place++ {
		switch p := uintptr(C.alloc_listed_at(place)); p {
		case 0:
		case ^uintptr(0):
			return
		default:
			f(p)
		}
	}
}

func (Path) OfferStreams(places, count, frees uintptr) {
	C.stream_offer(C.uintptr_t(places), C.uintptr_t(count), C.uintptr_t(frees))
}

func (Path) Freed() uint64 { return uint64(C.stream_freed()) }

func (Path) NoteFreed(frees uint64) { C.stream_note_freed(C.uint64_t(frees)) }

func (Path) OfferMemory(o mgpu.MemoryOffer) {
	C.alloc_offer(C.uintptr_t(o.Shared), C.uintptr_t(o.Limit), C.int64_t(o.Now), C.int32_t(o.Row))
}
