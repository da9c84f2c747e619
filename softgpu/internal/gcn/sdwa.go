package gcn

// Parts of a register that SDWA forms read and write.
const (
	selByte0 = iota
	selByte1
	selByte2
	selByte3
	selWord0
	selWord1
	selDword
)

// What becomes of the bits of a destination that an SDWA form does not select.
const (
	unusedPad = iota
	unusedSext
	unusedPreserve
)

func partOf(sel uint8) (shift, bits uint32) {
	switch {
	case sel <= selByte3:
		return uint32(sel) * 8, 8
	case sel <= selWord1:
		return uint32(sel-selWord0) * 16, 16
	}
	return 0, 32
}

func selectPart(l *Lanes, sel uint8, sext bool) {
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

// mergePart puts the low bits of r's lanes into the selected part of old's.
func mergePart(r, old *Lanes, sel, unused uint8) {
	shift, bits := partOf(sel)
	mask := uint32(1<<bits - 1)
	for i, v := range r {
		v &= mask
		switch unused {
		case unusedPreserve:
			r[i] = old[i]&^(mask<<shift) | v<<shift
		case unusedSext:
			r[i] = uint32(int32(v<<(32-bits))>>(32-bits)) << shift
		default:
			r[i] = v << shift
		}
	}
}
