package ranks

import (
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// Device returns the device that MGPU_DEVICE selects for the process, out of devices, and how it was selected, as text.
// Without the variable the device is 0 and how is empty.
func Device(getenv func(string) string, devices int) (device int, how string, err error) {
	text := getenv("MGPU_DEVICE")
	if text == "" {
		return 0, "", nil
	}
	if text != "rank" {
		n, err := settings.Read(getenv, "MGPU_DEVICE", settings.ParseDevice)
		if err == nil && n >= devices {
			err = &settings.WrongValue{Name: "MGPU_DEVICE", Value: text, Why: errors.New(There(devices))}
		}
		if err != nil {
			return 0, "", err
		}
		return n, fmt.Sprintf("device %d of %d by MGPU_DEVICE=%s", n, devices, text), nil
	}
	r, err := Find(getenv)
	if err != nil {
		return 0, "", fmt.Errorf("MGPU_DEVICE=rank: %w", err)
	}
	n := r.Local % devices
	how = fmt.Sprintf("device %d of %d by MGPU_DEVICE=rank: ", n, devices)
	switch {
	case r.Variable == "":
		how += "no rank variable is set, rank 0"
	case r.Others != "":
		how += fmt.Sprintf("%s=%d, not %s", r.Variable, r.Local, r.Others)
	default:
		how += fmt.Sprintf("%s=%d", r.Variable, r.Local)
	}
	return n, how, nil
}

// There says as text how many devices there are.
func There(devices int) string {
	if devices == 1 {
		return "there is 1 device, number 0"
	}
	return fmt.Sprintf("there are %d devices, 0 to %d", devices, devices-1)
}
