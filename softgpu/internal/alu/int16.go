package alu

import "math"

// Add16 computes v_add_i16 and its like.
func Add16(a, b uint16) uint16 { return a + b }

// Sub16 computes v_sub_i16 and its like.
func Sub16(a, b uint16) uint16 { return a - b }

// MulLo16 computes v_mul_lo_u16 and v_pk_mul_lo_u16.
func MulLo16(a, b uint16) uint16 { return a * b }

// AddSatU16 computes v_add_u16 and v_pk_add_u16.
func AddSatU16(a, b uint16) uint16 { return uint16(min(uint32(a)+uint32(b), math.MaxUint16)) }

// SubSatU16 computes v_sub_u16 and v_pk_sub_u16.
func SubSatU16(a, b uint16) uint16 { return max(a, b) - b }
func clampI16(x int32) int16       { return int16(min(max(x, math.MinInt16), math.MaxInt16)) }

// AddSatI16 computes v_add_i16 and v_pk_add_i16.
func AddSatI16(a, b int16) int16 { return clampI16(int32(a) + int32(b)) }

// SubSatI16 computes v_sub_i16 and v_pk_sub_i16.
func SubSatI16(a, b int16) int16 { return clampI16(int32(a) - int32(b)) }

// MadSatU16 computes v_mad_u16 and its like.
func MadSatU16(a, b, c uint16) uint16 {
	return uint16(min(uint64(a)*uint64(b)+uint64(c), math.MaxUint16))
}

// MadSatI16 computes v_mad_i16 and its like.
func MadSatI16(a, b, c int16) int16 {
	return int16(min(max(int64(a)*int64(b)+int64(c), math.MinInt16), math.MaxInt16))
}

// Mad16 computes v_mad_u16 and its like.
func Mad16(a, b, c uint16) uint16 { return a*b + c }

// Lshlrev16 computes v_lshlrev_b16 and v_pk_lshlrev_b16.
func Lshlrev16(a, b uint16) uint16 { return b << (a & 15) }

// Lshrrev16 computes v_lshrrev_b16 and v_pk_lshrrev_b16.
func Lshrrev16(a, b uint16) uint16 { return b >> (a & 15) }

// Ashrrev16 computes v_ashrrev_i16 and v_pk_ashrrev_i16.
func Ashrrev16(a, b uint16) uint16 { return uint16(int16(b) >> (a & 15)) }

// MinU16 computes v_min_u16 and v_pk_min_u16.
func MinU16(a, b uint16) uint16 { return min(a, b) }

// MaxU16 computes v_max_u16 and v_pk_max_u16.
func MaxU16(a, b uint16) uint16 { return max(a, b) }

// MinI16 computes v_min_i16.
func MinI16(a, b int16) int16 { return min(a, b) }

// MaxI16 computes v_max_i16.
func MaxI16(a, b int16) int16 { return max(a, b) }

func portablePkMinI16(d, a, b *Lanes)   { Pairs2(d, a, b, MinI16) }
func portablePkMaxI16(d, a, b *Lanes)   { Pairs2(d, a, b, MaxI16) }
func portablePkMad16(d, a, b, c *Lanes) { Pairs3(d, a, b, c, Mad16) }
