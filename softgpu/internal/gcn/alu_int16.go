package gcn

import "math"

func add16(a, b uint16) uint16   { return a + b }
func sub16(a, b uint16) uint16   { return a - b }
func mulLo16(a, b uint16) uint16 { return a * b }

func addSatU16(a, b uint16) uint16 { return uint16(min(uint32(a)+uint32(b), math.MaxUint16)) }
func subSatU16(a, b uint16) uint16 { return max(a, b) - b }
func clampI16(x int32) int16       { return int16(min(max(x, math.MinInt16), math.MaxInt16)) }
func addSatI16(a, b int16) int16   { return clampI16(int32(a) + int32(b)) }
func subSatI16(a, b int16) int16   { return clampI16(int32(a) - int32(b)) }

func madSatU16(a, b, c uint16) uint16 {
	return uint16(min(uint64(a)*uint64(b)+uint64(c), math.MaxUint16))
}

func madSatI16(a, b, c int16) int16 {
	return int16(min(max(int64(a)*int64(b)+int64(c), math.MinInt16), math.MaxInt16))
}

func mad16(a, b, c uint16) uint16 { return a*b + c }

func lshlrev16(a, b uint16) uint16 { return b << (a & 15) }
func lshrrev16(a, b uint16) uint16 { return b >> (a & 15) }
func ashrrev16(a, b uint16) uint16 { return uint16(int16(b) >> (a & 15)) }

func minU16(a, b uint16) uint16 { return min(a, b) }
func maxU16(a, b uint16) uint16 { return max(a, b) }
func minI16(a, b int16) int16   { return min(a, b) }
func maxI16(a, b int16) int16   { return max(a, b) }

func portablePkMinI16(d, a, b *Lanes)   { pairs2(d, a, b, minI16) }
func portablePkMaxI16(d, a, b *Lanes)   { pairs2(d, a, b, maxI16) }
func portablePkMad16(d, a, b, c *Lanes) { pairs3(d, a, b, c, mad16) }
