package cuda

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// EncodeTiled writes a tensor map for the device's bulk copies.
func (d *Driver) EncodeTiled(t driver.TensorMap) error {
	return d.check("cuTensorMapEncodeTiled", C.cuda_encode_tiled(d.c, C.uintptr_t(t.Map), C.uint32_t(t.DataType),
		C.uint32_t(t.Rank), C.uintptr_t(t.Address), C.uintptr_t(t.Dims), C.uintptr_t(t.Strides), C.uintptr_t(t.Box),
		C.uintptr_t(t.ElementStrides), C.uint32_t(t.Interleave), C.uint32_t(t.Swizzle), C.uint32_t(t.L2Promotion),
		C.uint32_t(t.OutOfBoundsFill)))
}
