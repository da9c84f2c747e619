package encoding

import "math/bits"

// HighBits are the upper two bits of the numbers of vector registers in GFX12.5, of which instructions have the lower
// eight: those of the first, second and third source and of the destination, from bit 0 on. s_set_vgpr_msb sets them
// for the instructions after it, and so does a write to their field of MODE, where the destination comes first.
type HighBits uint8

// HighBitsField are the bits of MODE that hold the high bits.
const (
	HighBitsField = 0xff << highBitsAt
	highBitsAt    = 12
)

// inMode returns the field of MODE for the bits.
func (h HighBits) inMode() uint32 { return uint32(bits.RotateLeft8(uint8(h), 2)) << highBitsAt }

// Mode returns the bits of MODE that the high bits of i are.
func (i *Inst) Mode() uint32 { return i.High.inMode() }

// Roles of operands: which high bits are theirs.
const (
	roleSrc0 = iota
	roleSrc1
	roleSrc2
	roleDst
	noRole
)

// Raise gives the vector registers of i the high bits of their numbers.
func (h HighBits) Raise(i *Inst) {
	if h == 0 {
		return
	}
	i.High = h
	h.raise(&i.Dst, roleDst)
	for n := range i.Src {
		h.raise(&i.Src[n], i.role(n))
	}
	if i.Second != nil {
		h.Raise(i.Second)
	}
}

func (h HighBits) raise(o *Operand, role int) {
	if o.Kind == VReg && role != noRole {
		o.Reg |= uint16(h>>(2*role)&3) << 8
	}
}

// role returns which high bits source n has. Those of memory instructions follow from its field.
func (i *Inst) role(n int) int {
	s := &i.Row.Form.Src[n]
	switch i.Enc {
	case DS:
		switch s.Place {
		case AtAddr:
			return roleSrc0
		case AtData0:
			return roleSrc1
		case AtData1:
			return roleSrc2
		}
	case FLAT:
		switch s.Place {
		case AtAddr:
			return roleSrc0
		case AtData0:
			return roleSrc1
		case AtVdst:
			return roleDst
		}
	case MUBUF:
		if s.Place == AtAddr {
			return roleSrc0
		}
		return roleDst
	case VOP1, VOP2, VOPC, VOP3, VOP3P, VOP3PX, VOPD, VOPDY, VOPD3, VOPD3Y:
		if n < roleDst && !i.Row.Form.Has(Scales) {
			return n
		}
	}
	return noRole
}

// After returns the high bits for the instruction after i. Ends of a program set none: what follows is reached by
// branches.
func (h HighBits) After(i *Inst) HighBits {
	switch {
	case i.Chip.Set() != GFX1250:
		return 0
	case i.Enc == SOPP:
		switch i.Row.Name {
		case "s_set_vgpr_msb":
			return HighBits(i.Imm)
		case "s_endpgm", "s_endpgm_saved":
			return 0
		}
	case i.Enc == SOPK && i.Row.Name == "s_setreg_imm32_b32":
		if field, v := i.setsHighBits(); field != 0 {
			return HighBits(bits.RotateLeft8(uint8((h.inMode()&^field|v&field)>>highBitsAt), -2))
		}
	}
	return h
}

// setsHighBits returns which of the bits in MODE s_setreg_imm32_b32 sets, and to what.
func (i *Inst) setsHighBits() (field, v uint32) {
	const mode = 1
	x := uint32(i.Imm)
	at, width := x>>6&31, x>>11&31+1
	switch {
	case x&63 != mode || i.Src[0].Kind != Const:
		return 0, 0
	case i.Chip.AnyWriteSetsHighBits():
		return HighBitsField, i.Src[0].Value
	}
	return uint32((uint64(1)<<width-1)<<at) & HighBitsField, i.Src[0].Value << at
}

// AnyWriteSetsHighBits reports whether every s_setreg to MODE, whatever its field is, sets the high bits of registers to
// bits 19:12 of its source. LLVM's name of that fault of gfx1250 is setreg-vgpr-msb-fixup.
func (c Chip) AnyWriteSetsHighBits() bool { return c.Model() == Gfx1250 }
