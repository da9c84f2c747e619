package encoding

import "github.com/mgpu-runtime/mgpu/softgpu/internal/wave"

// Waits reads the counters of s_waitcnt.
func (s Set) Waits(v uint32) wave.WaitCounts {
	if s == GFX9 {
		return wave.WaitCounts{Vector: v&15 | v>>14&3<<4, Export: v >> 4 & 7, Workgroup: v >> 8 & 15}
	}
	if s == GFX10 {
		return wave.WaitCounts{Vector: v&15 | v>>14&3<<4, Export: v >> 4 & 7, Workgroup: v >> 8 & 63}
	}
	return wave.WaitCounts{Vector: v >> 10 & 63, Export: v & 7, Workgroup: v >> 4 & 63}
}
