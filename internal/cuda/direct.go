package cuda

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
		Driver:            uintptr(unsafe.Pointer(d.c)),
		LaunchKernel:      uintptr(C.cuda_direct_launch()),
		StreamSynchronize: d.waitStream,
		GraphLaunch:       d.graphLaunch(),
	}
}

// graphLaunch is zero where libcuda has no graphs that can be changed.
func (d *Driver) graphLaunch() uintptr {
	for _, name := range []string{"cuGraphExecKernelNodeSetParams_v2", "cuGraphAddKernelNode_v2", "cuGraphLaunch", "cuStreamIsCapturing"} {
		if d.library.Symbol(name) == 0 {
			return 0
		}
	}
	return uintptr(C.cuda_direct_graph_launch())
}
