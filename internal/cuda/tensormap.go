package cuda

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// EncodeTiled writes a tensor map for the device's bulk copies.
func (d *Driver) EncodeTiled(t driver.TensorMap) error {
	return d.Check(int32(C.call_cuTensorMapEncodeTiled(d.t, C.uintptr_t(t.Map), C.uintptr_t(t.DataType),
		C.uintptr_t(t.Rank), C.uintptr_t(t.Address), C.uintptr_t(t.Dims), C.uintptr_t(t.Strides), C.uintptr_t(t.Box),
		C.uintptr_t(t.ElementStrides), C.uintptr_t(t.Interleave), C.uintptr_t(t.Swizzle), C.uintptr_t(t.L2Promotion),
		C.uintptr_t(t.OutOfBoundsFill))))
}
