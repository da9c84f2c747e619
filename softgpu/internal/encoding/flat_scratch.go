package encoding

import "github.com/mgpu-runtime/mgpu/softgpu/internal/wave"

// FlatScratch is the first register of flat_scratch.
func (s Set) FlatScratch() int {
	if s == GFX9 {
		return wave.FlatScratchLo
	}
	return wave.FlatScratch11
}
