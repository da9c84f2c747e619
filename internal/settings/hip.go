package settings

import (
	"fmt"
	"slices"
	"strings"
)

// onHIP are the settings for programs on AMD's HIP: libmgpu_rocm.so reads them.
var onHIP = []string{"MGPU_SOFT_CHIP", "MGPU_SOFT_DEVICES", "MGPU_SOFT_MEMORY", "MGPU_SOFT_TIMEOUT", "MGPU_SOFT_SCHEDULE", "MGPU_CHECK", "MGPU_PROFILE", "MGPU_STATS", "MGPU_ON_ERROR", "MGPU_REPORT", "MGPU_ANNOTATE"}

// idle are values of other settings that have no effect in such a program, which uses HIP on the software GPU.
var idle = map[string]string{
	"MGPU_DRIVER": "hip soft", "MGPU_DEVICE": "0", "MGPU_CACHE": "on", "MGPU_GRAPH": "off", "MGPU_MEM_CACHE": "strict",
}

// NotForHIP returns, in their order, the settings in an environment ("NAME=value") that have no effect in a program
// that calls AMD's HIP and not mgpu. It does not return unknown names.
func NotForHIP(environment []string) (refused []string) {
	for _, v := range environment {
		name, value, _ := strings.Cut(strings.Map(printable, v), "=")
		if Find(name) == nil || slices.Contains(onHIP, name) || value == "" || slices.Contains(strings.Fields(idle[name]), value) {
			continue
		}
		if file, ok := ParseFile(value); ok && file == "" && slices.Contains(files, name) {
			continue
		}
		refused = append(refused, fmt.Sprintf("%s=%.60s", name, value))
	}
	slices.Sort(refused)
	return refused
}

// WhyNotForHIP is the reason why such settings are refused.
const WhyNotForHIP = "obeyed in programs that call mgpu, and this one calls HIP alone"
