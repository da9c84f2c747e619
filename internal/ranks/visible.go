package ranks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// visibleLists are the variables by which AMD's runtimes hide devices. ROCr's list comes first; HIP's numbers refer to
// the devices that remain.
var visibleLists = []string{"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"}

// Visible returns how many of devices, which are all alike, a program of AMD's runtime may see. As with ROCm, a list
// ends at the first entry that is not a device or a repetition. It returns an error if no device is left.
func Visible(getenv func(string) string, devices int) (int, error) {
	for _, name := range visibleLists {
		text := getenv(name)
		if text == "" {
			continue
		}
		var seen []int
		for _, entry := range strings.Split(text, ",") {
			n, ok := number(strings.TrimSpace(entry))
			if !ok || n >= devices || slices.Contains(seen, n) {
				break
			}
			seen = append(seen, n)
		}
		if len(seen) == 0 {
			return 0, &settings.WrongValue{Name: name, Value: text, Why: fmt.Errorf("it hides all devices: %s", There(devices))}
		}
		devices = len(seen)
	}
	return devices, nil
}
