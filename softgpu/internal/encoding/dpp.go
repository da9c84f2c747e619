package encoding

// DPP control values.
const (
	dppRowShl     = 0x100
	dppRowShr     = 0x110
	dppRowRor     = 0x120
	dppWaveShl    = 0x130
	dppWaveRol    = 0x134
	dppWaveShr    = 0x138
	dppWaveRor    = 0x13c
	dppMirror     = 0x140
	dppHalfMirror = 0x141
	dppBcast15    = 0x142
	dppBcast31    = 0x143
	DPPNewBcast   = 0x150 // RDNA's row_share
	dppXmask      = 0x160
)

// DPPKnown reports whether DPPSource knows the control.
func DPPKnown(ctrl int) bool {
	n := ctrl & 15
	switch ctrl &^ 15 {
	case dppRowShl, dppRowShr, dppRowRor:
		return n != 0
	case dppWaveShl:
		return n%4 == 0
	case dppMirror:
		return n <= 3
	case DPPNewBcast, dppXmask:
		return true
	}
	return ctrl < dppRowShl
}

// DPPSource returns the lane that a lane reads by a DPP control, or -1.
func DPPSource(ctrl, lane int) int {
	row, at, n := lane&^15, lane&15, ctrl&15
	within := func(at int) int {
		if at < 0 || at > 15 {
			return -1
		}
		return row + at
	}
	switch {
	case ctrl < dppRowShl:
		return lane&^3 + ctrl>>(lane%4*2)&3
	case ctrl < dppRowShr:
		return within(at + n)
	case ctrl < dppRowRor:
		return within(at - n)
	case ctrl < dppWaveShl:
		return row + (at-n)&15
	case ctrl == dppWaveShl && lane == 63, ctrl == dppWaveShr && lane == 0:
		return -1
	case ctrl == dppWaveShl, ctrl == dppWaveRol:
		return (lane + 1) & 63
	case ctrl == dppWaveShr, ctrl == dppWaveRor:
		return (lane - 1) & 63
	case ctrl == dppMirror:
		return row + 15 - at
	case ctrl == dppHalfMirror:
		return lane&^7 + 7 - lane&7
	case ctrl == dppBcast15 && row > 0:
		return row - 1
	case ctrl == dppBcast31 && lane >= 32:
		return 31
	case ctrl&^15 == DPPNewBcast:
		return row + n
	case ctrl&^15 == dppXmask:
		return row + at ^ n
	}
	return -1
}
