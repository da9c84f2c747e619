package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// ByteFormat has the formats of a name on gfx942, and from gfx950 on.
type ByteFormat struct{ old, ocp *alu.SmallFormat }

var (
	// FP8 is the format of v_cvt_f32_fp8 and its like.
	FP8 = ByteFormat{&alu.FnuzE4M3, &alu.OcpE4M3}
	// BF8 is the format of v_cvt_f32_bf8 and its like.
	BF8 = ByteFormat{&alu.FnuzE5M2, &alu.OcpE5M2}
)

func (f ByteFormat) on(chip encoding.Chip) *alu.SmallFormat {
	if chip.AtLeast(encoding.Gfx950) || chip.RDNA() {
		return f.ocp
	}
	return f.old
}
