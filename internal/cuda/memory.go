package cuda

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// PlaceOf asks libcuda. It knows nothing of pageable memory.
func (d *Driver) PlaceOf(p driver.Ptr) (driver.Place, error) {
	kind := C.cuda_pointer_attribute(d.t, C.cuda_pointer_type, C.uintptr_t(p))
	switch {
	case kind.status&0xffff == C.cuda_invalid_value:
		return driver.Pageable, nil
	case kind.status != C.cuda_success:
		return driver.Pageable, d.Check(int32(kind.status))
	case kind.value == C.cuda_memory_host:
		return driver.Shared, nil
	}
	managed := C.cuda_pointer_attribute(d.t, C.cuda_pointer_managed, C.uintptr_t(p))
	if managed.status == C.cuda_success && managed.value&0xff != 0 {
		return driver.Shared, nil
	}
	return driver.DeviceOnly, nil
}
