package gcn

func signed24(x uint32) int64 { return int64(int32(x<<8) >> 8) }

func mulI32I24(a, b uint32) uint32   { return uint32(signed24(a) * signed24(b)) }
func mulHiI32I24(a, b uint32) uint32 { return uint32(uint64(signed24(a)*signed24(b)) >> 32) }
func mulHiU32U24(a, b uint32) uint32 {
	return uint32(uint64(a&0xffffff) * uint64(b&0xffffff) >> 32)
}
func madI32I24(a, b, c uint32) uint32 { return uint32(signed24(a)*signed24(b)) + c }
func madSatI32I24(a, b, c uint32) uint32 {
	return clampI32(signed24(a)*signed24(b) + int64(int32(c)))
}
func madSatU32U24(a, b, c uint32) uint32 {
	return clampU32(uint64(a&0xffffff)*uint64(b&0xffffff) + uint64(c))
}
func mulSatI32I24(a, b uint32) uint32 { return clampI32(signed24(a) * signed24(b)) }
func mulSatU32U24(a, b uint32) uint32 { return clampU32(uint64(a&0xffffff) * uint64(b&0xffffff)) }

func madU32U16(a, b, c uint64) uint64 { return uint64(uint16(a))*uint64(uint16(b)) + c }
func madI32I16(a, b, c uint64) uint64 { return uint64(int64(int16(a))*int64(int16(b))) + c }
func madSatU32U16(a, b, c uint64) uint64 {
	return uint64(clampU32(uint64(uint16(a))*uint64(uint16(b)) + c))
}
func madSatI32I16(a, b, c uint64) uint64 {
	return uint64(clampI32(int64(int16(a))*int64(int16(b)) + int64(int32(c))))
}
