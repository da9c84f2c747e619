package ranks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// visibleLists are the variables by which AMD's runtimes hide devices, ROCr's list first:
// HIP's counts in what that leaves.
var visibleLists = []string{"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"}

// Visible is how many of devices, all alike, a program of AMD's may see. As with ROCm a
// list ends at the first entry that is no device or was there before. An error if none is
// left.
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
