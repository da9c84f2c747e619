package hip

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// From this version of HIP on kinds of memory have other numbers.
const renumbered = 6_00_00000

// placesBefore6 and places say what HIP's kinds of memory are.
var (
	placesBefore6 = map[C.uintptr_t]driver.Place{0: driver.Shared, 1: driver.DeviceOnly, 3: driver.Shared}
	places        = map[C.uintptr_t]driver.Place{0: driver.Pageable, 1: driver.Shared, 2: driver.DeviceOnly, 3: driver.Shared, 11: driver.Shared}
)

// PlaceOf asks HIP. It knows nothing of pageable memory: every release answers
// hipErrorInvalidValue if asked whether such memory is managed. Asked for its type,
// HIP before 6.2 takes the pointer for a hipArray and reads what it points to.
func (d *Driver) PlaceOf(p driver.Ptr) (driver.Place, error) {
	answer := C.hip_pointer_attribute(d.t, C.hip_pointer_managed, C.uintptr_t(p))
	if answer.status&0xffff == C.hip_success {
		if answer.value&0xff != 0 {
			return driver.Shared, nil
		}
		answer = C.hip_pointer_attribute(d.t, C.hip_pointer_type, C.uintptr_t(p))
	}
	switch answer.status & 0xffff {
	case C.hip_success:
	case C.hip_invalid_value:
		return driver.Pageable, nil
	default:
		return driver.Pageable, d.Check(int32(answer.status))
	}
	of := places
	if d.version < renumbered {
		of = placesBefore6
	}
	place, ok := of[answer.value]
	if !ok {
		return driver.Pageable, d.Failure(C.row_hipPointerGetAttribute<<16 | C.hip_not_supported)
	}
	return place, nil
}
