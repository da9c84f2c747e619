package main

// #include "answer.h"
// #include "blocks.h"
// #include "copy.h"
// #include "direct.h"
// #include "kept.h"
// #cgo nocallback answer_forget
// #cgo noescape answer_forget
import "C"

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// fastPath is what C does by itself, for mgpu.FastPath.
type fastPath struct{ graphsAlways, timed bool }

func (fastPath) Calls(call int) uint64       { return uint64(C.calls_made(uint32(call))) }
func (fastPath) DriverCalls(call int) uint64 { return uint64(C.direct_calls(uint32(call))) }
func (fastPath) DriverTime(call int) uint64  { return uint64(C.direct_nanoseconds(uint32(call))) }
func (fastPath) GraphLaunches() uint64       { return uint64(C.kept_launches()) }
func (fastPath) Allocations() uint64         { return uint64(C.blocks_given()) }

func (p fastPath) Offer(d driver.DirectCalls, devices int) {
	C.kept_offer(C.uintptr_t(d.Driver), C.uintptr_t(d.GraphLaunch), C.bool(d.GraphsPinned), C.bool(p.graphsAlways))
	C.direct_offer(C.uintptr_t(d.Driver), C.uintptr_t(d.LaunchKernel), C.uintptr_t(d.StreamSynchronize), devices == 1, C.bool(p.timed))
}

func (fastPath) ForgetFunctions()    { C.answer_forget() }
func (fastPath) ForgetStreams()      { C.direct_forget() }
func (fastPath) StagedCopy() uintptr { return uintptr(C.copy_staged_function()) }

func (fastPath) Take(class uint32) uintptr { return uintptr(C.blocks_take(C.uint32_t(class))) }

func (fastPath) Publish(b *alloccache.Block) {
	C.blocks_publish(C.uintptr_t(b.Ptr()), C.uintptr_t(b.Address()))
}

func (fastPath) Withdraw(b *alloccache.Block) { C.blocks_withdraw(C.uintptr_t(b.Ptr())) }

func (fastPath) Each(f func(ptr uintptr)) {
	for place := C.uint64_t(0); ; place++ {
		switch p := uintptr(C.blocks_at(place)); p {
		case 0:
		case ^uintptr(0):
			return
		default:
			f(p)
		}
	}
}

func (fastPath) OfferMemory(o mgpu.HandOffer) {
	C.blocks_offer(C.uintptr_t(o.Places), C.uintptr_t(o.Count), C.int64_t(o.Now), C.int32_t(o.Row))
}
