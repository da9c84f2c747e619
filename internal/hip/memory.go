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

// PlaceOf asks HIP, which knows nothing of pageable memory.
func (d *Driver) PlaceOf(p driver.Ptr) (driver.Place, error) {
	at := C.hip_place(d.t, C.uintptr_t(p))
	switch {
	case at.status != C.hip_success:
		return driver.Pageable, d.Check(int32(at.status))
	case bool(at.unknown):
		return driver.Pageable, nil
	case bool(at.managed):
		return driver.Shared, nil
	}
	of := places
	if d.version < renumbered {
		of = placesBefore6
	}
	place, ok := of[at._type]
	if !ok {
		return driver.Pageable, d.Failure(C.row_hipPointerGetAttribute<<16 | C.hip_not_supported)
	}
	return place, nil
}
