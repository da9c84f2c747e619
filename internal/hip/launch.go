package hip

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// LaunchCooperative puts a kernel whose workgroups are all resident at once into
// a stream. HIP has no clusters of workgroups, and takes no packed arguments here.
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
