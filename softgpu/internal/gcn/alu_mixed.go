package gcn

// Instructions whose sources are each a single or one half of a register.

// mixing is how such a source becomes a single.
type mixing struct {
	half        bool
	shift       uint // to the half that is meant
	clear, flip uint32
}

func bindMixing(i *Inst, n int) mixing {
	m := mixing{half: i.OpSelHi>>n&1 != 0, shift: uint(i.OpSel>>n&1) * 16}
	if (i.NegHi|i.Abs)>>n&1 != 0 {
		m.clear = 1 << 31
	}
	if i.Neg>>n&1 != 0 {
		m.flip = 1 << 31
	}
	return m
}

// single returns the bits of one lane's single under a MODE.
func (m *mixing) single(mode uint32, x uint64) uint64 {
	switch {
	case m.half && mode&denormIn64 == 0:
		x = fromSingle(half(formatF16.flush(x >> m.shift & 0xffff)))
	case m.half:
		x = fromSingle(half(x >> m.shift))
	case mode&denormIn32 == 0:
		x = formatF32.flush(x)
	}
	return x&^uint64(m.clear) ^ uint64(m.flip)
}

// singles returns those of all lanes in the usual MODE; temp holds those that differ from l.
func (m *mixing) singles(l, temp *Lanes) *Lanes {
	if m.shift != 0 && m.half {
		lshrrevB32(temp, &sixteens, l)
		l = temp
	}
	if m.half {
		cvtF32F16(temp, l)
		l = temp
	}
	if m.clear|m.flip != 0 {
		if l != temp {
			*temp = *l
			l = temp
		}
		alterBits(l, m.clear, m.flip)
	}
	return l
}

// sixteens is what shifts a lane's upper half down. Never written.
var sixteens = lanesOf(16)

// bindMixed binds an instruction with such sources; a result that is a half goes
// to the low or the high one of its register.
func bindMixed(i *Inst, out kind, high bool) (v *valu, from [3]mixing) {
	c := *i
	c.Neg, c.Abs, c.OpSel = 0, 0, 0
	for n := range from {
		from[n] = bindMixing(i, n)
		if o := &c.Src[n]; from[n].half && o.Kind == Const && o.Code >= codeFloats && o.Code <= codeInv2Pi {
			o.Value, o.Code = uint32(constant(o, f16)), codeLiteral
		}
	}
	v = bindVector(&c, out, u32, u32, u32)
	if out == f16 {
		v.preserve, v.high = true, high
	}
	v.seal()
	return v, from
}

// mixedIn makes a meaning of a function of the bits of three singles, for sources under a MODE.
func mixedIn(mode uint32, out kind, high bool, f laneFunc) Meaning {
	return func(i *Inst) Step {
		v, from := bindMixed(i, out, high)
		return v.stepLanes(func(a, b, c uint64) uint64 {
			return f(from[0].single(mode, a), from[1].single(mode, b), from[2].single(mode, c))
		})
	}
}

// mixedSingle makes a meaning of a kernel on singles, mixedHalf of one whose results are low halves.

func mixedSingle(k kernel3) Meaning { return mixed(k, f32, false) }

func mixedHalf(high bool, k kernel3) Meaning { return mixed(k, f16, high) }

func mixed(k kernel3, out kind, high bool) Meaning {
	return func(i *Inst) Step {
		v, from := bindMixed(i, out, high)
		return func(w *Wave) {
			var x [3]*Lanes
			for n := range x {
				temp := &w.tmp[n]
				x[n] = from[n].singles(v.src[n].lanes(w, temp), &temp[0])
			}
			if v.straight(w) {
				k(v.reg(w, 0), x[0], x[1], x[2])
				return
			}
			k(&w.tmp[3][0], x[0], x[1], x[2])
			v.finish(w, &w.tmp[3])
		}
	}
}

// fmaToHalfLane rounds a*b+c once, to a half.
func fmaToHalfLane(a, b, c uint64) uint64 {
	p := single(a) * single(b)
	s := oddSum(p, single(c), p+single(c))
	if s != s {
		return fromHalf(float(uint32(orderF32.nanOf(a, b, c))))
	}
	return uint64(halfFrom64(s))
}

func portableFmaToF16(d, a, b, c *Lanes) { bits3(d, a, b, c, fmaToHalfLane) }

// madToF16 knows no denormals among the singles, as v_mad_f32.
func madToF16(d, a, b, c *Lanes) {
	madF32(d, a, b, c)
	cvtF16F32(d, d)
}

// dot2F32F16 adds two products of halves to a single, each step rounded to the
// nearest. Denormals are zeros on both sides, whatever MODE says (CDNA3 ISA, 6.4);
// of the halves not on gfx950, where LLVM's developers measured it.
func dot2F32F16(i *Inst) Step {
	v := bindPacked(i, pf16, 2)
	for n := range 2 {
		v.src[n].denorm = 0
	}
	v.out, v.omod, v.src[2] = f32, i.Omod, bindSource(i, 2, u32)
	v.seal()
	widen := widenNormalF16
	if i.Chip.atLeast(Gfx950) {
		widen = cvtF32F16
	}
	flip := uint32(i.Neg>>2&1) << 31
	return v.stepTemp(func(temp *[4]Pair, d, a, b, c *Lanes) {
		x, y, high, sum := &temp[0][1], &temp[1][1], &temp[2][1], &temp[3][1]
		flushF32(sum, c)
		if flip != 0 {
			alterBits(sum, 0, flip)
		}
		widen(x, a)
		widen(y, b)
		fmaF32(sum, x, y, sum)
		lshrrevB32(high, &sixteens, a)
		widen(x, high)
		lshrrevB32(high, &sixteens, b)
		widen(y, high)
		fmaF32(sum, x, y, sum)
		flushF32(d, sum)
	})
}

// widenNormalF16 converts low halves to singles, denormals to zeros.
func widenNormalF16(d, a *Lanes) {
	flushF16(d, a)
	cvtF32F16(d, d)
}
