package hip

// #include "graph.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var (
	_ driver.Waiter       = (*Driver)(nil)
	_ driver.DeviceWaiter = (*Driver)(nil)
	_ driver.Direct       = (*Driver)(nil)
)

// blocking leaves a call to C.
func (d *Driver) blocking(call unsafe.Pointer, a, b, c, e uintptr) driver.Blocking {
	return driver.Blocking{Fn: uintptr(call), Arg: [5]uintptr{uintptr(unsafe.Pointer(d.t)), a, b, c, e}}
}

// WaitStream leaves a StreamSynchronize to C.
func (d *Driver) WaitStream(s driver.Stream) driver.Blocking {
	return d.blocking(C.call_hipStreamSynchronize, uintptr(s), 0, 0, 0)
}

// WaitEvent leaves an EventSynchronize to C.
func (d *Driver) WaitEvent(e driver.Event) driver.Blocking {
	return d.blocking(C.call_hipEventSynchronize, uintptr(e), 0, 0, 0)
}

// WaitCopy leaves a Memcpy to C: one from or to pageable memory blocks.
func (d *Driver) WaitCopy(dst, src driver.Ptr, bytes uint64, s driver.Stream) driver.Blocking {
	return d.blocking(C.hip_copy, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(s))
}

// WaitCopied leaves the wait for a copy to C.
func (d *Driver) WaitCopied(s driver.Stream) driver.Blocking {
	return d.blocking(C.hip_wait_copied, uintptr(s), 0, 0, 0)
}

// WaitFree leaves a MemFree to C.
func (d *Driver) WaitFree(p driver.Ptr) driver.Blocking {
	return d.blocking(C.call_hipFree, uintptr(p), 0, 0, 0)
}

// WaitDevice leaves a DeviceSynchronize to C.
func (d *Driver) WaitDevice() driver.Blocking {
	return d.blocking(C.hip_device_synchronize, 0, 0, 0, 0)
}

// Status tells what such a call came to. It names HIP's function, whatever the call
// was made for.
func (d *Driver) Status(_ string, status int32) error { return d.lib.Check(status) }

// Direct leaves launches and waits to C.
func (d *Driver) Direct() driver.DirectCalls {
	calls := driver.DirectCalls{
		Driver:            uintptr(unsafe.Pointer(d.t)),
		LaunchKernel:      uintptr(C.hip_launch),
		StreamSynchronize: uintptr(C.call_hipStreamSynchronize),
		GraphsPinned:      true,
	}
	if d.lib.Has("hipGraphExecKernelNodeSetParams", "hipGraphAddKernelNode", "hipGraphLaunch", "hipStreamIsCapturing") {
		calls.GraphLaunch = uintptr(C.hip_graph_launch)
	}
	return calls
}
