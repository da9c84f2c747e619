//go:build race && invariants

package main

// #cgo CFLAGS: -I${SRCDIR}/../../../internal/fastpath -I${SRCDIR}/../../../include -std=gnu11 -Wno-unused-parameter -fvisibility=hidden
// #include "alloc.h"
// #include "copy.h"
// #include "launch.h"
// #include "schedule.h"
// #include <stdlib.h>
// #include "stream.h"
// #include "thread.h"
import "C"

import (
	"math/rand/v2"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/test/model/programs"
)

// inC makes calls as entry.c does: in C, or in Go where C leaves them to Go.
type inC struct {
	programs.Go
	r  *rand.Rand
	in func(*rand.Rand) bool // whether C may make the next call

	value  *[1]uint64 // of the launches' parameter
	params uintptr    // what launches are given
}

// attach gives the calling thread a state in C.
func attach(lib inC) inC {
	if !C.thread_attach() {
		panic("no memory")
	}
	if lib.value == nil {
		lib.value = (*[1]uint64)(C.calloc(2, 8))
		params := (*[1]unsafe.Pointer)(C.calloc(1, 8))
		params[0] = unsafe.Pointer(lib.value)
		lib.params = uintptr(unsafe.Pointer(params))
	}
	return lib
}

func (l inC) choosesC() bool { return l.in(l.r) }

// Rest has the thread end now and then, as far as C knows, and another one take its place, for which
// the program keeps the order of the first one's frees.
func (l inC) Rest() {
	C.schedule_step()
	if l.r.IntN(300) == 0 {
		frees := C.stream_freed()
		C.thread_detach()
		attach(l)
		C.stream_note_freed(frees)
	}
}

func (inC) End() { C.thread_detach() }

// finish makes the driver call that Go has left to C.
func (l inC) finish(w mgpu.Wait) {
	if w.Fn != 0 {
		l.Waited(w, wait(w.Fn, &w.Arg))
	}
}

func (l inC) MemAlloc(bytes uint64, stream uintptr, shared bool, session uintptr) uintptr {
	if session == 0 && !shared && l.choosesC() {
		if p := C.alloc_block(C.uint64_t(bytes), 0); p != 0 {
			return uintptr(p)
		}
	}
	return l.Go.MemAlloc(bytes, stream, shared, session)
}

func (l inC) MemFree(ptr, stream uintptr) {
	if l.choosesC() {
		made := C.alloc_free(C.uintptr_t(ptr), C.uintptr_t(stream), false)
		if made == C.free_asks {
			made = C.alloc_free(C.uintptr_t(ptr), C.uintptr_t(stream), true)
		}
		if made == C.free_made {
			return
		}
	}
	l.finish(l.Runtime.MemFree(ptr))
}

func (l inC) Memcpy(dst, src uintptr, bytes uint64, stream uintptr) {
	if !l.choosesC() || !bool(C.copy_memory(C.uintptr_t(dst), C.uintptr_t(src), C.uint64_t(bytes), C.uintptr_t(stream))) {
		l.finish(l.Runtime.Memcpy(dst, src, bytes, stream))
	}
}

func (l inC) Memset32(dst uintptr, value uint32, count uint64, stream uintptr) {
	if !l.choosesC() || !bool(C.copy_value(C.call_mgpuMemset32, C.uintptr_t(dst), C.uint32_t(value), C.uint64_t(count), C.uintptr_t(stream))) {
		l.Runtime.Memset32(dst, value, count, stream)
	}
}

func (l inC) LaunchKernel(k *mgpu.Launch) {
	l.value[0] = uint64(k.Params)
	k.Params = l.params
	if !l.choosesC() || !bool(C.launch_kernel((*C.struct_launch)(unsafe.Pointer(k)))) {
		l.Runtime.LaunchKernel(k)
	}
}

func (l inC) StreamCreate() uintptr {
	if l.choosesC() {
		if s := C.stream_create(); s != 0 {
			return uintptr(s)
		}
	}
	return l.Runtime.StreamCreate()
}

func (l inC) StreamDestroy(stream uintptr) {
	if !l.choosesC() || !bool(C.stream_destroy(C.uintptr_t(stream))) {
		l.Runtime.StreamDestroy(stream)
	}
}

func (l inC) StreamSynchronize(stream uintptr) {
	if !l.choosesC() || !bool(C.stream_synchronize(C.uintptr_t(stream))) {
		l.finish(l.Runtime.StreamSynchronize(stream))
	}
}

func (l inC) EventSynchronize(event uintptr) { l.finish(l.Runtime.EventSynchronize(event)) }
