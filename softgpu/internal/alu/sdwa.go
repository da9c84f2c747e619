package alu

// Parts of a register that SDWA forms read and write.
const (
	SelByte0 = iota
	SelByte1
	SelByte2
	SelByte3
	SelWord0
	SelWord1
	SelDword
)

// What becomes of the bits of a destination that an SDWA form does not select.
const (
	UnusedPad = iota
	UnusedSext
	UnusedPreserve
)

func partOf(sel uint8) (shift, bits uint32) {
	switch {
	case sel <= SelByte3:
		return uint32(sel) * 8, 8
	case sel <= SelWord1:
		return uint32(sel-SelWord0) * 16, 16
	}
	return 0, 32
}

// SelectPart moves the part of each lane that SDWA selects to the low end.
func SelectPart(l *Lanes, sel uint8, sext bool) {
	shift, bits := partOf(sel)
	up := 32 - bits
	for i, v := range l {
		v = v >> shift << up
		if sext {
			l[i] = uint32(int32(v) >> up)
		} else {
			l[i] = v >> up
		}
	}
}

// MergePart puts the low bits of r's lanes into the selected part of old's.
func MergePart(r, old *Lanes, sel, unused uint8) {
	shift, bits := partOf(sel)
	mask := uint32(1<<bits - 1)
	for i, v := range r {
		v &= mask
		switch unused {
		case UnusedPreserve:
			r[i] = old[i]&^(mask<<shift) | v<<shift
		case UnusedSext:
			r[i] = uint32(int32(v<<(32-bits))>>(32-bits)) << shift
		default:
			r[i] = v << shift
		}
	}
}
