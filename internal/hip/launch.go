package hip

// #include "calls.h"
import "C"

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// LaunchCluster launches a kernel whose workgroups form clusters. Clusters of one workgroup are plain launches.
func (d *Driver) LaunchCluster(f driver.Function, cluster driver.Dim3, l driver.Launch) error {
	if cluster == (driver.Dim3{X: 1, Y: 1, Z: 1}) {
		return d.LaunchKernel(f, l)
	}
	err := d.Check(int32(C.hip_launch_clusters(d.t, C.uintptr_t(f),
		C.uint32_t(cluster.X), C.uint32_t(cluster.Y), C.uint32_t(cluster.Z),
		C.uint32_t(l.Grid.X), C.uint32_t(l.Grid.Y), C.uint32_t(l.Grid.Z),
		C.uint32_t(l.Block.X), C.uint32_t(l.Block.Y), C.uint32_t(l.Block.Z),
		C.uint32_t(l.SharedBytes), C.uintptr_t(l.Stream), C.uintptr_t(l.Params), C.uintptr_t(l.Extra))))
	if e, ok := err.(*driver.Error); ok && e.Code == driver.InvalidValue {
		e.Detail = fmt.Sprintf("clusters of (%d,%d,%d) workgroups: the device has none, or they don't divide the grid", cluster.X, cluster.Y, cluster.Z)
	}
	return err
}

// LaunchCooperative launches a kernel whose workgroups are all resident at once. HIP supports no clusters and no packed
// arguments here.
func (d *Driver) LaunchCooperative(f driver.Function, cluster driver.Dim3, l driver.Launch) error {
	var lacks string
	switch {
	case cluster != driver.Dim3{}:
		lacks = "HIP has no clusters of workgroups"
	case l.Extra != 0:
		lacks = "HIP has no packed arguments for cooperative launches"
	default:
		return d.LaunchResident(f, l)
	}
	return &driver.Error{Call: "hipModuleLaunchCooperativeKernel", Name: "hipErrorNotSupported", Code: driver.NotSupported, Detail: lacks}
}
