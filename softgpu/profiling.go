package softgpu

import (
	"encoding/json"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/profile"
)

var _ driver.Profiler = (*Driver)(nil)

// Profile implements driver.Profiler, by Options.Profile.
func (d *Driver) Profile() (text string, kernels []json.RawMessage) {
	if d.profile == nil {
		return "", nil
	}
	return d.profile.Text(), d.profile.JSON()
}

// AsksForProfile reports whether a list, in the form of Options.Profile, asks for anything. The error names an invalid
// word.
func AsksForProfile(list string) (bool, error) {
	modes, err := profile.ParseModes(list)
	return modes.Any(), err
}
