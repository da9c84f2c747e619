package alu

// ClassTester returns the lanes whose number, of at most 64 bits, belongs to a class that b has a bit for.
type ClassTester func(al, ah, b *Lanes) uint64

func portableEqual32(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= (uint64(a[i]^b[i]) - 1) >> 63 << uint(i)
	}
	return m
}

func portableLessU32(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= (uint64(a[i]) - uint64(b[i])) >> 63 << uint(i)
	}
	return m
}

func portableLessI32(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= uint64(int64(int32(a[i]))-int64(int32(b[i]))) >> 63 << uint(i)
	}
	return m
}

// Equal16 compares the low halves.
func Equal16(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= (uint64(uint16(a[i]^b[i])) - 1) >> 63 << uint(i)
	}
	return m
}

// LessU16 compares the low halves, unsigned.
func LessU16(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= (uint64(uint16(a[i])) - uint64(uint16(b[i]))) >> 63 << uint(i)
	}
	return m
}

// LessI16 compares the low halves, signed.
func LessI16(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= uint64(int64(int16(a[i]))-int64(int16(b[i]))) >> 63 << uint(i)
	}
	return m
}

// AsBit is 1 if b holds.
func AsBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func portableLessF32(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= AsBit(Float(a[i]) < Float(b[i])) << uint(i)
	}
	return m
}

func portableAtMostF32(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= AsBit(Float(a[i]) <= Float(b[i])) << uint(i)
	}
	return m
}

func portableEqualF32(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= AsBit(Float(a[i]) == Float(b[i])) << uint(i)
	}
	return m
}

// portableUnequalF32 is "less or greater": false where a NaN is.
func portableUnequalF32(a, b *Lanes) (m uint64) {
	for i := range a {
		x, y := Float(a[i]), Float(b[i])
		m |= (AsBit(x < y) | AsBit(x > y)) << uint(i)
	}
	return m
}

func portableOrderedF32(a, b *Lanes) (m uint64) {
	for i := range a {
		x, y := Float(a[i]), Float(b[i])
		m |= (AsBit(x == x) & AsBit(y == y)) << uint(i)
	}
	return m
}

// Classes of numbers that v_cmp_class tests, bit n of its mask each.
const (
	classSNaN = 1 << iota
	classQNaN
	classNegInf
	classNegNormal
	classNegDenorm
	classNegZero
	classPosZero
	ClassPosDenorm
	classPosNormal
	classPosInf
)

// classOf returns the class of the number with the given bits in a format with
// that many mantissa and exponent bits.
func classOf(x uint64, mantissa, exponent uint) uint64 {
	m := x & (1<<mantissa - 1)
	e := x >> mantissa & (1<<exponent - 1)
	negative := x>>(mantissa+exponent)&1 != 0
	pick := func(neg, pos uint64) uint64 {
		if negative {
			return neg
		}
		return pos
	}
	switch {
	case e == 1<<exponent-1 && m>>(mantissa-1) != 0:
		return classQNaN
	case e == 1<<exponent-1 && m != 0:
		return classSNaN
	case e == 1<<exponent-1:
		return pick(classNegInf, classPosInf)
	case e != 0:
		return pick(classNegNormal, classPosNormal)
	case m != 0:
		return pick(classNegDenorm, ClassPosDenorm)
	}
	return pick(classNegZero, classPosZero)
}

// classLanes tests the numbers of all lanes against the classes in b. high are the words with
// sign and exponent, of which the mantissa has the given bits; below are the bits of it in low.
func classLanes(low, high, b *Lanes, mantissa, exponent, below uint) (m uint64) {
	most := uint32(1)<<(exponent&31) - 1
	for l, x := range high {
		c := uint32(classPosNormal) >> (5 * (x >> ((mantissa + exponent) & 31) & 1))
		if x>>(mantissa&31)&most-1 >= most-1 { // not normal
			v := uint64(x)
			if below != 0 {
				v = Join(low[l], x)
			}
			c = uint32(classOf(v, mantissa+below, exponent))
		}
		m |= AsBit(c&b[l] != 0) << uint(l)
	}
	return m
}

// ClassF16 is the relation of v_cmp_class_f16 and v_cmpx_class_f16.
func ClassF16(a, _, b *Lanes) uint64 { return classLanes(a, a, b, 10, 5, 0) }

// ClassF32 is the relation of v_cmp_class_f32 and v_cmpx_class_f32.
func ClassF32(a, _, b *Lanes) uint64 { return classLanes(a, a, b, 23, 8, 0) }

// ClassF64 is the relation of v_cmp_class_f64 and v_cmpx_class_f64.
func ClassF64(low, high, b *Lanes) uint64 { return classLanes(low, high, b, 20, 11, 32) }
