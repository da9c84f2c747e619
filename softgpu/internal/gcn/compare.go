package gcn

// How a comparison derives from a kernel: with operands exchanged, with the
// result inverted, with EXEC written as well.
type variant uint8

const (
	swapped variant = 1 << iota
	inverted
	toExec
)

// flip returns what a kernel's result is to be combined with.
func (how variant) flip() uint64 {
	if how&inverted != 0 {
		return full
	}
	return 0
}

// conclude writes the lanes that passed to a mask.
func (how variant) conclude(w *Wave, to mask, passed uint64) {
	to.set(w, passed)
	if how&toExec != 0 {
		w.SetExec(passed)
	}
}

// comparison makes a meaning of a whole-wave comparison of operands of at most 32 bits.
func comparison(k tester, how variant, t kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, none, t, t)
		to, flip, exchange := maskOut(i), how.flip(), how&swapped != 0
		slow := func(w *Wave) {
			a, b := v.src[0].lanes(w, &w.tmp[0]), v.src[1].lanes(w, &w.tmp[1])
			if exchange {
				a, b = b, a
			}
			how.conclude(w, to, (k(a, b)^flip)&v.active(w))
		}
		if how&toExec != 0 {
			return slow
		}
		return v.plainTest(k, exchange, flip, to, slow)
	}
}

// classTester returns the lanes whose number, of 64 bits at most, has one of the
// classes that the bits of b are.
type classTester func(al, ah, b *Lanes) uint64

// classTest makes a meaning of a test of a number for classes. Denormals stay what
// they are, whatever MODE says.
func classTest(k classTester, how variant, a, b kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, none, a, b)
		to := maskOut(i)
		v.src[0].denorm, v.src[1].denorm = 0, 0
		return func(w *Wave) {
			al, ah := v.src[0].halves(w, &w.tmp[0])
			bl, _ := v.src[1].halves(w, &w.tmp[1])
			how.conclude(w, to, k(al, ah, bl)&v.active(w))
		}
	}
}

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

func equal16(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= (uint64(uint16(a[i]^b[i])) - 1) >> 63 << uint(i)
	}
	return m
}

func lessU16(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= (uint64(uint16(a[i])) - uint64(uint16(b[i]))) >> 63 << uint(i)
	}
	return m
}

func lessI16(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= uint64(int64(int16(a[i]))-int64(int16(b[i]))) >> 63 << uint(i)
	}
	return m
}

func asBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func portableLessF32(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= asBit(float(a[i]) < float(b[i])) << uint(i)
	}
	return m
}

func portableAtMostF32(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= asBit(float(a[i]) <= float(b[i])) << uint(i)
	}
	return m
}

func portableEqualF32(a, b *Lanes) (m uint64) {
	for i := range a {
		m |= asBit(float(a[i]) == float(b[i])) << uint(i)
	}
	return m
}

// portableUnequalF32 is "less or greater": false where a NaN is.
func portableUnequalF32(a, b *Lanes) (m uint64) {
	for i := range a {
		x, y := float(a[i]), float(b[i])
		m |= (asBit(x < y) | asBit(x > y)) << uint(i)
	}
	return m
}

func portableOrderedF32(a, b *Lanes) (m uint64) {
	for i := range a {
		x, y := float(a[i]), float(b[i])
		m |= (asBit(x == x) & asBit(y == y)) << uint(i)
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
	classPosDenorm
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
		return pick(classNegDenorm, classPosDenorm)
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
				v = join(low[l], x)
			}
			c = uint32(classOf(v, mantissa+below, exponent))
		}
		m |= asBit(c&b[l] != 0) << uint(l)
	}
	return m
}

func classF16(a, _, b *Lanes) uint64      { return classLanes(a, a, b, 10, 5, 0) }
func classF32(a, _, b *Lanes) uint64      { return classLanes(a, a, b, 23, 8, 0) }
func classF64(low, high, b *Lanes) uint64 { return classLanes(low, high, b, 20, 11, 32) }
