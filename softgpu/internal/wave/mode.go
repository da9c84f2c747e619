package wave

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// Bits of the MODE register.
const (
	GPRIndex = 1 << 27
	vskip    = 1 << 28
)

// UnsupportedMode tells what of a MODE register value the instructions here
// can not do; "" if they can do all of it.
func UnsupportedMode(mode uint32) string {
	if mode&vskip != 0 {
		return "skipping vector instructions (VSKIP) is not simulated"
	}
	return ""
}

// UsualMode reports whether instructions bound without modes follow a MODE.
func UsualMode(mode uint32) bool { return mode&alu.FloatMode == alu.UsualMode }
