package alu

import (
	"math"
	"math/bits"
)

// BfmB32 computes v_bfm_b32.
func BfmB32(a, b uint32) uint32 { return (1<<(a&31) - 1) << (b & 31) }

// FfbhU32 counts the zeros before the first one from the top; no one: -1.
func FfbhU32(a uint32) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.LeadingZeros32(a))
}

// FfblB32 computes v_ffbl_b32.
func FfblB32(a uint32) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.TrailingZeros32(a))
}

// FfbhI32 counts the copies of the sign bit at the top; nothing but those: -1.
func FfbhI32(a uint32) uint32 { return FfbhU32(a ^ uint32(int32(a)>>31)) }

// permLane picks bytes of the eight of a:b by the selectors in c.
func permLane(a, b, c uint32) (r uint32) {
	from := Join(b, a)
	for i := 0; i < 32; i += 8 {
		var v uint32
		switch sel := c >> i & 0xff; {
		case sel < 8:
			v = uint32(from>>(sel*8)) & 0xff
		case sel < 12:
			v = -uint32(from>>((sel-8)*16+15)&1) & 0xff
		case sel > 12:
			v = 0xff
		}
		r |= v << i
	}
	return r
}

func sadLane(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		x, y := a>>i&0xff, b>>i&0xff
		c += max(x, y) - min(x, y)
	}
	return c
}

func sadHiLane(a, b, c uint32) uint32 { return sadLane(a, b, 0)<<16 + c }

// msadLane leaves out bytes whose reference, in b, is 0.
func msadLane(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		if x, y := a>>i&0xff, b>>i&0xff; y != 0 {
			c += max(x, y) - min(x, y)
		}
	}
	return c
}

// OnePairs has a 1 in each half of a lane. Never written.
var OnePairs = LanesOf(1<<16 | 1)

// BytesFrom returns four bytes from byte n of two words on, in d unless they are a word.
func BytesFrom(d, lo, hi *Lanes, n int) *Lanes {
	if n == 0 {
		return lo
	}
	LshrrevB32(d, &Shifts[8*n], lo)
	LshlOrB32(d, hi, &Shifts[32-8*n], d)
	return d
}

func sad16Lane(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 16 {
		x, y := a>>i&0xffff, b>>i&0xffff
		c += max(x, y) - min(x, y)
	}
	return c
}

// SadU32 computes v_sad_u32.
func SadU32(a, b, c uint32) uint32 { return max(a, b) - min(a, b) + c }

// lerpLane averages bytes; a bit of c each decides whether halves round up.
func lerpLane(a, b, c uint32) (r uint32) {
	for i := 0; i < 32; i += 8 {
		r |= (a>>i&0xff + b>>i&0xff + c>>i&1) >> 1 << i
	}
	return r
}

// PackB32F16 computes v_pack_b32_f16.
func PackB32F16(a, b, _ uint64) uint64 { return a&0xffff | b&0xffff<<16 }

// SubrevSatU32 computes v_subrev_u32.
func SubrevSatU32(a, b uint32) uint32 { return SubSatU32(b, a) }

// Subrev16 computes v_subrev_u16.
func Subrev16(a, b uint16) uint16 { return b - a }

// SubrevSatU16 computes v_subrev_u16.
func SubrevSatU16(a, b uint16) uint16 { return SubSatU16(b, a) }

func portablePermB32(d, a, b, c *Lanes) { Each3(d, a, b, c, permLane) }
func portableSadU8(d, a, b, c *Lanes)   { Each3(d, a, b, c, sadLane) }
func portableSadHiU8(d, a, b, c *Lanes) { Each3(d, a, b, c, sadHiLane) }
func portableMsadU8(d, a, b, c *Lanes)  { Each3(d, a, b, c, msadLane) }
func portableSadU16(d, a, b, c *Lanes)  { Each3(d, a, b, c, sad16Lane) }
func portableLerpU8(d, a, b, c *Lanes)  { Each3(d, a, b, c, lerpLane) }
