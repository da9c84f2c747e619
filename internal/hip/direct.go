package hip

// #include "direct.h"
// #include "graph.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var _ driver.Direct = (*Driver)(nil)

// Direct leaves launches and waits to C.
func (d *Driver) Direct() driver.DirectCalls {
	return driver.DirectCalls{
		Driver:            uintptr(unsafe.Pointer(d.h)),
		LaunchKernel:      uintptr(C.hip_direct_launch()),
		StreamSynchronize: d.waitStream,
		GraphLaunch:       d.graphLaunch(),
		GraphsPinned:      true,
	}
}

// graphLaunch is zero where HIP has no graphs that can be changed.
func (d *Driver) graphLaunch() uintptr {
	for _, name := range []string{"hipGraphExecKernelNodeSetParams", "hipGraphAddKernelNode", "hipGraphLaunch", "hipStreamIsCapturing"} {
		if d.library.Symbol(name) == 0 {
			return 0
		}
	}
	return uintptr(C.hip_direct_graph_launch())
}
