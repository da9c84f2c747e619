package softgpu

import (
	"cmp"

	"github.com/mgpu-runtime/mgpu/internal/ranks"
	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// FromEnvironment reads the settings of the software GPU. FromEnvironment or [Open] returns a [settings.WrongValue] for
// an invalid value.
func FromEnvironment(get func(name string) string) (o Options, err error) {
	o.Chip, o.Check, o.Profile = get("MGPU_SOFT_CHIP"), get("MGPU_CHECK"), get("MGPU_PROFILE")
	devices, err := settings.Read(get, "MGPU_SOFT_DEVICES", settings.ParseDevices)
	if err != nil {
		return o, err
	}
	if o.Devices, err = ranks.Visible(get, cmp.Or(devices, 1)); err != nil {
		return o, err
	}
	if o.MemoryLimit, err = settings.Read(get, "MGPU_SOFT_MEMORY", settings.ParseSize); err != nil {
		return o, err
	}
	if o.Schedule, err = settings.Read(get, "MGPU_SOFT_SCHEDULE", settings.ParseSeed); err != nil {
		return o, err
	}
	o.Timeout, err = settings.Read(get, "MGPU_SOFT_TIMEOUT", settings.ParseTime)
	return o, err
}
