package wave

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// Bits of the MODE register.
const (
	GPRIndex = 1 << 27
	vskip    = 1 << 28

	// ModeOfGFX9 are the bits with a meaning on GFX9 only. On RDNA they are zero: one switches performance counters
	// there, and one does not exist.
	ModeOfGFX9 = GPRIndex | vskip
)

// unsupportedMode says what of a MODE value is not supported; "" if everything is.
func unsupportedMode(mode uint32) string {
	if mode&vskip != 0 {
		return "skipping vector instructions (VSKIP) is not simulated"
	}
	return ""
}

// UsualMode reports whether instructions that are bound without modes follow a MODE.
func UsualMode(mode uint32) bool { return mode&alu.FloatMode == alu.UsualMode }
