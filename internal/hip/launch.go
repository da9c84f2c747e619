package hip

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

var _ driver.CooperativeLauncher = (*Driver)(nil)

// LaunchKernel puts a kernel into a stream.
func (d *Driver) LaunchKernel(f driver.Function, l driver.Launch) error {
	return d.check(C.call_hipModuleLaunchKernel(d.t, C.uintptr_t(f),
		C.uintptr_t(l.Grid.X), C.uintptr_t(l.Grid.Y), C.uintptr_t(l.Grid.Z),
		C.uintptr_t(l.Block.X), C.uintptr_t(l.Block.Y), C.uintptr_t(l.Block.Z),
		C.uintptr_t(l.SharedBytes), C.uintptr_t(l.Stream), C.uintptr_t(l.Params), C.uintptr_t(l.Extra)))
}

// LaunchCooperative puts a kernel whose workgroups are all resident at once into
// a stream. HIP has no clusters of workgroups, and takes no packed arguments here.
func (d *Driver) LaunchCooperative(f driver.Function, cluster driver.Dim3, l driver.Launch) error {
	const call = "hipModuleLaunchCooperativeKernel"
	var lacks string
	switch {
	case cluster != driver.Dim3{}:
		lacks = "HIP has no clusters of workgroups"
	case l.Extra != 0:
		lacks = "HIP has no packed arguments for cooperative launches"
	default:
		return d.check(C.call_hipModuleLaunchCooperativeKernel(d.t, C.uintptr_t(f),
			C.uintptr_t(l.Grid.X), C.uintptr_t(l.Grid.Y), C.uintptr_t(l.Grid.Z),
			C.uintptr_t(l.Block.X), C.uintptr_t(l.Block.Y), C.uintptr_t(l.Block.Z),
			C.uintptr_t(l.SharedBytes), C.uintptr_t(l.Stream), C.uintptr_t(l.Params)))
	}
	return &driver.Error{Call: call, Name: "hipErrorNotSupported", Code: driver.NotSupported, Detail: lacks}
}
