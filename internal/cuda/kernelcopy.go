package cuda

// #include "kernelcopy.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

var _ driver.KernelCopier = (*Driver)(nil)

// PrepareKernelCopy has libcuda compile the kernel for the current device; what comes
// of that libcuda keeps on disk for later processes.
func (d *Driver) PrepareKernelCopy() error { return d.check(C.cuda_prepare_copier(d.t)) }

// KernelCopy launches the kernel.
func (d *Driver) KernelCopy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error {
	return d.check(C.cuda_kernel_copy(d.t, C.uintptr_t(dst), C.uintptr_t(src), C.uintptr_t(bytes), C.uintptr_t(s)))
}
