package cuda

// #include "calls.h"
import "C"

import (
	"fmt"
	"maps"
	"math"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// LaunchCluster launches a kernel whose thread blocks form clusters.
func (d *Driver) LaunchCluster(f driver.Function, cluster driver.Dim3, l driver.Launch) error {
	return d.launchWith(f, false, cluster, l)
}

// LaunchCooperative launches a kernel whose thread blocks are all resident at once.
func (d *Driver) LaunchCooperative(f driver.Function, cluster driver.Dim3, l driver.Launch) error {
	if (cluster != driver.Dim3{}) || l.Extra != 0 {
		return d.launchWith(f, true, cluster, l)
	}
	return d.LaunchResident(f, l)
}

func (d *Driver) launchWith(f driver.Function, cooperative bool, cluster driver.Dim3, l driver.Launch) error {
	if err := d.allow(f, l.SharedBytes); err != nil {
		return err
	}
	return d.Check(int32(C.cuda_launch_with(d.t, C.uintptr_t(f), C.bool(cooperative),
		C.uint32_t(cluster.X), C.uint32_t(cluster.Y), C.uint32_t(cluster.Z),
		C.uint32_t(l.Grid.X), C.uint32_t(l.Grid.Y), C.uint32_t(l.Grid.Z),
		C.uint32_t(l.Block.X), C.uint32_t(l.Block.Y), C.uint32_t(l.Block.Z),
		C.uint32_t(l.SharedBytes), C.uintptr_t(l.Stream), C.uintptr_t(l.Params), C.uintptr_t(l.Extra))))
}

// limits has the largest dynamic shared memory with which a function may be launched. Functions that were not queried
// are missing.
type limits map[driver.Function]uint32

// allow makes sure that f can be launched with bytes of dynamic shared memory. Above the default of 48 KiB less f's
// static shared memory, that needs an attribute of the function, which allow sets once.
func (d *Driver) allow(f driver.Function, bytes uint32) error {
	if bytes == 0 {
		return nil
	}
	if limit, ok := (*d.limits.Load())[f]; ok && bytes <= limit {
		return nil
	}
	return d.raise(f, bytes)
}

func (d *Driver) raise(f driver.Function, bytes uint32) error {
	d.raising.Lock()
	defer d.raising.Unlock()
	known := *d.limits.Load()
	limit, ok := known[f]
	if !ok {
		v := C.call_cuFuncGetAttribute(d.t, C.cuda_function_max_dynamic_shared, C.uintptr_t(f))
		if v.status != C.cuda_success {
			return d.Check(int32(v.status))
		}
		limit = uint32(v.value)
	}
	if bytes > limit {
		if err := d.setLimit(f, bytes); err != nil {
			return err
		}
		limit = bytes
	}
	grown := maps.Clone(known)
	grown[f] = limit
	d.limits.Store(&grown)
	return nil
}

func (d *Driver) setLimit(f driver.Function, bytes uint32) error {
	status := C.int32_t(C.row_cuFuncSetAttribute<<16 | C.cuda_invalid_value)
	if bytes <= math.MaxInt32 {
		status = C.call_cuFuncSetAttribute(d.t, C.uintptr_t(f), C.cuda_function_max_dynamic_shared, C.uintptr_t(bytes))
	}
	if status == C.cuda_success {
		return nil
	}
	e := d.Failure(int32(status))
	if e.Code == driver.InvalidValue {
		device, _ := d.Device()
		static := C.call_cuFuncGetAttribute(d.t, C.cuda_function_shared, C.uintptr_t(f))
		most := C.cuda_device_attribute(d.t, C.int(device), C.cuda_device_max_shared)
		e.Detail = fmt.Sprintf("%d bytes of dynamic shared memory, and %d static ones, for a thread block; the device has %d",
			bytes, static.value, most.value)
	}
	return e
}

// forget drops the limits: the handle of an unloaded module's function may be reused.
func (d *Driver) forget() {
	if len(*d.limits.Load()) == 0 {
		return
	}
	d.raising.Lock()
	defer d.raising.Unlock()
	d.limits.Store(&limits{})
}
