package gpuapi

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// function is the address of a vendor's C function.
type function = *[0]byte

// blocking returns a call that C makes.
func (d *Driver) blocking(call function, a, b, c, e uintptr) driver.Blocking {
	return driver.Blocking{Fn: address(call), Arg: [5]uintptr{uintptr(unsafe.Pointer(d.t)), a, b, c, e}}
}

func address(call function) uintptr { return uintptr(unsafe.Pointer(call)) }

// WaitStream returns StreamSynchronize as a call for C.
func (d *Driver) WaitStream(s driver.Stream) driver.Blocking {
	return d.blocking(d.v.calls.stream_synchronize, uintptr(s), 0, 0, 0)
}

// WaitEvent returns EventSynchronize as a call for C.
func (d *Driver) WaitEvent(e driver.Event) driver.Blocking {
	return d.blocking(d.v.calls.event_synchronize, uintptr(e), 0, 0, 0)
}

// WaitCopy returns Memcpy as a call for C. A copy from or to pageable memory blocks.
func (d *Driver) WaitCopy(dst, src driver.Ptr, bytes uint64, s driver.Stream) driver.Blocking {
	return d.blocking(d.v.calls.copy, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
}

// WaitFree returns MemFree as a call for C.
func (d *Driver) WaitFree(p driver.Ptr) driver.Blocking {
	return d.blocking(d.v.calls.mem_free, uintptr(p), 0, 0, 0)
}

// WaitDevice returns DeviceSynchronize as a call for C.
func (d *Driver) WaitDevice() driver.Blocking {
	return d.blocking(d.v.calls.device_synchronize, 0, 0, 0, 0)
}

// Status returns the error of such a call. The error names the vendor's function, whatever the mgpu call was.
func (d *Driver) Status(_ string, status int32) error { return d.Check(status) }

// CFunctions returns the functions that C may call without preparation.
func (d *Driver) CFunctions() driver.CFunctions {
	calls := driver.CFunctions{
		Driver:            uintptr(unsafe.Pointer(d.t)),
		LaunchKernel:      address(d.v.calls.launch),
		StreamSynchronize: address(d.v.calls.stream_synchronize),
		StreamIdle:        address(function(C.gpu_stream_idle)),
		EventRecord:       address(function(C.gpu_event_record_uncaptured)),
		HostSees:          address(function(C.gpu_host_sees)),
		Memcpy:            address(d.v.calls.copy),
		Memset32:          address(d.v.calls.memset32),
		Memset16:          address(d.v.calls.memset16),
		GraphsPinned:      d.api.Traits.Pinned,

		ModuleLoad:        address(d.v.calls.module_load),
		ModuleCompile:     address(d.v.calls.module_compile),
		ModuleUnload:      address(d.v.calls.module_unload),
		ModuleGetFunction: address(d.v.calls.module_function),
		StreamCreate:      address(d.v.calls.stream_create),
		StreamDestroy:     address(d.v.calls.stream_destroy),
		MemAlloc:          address(d.v.calls.mem_alloc),
		MemFree:           address(d.v.calls.mem_free),
	}
	if d.has(d.v.row.stream_capturing) {
		calls.StreamUsable = address(function(C.gpu_stream_usable))
	}
	if d.Resets() {
		calls.MemoryNumber = address(d.v.calls.memory_number)
	}
	if d.has(d.v.row.graph_set_kernel) && d.has(d.v.row.graph_kernel) && d.has(d.v.row.graph_launch) && d.has(d.v.row.stream_capturing) {
		calls.GraphLaunch = address(d.v.calls.launch_node)
	}
	return calls
}

// has reports whether the library has the optional function of a row.
func (d *Driver) has(row C.int) bool { return d.lib.Symbol(d.symbols[row].Name) != 0 }
