package hip

// #include "direct.h"
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
	}
}
