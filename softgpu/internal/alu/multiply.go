package alu

func signed24(x uint32) int64 { return int64(int32(x<<8) >> 8) }

// MulI32I24 computes v_mul_i32_i24.
func MulI32I24(a, b uint32) uint32 { return uint32(signed24(a) * signed24(b)) }

// MulHiI32I24 computes v_mul_hi_i32_i24.
func MulHiI32I24(a, b uint32) uint32 { return uint32(uint64(signed24(a)*signed24(b)) >> 32) }

// MulHiU32U24 computes v_mul_hi_u32_u24.
func MulHiU32U24(a, b uint32) uint32 {
	return uint32(uint64(a&0xffffff) * uint64(b&0xffffff) >> 32)
}

// MadI32I24 computes v_mad_i32_i24.
func MadI32I24(a, b, c uint32) uint32 { return uint32(signed24(a)*signed24(b)) + c }

// MadSatI32I24 computes v_mad_i32_i24.
func MadSatI32I24(a, b, c uint32) uint32 {
	return clampI32(signed24(a)*signed24(b) + int64(int32(c)))
}

// MadSatU32U24 computes v_mad_u32_u24.
func MadSatU32U24(a, b, c uint32) uint32 {
	return clampU32(uint64(a&0xffffff)*uint64(b&0xffffff) + uint64(c))
}

// MulSatI32I24 computes v_mul_i32_i24.
func MulSatI32I24(a, b uint32) uint32 { return clampI32(signed24(a) * signed24(b)) }

// MulSatU32U24 computes v_mul_u32_u24.
func MulSatU32U24(a, b uint32) uint32 { return clampU32(uint64(a&0xffffff) * uint64(b&0xffffff)) }

// MadU32U16 computes v_mad_u32_u16.
func MadU32U16(a, b, c uint64) uint64 { return uint64(uint16(a))*uint64(uint16(b)) + c }

// MadI32I16 computes v_mad_i32_i16.
func MadI32I16(a, b, c uint64) uint64 { return uint64(int64(int16(a))*int64(int16(b))) + c }

// MadSatU32U16 computes v_mad_u32_u16.
func MadSatU32U16(a, b, c uint64) uint64 {
	return uint64(clampU32(uint64(uint16(a))*uint64(uint16(b)) + c))
}

// MadSatI32I16 computes v_mad_i32_i16.
func MadSatI32I16(a, b, c uint64) uint64 {
	return uint64(clampI32(int64(int16(a))*int64(int16(b)) + int64(int32(c))))
}
