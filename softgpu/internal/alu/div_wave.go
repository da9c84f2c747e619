package alu

// Divisions whose operands are far from the ends of the exponent range, as nearly all are: no operand is scaled, and no
// quotient is special.

// divisionLimits are the limits of a format's biased exponents, read from the upper 32 bits of a number. By index:
//
//	0, 1  least and greatest of the numerator
//	2, 3  least and greatest of the denominator
//	4, 5  how much the denominator's may be greater, and less, than the numerator's
//	6     how much it may be greater without a quotient of 0
//	7     the greatest quotient
//	8     the shift right that leaves the exponent, after a shift left by one that removes the sign
type divisionLimits [9]uint32

// Limits within which quotients of halves, singles and doubles need no care.
var (
	divisions16 = divisionLimits{1: 30, 2: 1, 6: 25, 7: 0x7c000000, 8: 27} // for quotients, no more
	Divisions32 = divisionLimits{25, 254, 1, 252, 95, 95, 150, 0x7f800000, 24}
	Divisions64 = divisionLimits{54, 2046, 1, 2044, 767, 767, 1075, 0x7fefffff, 21}
)

// portablePlainDivision reports whether scaling.scale changes no lane of n divided by d.
func portablePlainDivision(n, d *Lanes, of *divisionLimits) bool {
	bad := uint32(0)
	for l := range n {
		en, ed := n[l]<<1>>(of[8]&31), d[l]<<1>>(of[8]&31)
		bad |= (en - of[0]) | (of[1] - en) | (ed - of[2]) | (of[3] - ed) | (en - ed + of[4]) | (of[5] - en + ed)
	}
	return bad>>31 == 0
}

// portableFixupPlain is Arithmetic.Fixup for lanes whose operands are neither 0, denormal, infinite nor NaN and whose
// quotients are in range. If a lane is different, it writes nothing and returns false.
func portableFixupPlain(to, q, d, n *Lanes, of *divisionLimits) bool {
	bad := uint32(0)
	for l := range n {
		en, ed := n[l]<<1>>(of[8]&31), d[l]<<1>>(of[8]&31)
		bad |= (en - of[2]) | (of[1] - en) | (ed - of[2]) | (of[1] - ed) | (en - ed + of[6]) | (of[7] - q[l]&^(1<<31))
	}
	if bad>>31 != 0 {
		return false
	}
	for l := range to {
		to[l] = (d[l]^n[l])&(1<<31) | q[l]&^(1<<31)
	}
	return true
}

// FixupF64 computes v_div_fixup_f64.
func FixupF64(dl, dh, al, ah, bl, bh, cl, ch *Lanes) {
	if al != dh && FixupPlain(dh, ah, bh, ch, &Divisions64) {
		*dl = *al
		return
	}
	for l := range dl {
		r := divFixupF64(Join(al[l], ah[l]), Join(bl[l], bh[l]), Join(cl[l], ch[l]))
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

// FixupF16 is v_div_fixup_f16, whose fast way has halves in the upper half of each lane.
func FixupF16(temp *[4]Pair, d, a, b, c *Lanes) {
	x, y, z := &temp[0][1], &temp[1][1], &temp[2][1]
	LshlrevB32(x, &Sixteens, a)
	LshlrevB32(y, &Sixteens, b)
	LshlrevB32(z, &Sixteens, c)
	if FixupPlain(d, x, y, z, &divisions16) {
		LshrrevB32(d, &Sixteens, d)
		return
	}
	Bits3(d, a, b, c, divFixupF16)
}
