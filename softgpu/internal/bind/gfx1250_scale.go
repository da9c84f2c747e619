package bind

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// scaleChoice says which bytes scale the numbers of v_cvt_scale_pk8 and its like: those of 16 lanes, the same for both
// halves of the wave. Inactive lanes are read, too. (The operation scaled_ext_packed_matrix of MLIR's amdgpu dialect.)
type scaleChoice struct {
	lane int     // the first one
	byte [2]uint // for the lower and the upper half of the wave
}

// scaleChoiceOf reads scale_sel, for numbers of so many bits; nil: it is reserved, or not known.
func scaleChoiceOf(bits uint, sel uint8) *scaleChoice {
	if bits == 8 {
		first, half := uint(sel>>1&3), int(sel>>3)
		if sel&1 != 0 || half == 1 && first == 0 {
			return nil
		}
		return &scaleChoice{16 * half, [2]uint{first, first}}
	}
	c := &scaleChoice{lane: 16 * int(sel>>2&1)}
	switch sel &^ 4 {
	case 0: // a scale for 32 numbers
		c.byte = [2]uint{0, 1}
	case 2:
		c.byte = [2]uint{2, 3}
	case 1: // for 16 numbers
		c.byte = [2]uint{0, 2}
	default:
		return nil
	}
	return c
}

// of makes the scales of all lanes, as exponents of singles.
func (c *scaleChoice) of(d, from *alu.Lanes) *alu.Lanes {
	for l := range 32 {
		d[l] = from[c.lane+l%16] >> (8 * c.byte[l/16]) & 0xff << 23
	}
	return d
}
