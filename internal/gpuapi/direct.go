package gpuapi

// #include "vendor.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// function is the address of one of a vendor's C functions.
type function = *[0]byte

// blocking leaves a call to C.
func (d *Driver) blocking(call function, a, b, c, e uintptr) driver.Blocking {
	return driver.Blocking{Fn: address(call), Arg: [5]uintptr{uintptr(unsafe.Pointer(d.t)), a, b, c, e}}
}

func address(call function) uintptr { return uintptr(unsafe.Pointer(call)) }

// WaitStream leaves a StreamSynchronize to C.
func (d *Driver) WaitStream(s driver.Stream) driver.Blocking {
	return d.blocking(d.v.stream_synchronize.call, uintptr(s), 0, 0, 0)
}

// WaitEvent leaves an EventSynchronize to C.
func (d *Driver) WaitEvent(e driver.Event) driver.Blocking {
	return d.blocking(d.v.event_synchronize.call, uintptr(e), 0, 0, 0)
}

// WaitCopy leaves a Memcpy to C: one from or to pageable memory blocks.
func (d *Driver) WaitCopy(dst, src driver.Ptr, bytes uint64, s driver.Stream) driver.Blocking {
	return d.blocking(d.v.copy.call, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
}

// WaitFree leaves a MemFree to C.
func (d *Driver) WaitFree(p driver.Ptr) driver.Blocking {
	return d.blocking(d.v.mem_free.call, uintptr(p), 0, 0, 0)
}

// WaitDevice leaves a DeviceSynchronize to C.
func (d *Driver) WaitDevice() driver.Blocking {
	return d.blocking(d.v.device_synchronize.call, 0, 0, 0, 0)
}

// Status tells what such a call came to. It names the vendor's function, whatever the
// call was made for.
func (d *Driver) Status(_ string, status int32) error { return d.Check(status) }

// Direct leaves to C what needs no preparation.
func (d *Driver) Direct() driver.DirectCalls {
	calls := driver.DirectCalls{
		Driver:            uintptr(unsafe.Pointer(d.t)),
		LaunchKernel:      address(d.v.launch),
		StreamSynchronize: address(d.v.stream_synchronize.call),
		StreamIdle:        address(function(C.vendor_stream_idle)),
		HostSees:          address(function(C.vendor_host_sees)),
		Memcpy:            address(d.v.copy.call),
		Memset32:          address(d.v.memset32.call),
		Memset16:          address(d.v.memset16.call),
		GraphsPinned:      d.api.Traits.Pinned,

		ModuleLoad:        address(d.v.module_load.call),
		ModuleCompile:     address(d.v.module_compile),
		ModuleUnload:      address(d.v.module_unload.call),
		ModuleGetFunction: address(d.v.module_function.call),
		StreamCreate:      address(d.v.stream_create.call),
		StreamDestroy:     address(d.v.stream_destroy.call),
		MemAlloc:          address(d.v.mem_alloc.call),
		MemFree:           address(d.v.mem_free.call),
	}
	if d.has(d.v.stream_capturing.row) {
		calls.StreamUsable = address(function(C.vendor_stream_usable))
	}
	if d.Resets() {
		calls.MemoryNumber = address(d.v.memory_number.call)
	}
	if d.has(d.v.graph_set_kernel.row) && d.has(d.v.graph_kernel.row) && d.has(d.v.graph_launch.row) && d.has(d.v.stream_capturing.row) {
		calls.GraphLaunch = address(d.v.launch_node)
	}
	return calls
}

// has tells whether the library has a row's function, optional as it is.
func (d *Driver) has(row C.int) bool { return d.lib.Symbol(d.symbols[row].Name) != 0 }
