package gpuapi

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// LaunchKernel launches a kernel on a stream.
func (d *Driver) LaunchKernel(f driver.Function, l driver.Launch) error {
	if err := d.allow(f, l.SharedBytes); err != nil {
		return err
	}
	return d.check(C.gpu_launch(C.uintptr_t(uintptr(unsafe.Pointer(d.t))), C.uintptr_t(f),
		C.uint32_t(l.Grid.X), C.uint32_t(l.Grid.Y), C.uint32_t(l.Grid.Z),
		C.uint32_t(l.Block.X), C.uint32_t(l.Block.Y), C.uint32_t(l.Block.Z),
		C.uint32_t(l.SharedBytes), C.uintptr_t(l.Stream), C.uintptr_t(l.Params), C.uintptr_t(l.Extra)))
}

// LaunchResident launches a kernel whose workgroups are all resident at once. It ignores l.Extra.
func (d *Driver) LaunchResident(f driver.Function, l driver.Launch) error {
	if err := d.allow(f, l.SharedBytes); err != nil {
		return err
	}
	return d.check(C.gpu_launch_cooperative(d.t, C.uintptr_t(f),
		C.uintptr_t(l.Grid.X), C.uintptr_t(l.Grid.Y), C.uintptr_t(l.Grid.Z),
		C.uintptr_t(l.Block.X), C.uintptr_t(l.Block.Y), C.uintptr_t(l.Block.Z),
		C.uintptr_t(l.SharedBytes), C.uintptr_t(l.Stream), C.uintptr_t(l.Params)))
}

// allow makes sure that f can be launched with bytes of dynamic workgroup memory.
func (d *Driver) allow(f driver.Function, bytes uint32) error {
	if bytes == 0 || d.api.Allow == nil {
		return nil
	}
	return d.api.Allow(f, bytes)
}
