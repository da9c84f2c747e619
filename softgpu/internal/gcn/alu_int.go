package gcn

import "math/bits"

// allOnes has every bit set. Never written.
var allOnes = lanesOf(1<<32 - 1)

func notB32(d, a *Lanes) { xorB32(d, a, &allOnes) }

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
	xorB32(d, a, b)
	xorB32(d, d, &allOnes)
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

func mulU32U24(temp *[4]Pair, d, a, b, _ *Lanes) {
	y := &temp[0][1]
	andB32(d, a, &low24)
	andB32(y, b, &low24)
	mulLoU32(d, d, y)
}

var low24 = lanesOf(1<<24 - 1) // never written

func madU32U24(temp *[4]Pair, d, a, b, c *Lanes) {
	mulU32U24(temp, d, a, b, nil)
	addU32(d, d, c)
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

func xadU32(_ *[4]Pair, d, a, b, c *Lanes) {
	xorB32(d, a, b)
	addU32(d, d, c)
}

// bfiB32 takes the bits of b where a has ones, and those of c elsewhere.
var bfiB32 = truthTable(0xca)

func bfeU32(temp *[4]Pair, d, a, b, c *Lanes) {
	above := &temp[0][1]
	lshrrevB32(d, b, a)
	lshlrevB32(above, c, &allOnes)
	andB32(above, above, d)
	xorB32(d, d, above)
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

func bcnt(d, a, b *Lanes) {
	for i := range d {
		d[i] = uint32(bits.OnesCount32(a[i])) + b[i]
	}
}

func portableAlterBits(l *Lanes, clear, flip uint32) {
	for i := range l {
		l[i] = l[i]&^clear ^ flip
	}
}
