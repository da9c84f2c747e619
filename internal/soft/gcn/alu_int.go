package gcn

import (
	"math"
	"math/bits"
)

func movB32(d, a *Lanes) { *d = *a }

func notB32(d, a *Lanes) {
	for i := range d {
		d[i] = ^a[i]
	}
}

func portableAddU32(d, a, b *Lanes) {
	for i := range d {
		d[i] = a[i] + b[i]
	}
}

func portableSubU32(d, a, b *Lanes) {
	for i := range d {
		d[i] = a[i] - b[i]
	}
}

func portableSubrevU32(d, a, b *Lanes) {
	for i := range d {
		d[i] = b[i] - a[i]
	}
}

func portableAndB32(d, a, b *Lanes) {
	for i := range d {
		d[i] = a[i] & b[i]
	}
}

func portableOrB32(d, a, b *Lanes) {
	for i := range d {
		d[i] = a[i] | b[i]
	}
}

func portableXorB32(d, a, b *Lanes) {
	for i := range d {
		d[i] = a[i] ^ b[i]
	}
}

func xnorB32(d, a, b *Lanes) {
	for i := range d {
		d[i] = ^(a[i] ^ b[i])
	}
}

func portableLshlrevB32(d, a, b *Lanes) {
	for i := range d {
		d[i] = b[i] << (a[i] & 31)
	}
}

func portableLshrrevB32(d, a, b *Lanes) {
	for i := range d {
		d[i] = b[i] >> (a[i] & 31)
	}
}

func portableAshrrevI32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(int32(b[i]) >> (a[i] & 31))
	}
}

func portableMinI32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(min(int32(a[i]), int32(b[i])))
	}
}

func portableMaxI32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(max(int32(a[i]), int32(b[i])))
	}
}

func portableMinU32(d, a, b *Lanes) {
	for i := range d {
		d[i] = min(a[i], b[i])
	}
}

func portableMaxU32(d, a, b *Lanes) {
	for i := range d {
		d[i] = max(a[i], b[i])
	}
}

func portableMulLoU32(d, a, b *Lanes) {
	for i := range d {
		d[i] = a[i] * b[i]
	}
}

func mulHiU32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(uint64(a[i]) * uint64(b[i]) >> 32)
	}
}

func mulHiI32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(int64(int32(a[i])) * int64(int32(b[i])) >> 32)
	}
}

func mulU32U24(d, a, b *Lanes) {
	for i := range d {
		d[i] = (a[i] & 0xffffff) * (b[i] & 0xffffff)
	}
}

func madU32U24(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = (a[i]&0xffffff)*(b[i]&0xffffff) + c[i]
	}
}

func portableLshlAddU32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = a[i]<<(b[i]&31) + c[i]
	}
}

func portableAddLshlU32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = (a[i] + b[i]) << (c[i] & 31)
	}
}

func portableAdd3U32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = a[i] + b[i] + c[i]
	}
}

func portableLshlOrB32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = a[i]<<(b[i]&31) | c[i]
	}
}

func portableAndOrB32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = a[i]&b[i] | c[i]
	}
}

func portableOr3B32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = a[i] | b[i] | c[i]
	}
}

func xadU32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = (a[i] ^ b[i]) + c[i]
	}
}

func bfiB32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = a[i]&b[i] | ^a[i]&c[i]
	}
}

func bfeU32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = a[i] >> (b[i] & 31) & (1<<(c[i]&31) - 1)
	}
}

func bfeI32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = signedField(a[i], b[i]&31, c[i]&31)
	}
}

// signedField returns the sign-extended field of width bits from bit at; 0 where there is no width.
func signedField(v, at, width uint32) uint32 {
	if width == 0 {
		return 0
	}
	v = uint32(int32(v) >> at)
	up := 32 - width
	return uint32(int32(v<<up) >> up)
}

func alignbitB32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = uint32(join(b[i], a[i]) >> (c[i] & 31))
	}
}

func alignbyteB32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = uint32(join(b[i], a[i]) >> (c[i] & 3 * 8))
	}
}

func portableCndmaskB32(d, a, b *Lanes, in uint64) uint64 {
	for i := range d {
		take := -uint32(in >> uint(i) & 1)
		d[i] = a[i]&^take | b[i]&take
	}
	return 0
}

func portableAddCoU32(d, a, b *Lanes, _ uint64) (out uint64) {
	for i := range d {
		s := uint64(a[i]) + uint64(b[i])
		out |= s >> 32 << uint(i)
		d[i] = uint32(s)
	}
	return out
}

func portableAddcCoU32(d, a, b *Lanes, in uint64) (out uint64) {
	for i := range d {
		s := uint64(a[i]) + uint64(b[i]) + in>>uint(i)&1
		out |= s >> 32 << uint(i)
		d[i] = uint32(s)
	}
	return out
}

func portableSubCoU32(d, a, b *Lanes, _ uint64) (out uint64) {
	for i := range d {
		s := uint64(a[i]) - uint64(b[i])
		out |= s >> 63 << uint(i)
		d[i] = uint32(s)
	}
	return out
}

func portableSubbCoU32(d, a, b *Lanes, in uint64) (out uint64) {
	for i := range d {
		s := uint64(a[i]) - uint64(b[i]) - in>>uint(i)&1
		out |= s >> 63 << uint(i)
		d[i] = uint32(s)
	}
	return out
}

func subrevCoU32(d, a, b *Lanes, in uint64) uint64  { return subCoU32(d, b, a, in) }
func subbrevCoU32(d, a, b *Lanes, in uint64) uint64 { return subbCoU32(d, b, a, in) }

// saturatedCarry limits a carrier's sums to the range of an unsigned number.
func saturatedCarry(k carrier, limit uint32) carrier {
	return func(d, a, b *Lanes, in uint64) uint64 {
		out := k(d, a, b, in)
		for i := range d {
			if out>>uint(i)&1 != 0 {
				d[i] = limit
			}
		}
		return out
	}
}

func addSatU32(a, b uint32) uint32 {
	s, carry := bits.Add32(a, b, 0)
	return s | -carry
}

func subSatU32(a, b uint32) uint32 { return max(a, b) - b }

func addSatI32(a, b uint32) uint32 { return clampI32(int64(int32(a)) + int64(int32(b))) }
func subSatI32(a, b uint32) uint32 { return clampI32(int64(int32(a)) - int64(int32(b))) }

func clampI32(x int64) uint32  { return uint32(int32(min(max(x, math.MinInt32), math.MaxInt32))) }
func clampU32(x uint64) uint32 { return uint32(min(x, math.MaxUint32)) }

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

func min3[T int16 | uint16 | int32 | uint32](a, b, c T) T { return min(a, b, c) }
func max3[T int16 | uint16 | int32 | uint32](a, b, c T) T { return max(a, b, c) }
func med3[T int16 | uint16 | int32 | uint32](a, b, c T) T {
	return max(min(a, b), min(max(a, b), c))
}

func madI64I32(a, b, c uint64, _ bool) (uint64, bool) {
	p := int64(int32(a)) * int64(int32(b))
	s := p + int64(c)
	// Bit 64 of the sum of the sign-extended terms.
	_, carry := bits.Add64(uint64(p), c, 0)
	top := uint64(p)>>63 + c>>63 + carry
	return uint64(s), top&1 != 0
}

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

func bfmB32(a, b uint32) uint32 { return (1<<(a&31) - 1) << (b & 31) }

func bcntU32(a, b uint32) uint32 { return uint32(bits.OnesCount32(a)) + b }

// ffbhU32 counts the zeros before the first one from the top; no one: -1.
func ffbhU32(a uint32) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.LeadingZeros32(a))
}

func ffblB32(a uint32) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.TrailingZeros32(a))
}

// ffbhI32 counts the copies of the sign bit at the top; nothing but those: -1.
func ffbhI32(a uint32) uint32 { return ffbhU32(a ^ uint32(int32(a)>>31)) }

// permB32 picks bytes of the eight of a:b by the selectors in c.
func permB32(a, b, c uint32) (r uint32) {
	from := join(b, a)
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

func sadU8(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		x, y := a>>i&0xff, b>>i&0xff
		c += max(x, y) - min(x, y)
	}
	return c
}

func sadHiU8(a, b, c uint32) uint32 { return sadU8(a, b, 0)<<16 + c }

// msadU8 leaves out bytes whose reference, in b, is 0.
func msadU8(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		if x, y := a>>i&0xff, b>>i&0xff; y != 0 {
			c += max(x, y) - min(x, y)
		}
	}
	return c
}

func sadU16(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 16 {
		x, y := a>>i&0xffff, b>>i&0xffff
		c += max(x, y) - min(x, y)
	}
	return c
}

func sadU32(a, b, c uint32) uint32 { return max(a, b) - min(a, b) + c }

// lerpU8 averages bytes; a bit of c each decides whether halves round up.
func lerpU8(a, b, c uint32) (r uint32) {
	for i := 0; i < 32; i += 8 {
		r |= (a>>i&0xff + b>>i&0xff + c>>i&1) >> 1 << i
	}
	return r
}

func packB32F16(a, b, _ uint64) uint64 { return a&0xffff | b&0xffff<<16 }

func satPkU8I16(a uint32) uint32 {
	limit := func(x uint32) uint32 { return uint32(min(max(int16(x), 0), 255)) }
	return limit(a) | limit(a>>16)<<8
}

func subrevSatU32(a, b uint32) uint32 { return subSatU32(b, a) }
func subrev16(a, b uint16) uint16     { return b - a }
func subrevSatU16(a, b uint16) uint16 { return subSatU16(b, a) }
