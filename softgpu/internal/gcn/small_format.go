package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// byteFormat is what a name stands for on gfx942, and from gfx950 on.
type byteFormat struct{ old, ocp *alu.SmallFormat }

var (
	fp8 = byteFormat{&alu.FnuzE4M3, &alu.OcpE4M3}
	bf8 = byteFormat{&alu.FnuzE5M2, &alu.OcpE5M2}
)

func (f byteFormat) on(chip Chip) *alu.SmallFormat {
	if chip.atLeast(Gfx950) {
		return f.ocp
	}
	return f.old
}
