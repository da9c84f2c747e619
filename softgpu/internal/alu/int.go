package alu

import "math/bits"

// allOnes has every bit set. Never written.
var allOnes = LanesOf(1<<32 - 1)

// NotB32 computes v_not_b32.
func NotB32(d, a *Lanes) { XorB32(d, a, &allOnes) }

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

// XnorB32 computes v_xnor_b32.
func XnorB32(d, a, b *Lanes) {
	XorB32(d, a, b)
	XorB32(d, d, &allOnes)
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

// MulHiU32 computes v_mul_hi_u32.
func MulHiU32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(uint64(a[i]) * uint64(b[i]) >> 32)
	}
}

// MulHiI32 computes v_mul_hi_i32.
func MulHiI32(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(int64(int32(a[i])) * int64(int32(b[i])) >> 32)
	}
}

// MulU32U24 computes v_mul_u32_u24.
func MulU32U24(temp *[4]Pair, d, a, b, _ *Lanes) {
	y := &temp[0][1]
	AndB32(d, a, &low24)
	AndB32(y, b, &low24)
	MulLoU32(d, d, y)
}

var low24 = LanesOf(1<<24 - 1) // never written

// MadU32U24 computes v_mad_u32_u24.
func MadU32U24(temp *[4]Pair, d, a, b, c *Lanes) {
	MulU32U24(temp, d, a, b, nil)
	AddU32(d, d, c)
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

// XadU32 computes v_xad_u32.
func XadU32(_ *[4]Pair, d, a, b, c *Lanes) {
	XorB32(d, a, b)
	AddU32(d, d, c)
}

// BfiB32 takes the bits of b where a has ones, and those of c elsewhere.
var BfiB32 = TruthTable(0xca)

// BfeU32 computes v_bfe_u32.
func BfeU32(temp *[4]Pair, d, a, b, c *Lanes) {
	above := &temp[0][1]
	LshrrevB32(d, b, a)
	LshlrevB32(above, c, &allOnes)
	AndB32(above, above, d)
	XorB32(d, d, above)
}

// BfeI32 computes v_bfe_i32.
func BfeI32(d, a, b, c *Lanes) {
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

// AlignbitB32 computes v_alignbit_b32.
func AlignbitB32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = uint32(Join(b[i], a[i]) >> (c[i] & 31))
	}
}

// AlignbyteB32 computes v_alignbyte_b32.
func AlignbyteB32(d, a, b, c *Lanes) {
	for i := range d {
		d[i] = uint32(Join(b[i], a[i]) >> (c[i] & 3 * 8))
	}
}

// Bcnt computes v_bcnt_u32_b32.
func Bcnt(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(bits.OnesCount32(a[i])) + b[i]
	}
}

func portableAlterBits(l *Lanes, clear, flip uint32) {
	for i := range l {
		l[i] = l[i]&^clear ^ flip
	}
}
