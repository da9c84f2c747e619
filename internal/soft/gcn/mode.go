package gcn

// Bits of the MODE register. Of the rounding modes only 0, to the nearest, is
// simulated.
const (
	roundModes   = 15
	denormIn32   = 1 << 4
	denormOut32  = 1 << 5
	denorms32    = denormIn32 | denormOut32
	denorms64    = 3 << 6
	dx10Clamp    = 1 << 8
	ieeeMode     = 1 << 9
	halfOverflow = 1 << 23 // FP16_OVFL
	gprIndex     = 1 << 27
)

// UnsupportedMode tells what of a MODE register value the instructions here
// can not do; "" if they can do all of it.
func UnsupportedMode(mode uint32) string {
	switch {
	case mode&roundModes != 0:
		return "rounding other than to the nearest is not simulated"
	case mode&denorms64 != denorms64:
		return "flushing denormals of f64 and f16 is not simulated"
	case mode&halfOverflow != 0:
		return "f16 results that stay finite when they overflow are not simulated"
	}
	return ""
}

func flushDenorms(l *Lanes) {
	for i, v := range l {
		if v&0x7f800000 == 0 {
			l[i] = v & (1 << 31)
		}
	}
}
