package gcn

// halves tells where the two halves of a packed source come from and which are negated.
type halves struct {
	low, high       uint // shifts
	negLow, negHigh uint32
}

func bindHalves(i *Inst, n int, float bool) halves {
	h := halves{low: uint(i.OpSel>>n&1) * 16, high: uint(i.OpSelHi>>n&1) * 16}
	if float {
		h.negLow, h.negHigh = uint32(i.Neg>>n&1)<<15, uint32(i.NegHi>>n&1)<<15
	}
	return h
}

// pick returns the two halves of x.
func (h *halves) pick(x uint64) (low, high uint64) {
	return x>>h.low&0xffff ^ uint64(h.negLow), x>>h.high&0xffff ^ uint64(h.negHigh)
}

// arrange puts the two halves of each lane where they belong.
func (h *halves) arrange(l *Lanes) {
	for i, x := range l {
		l[i] = x>>h.low&0xffff ^ h.negLow | (x>>h.high<<16 ^ h.negHigh<<16)
	}
}

// bindPacked binds an instruction on n packed sources of a kind.
func bindPacked(i *Inst, k kind, n int) *valu {
	c := *i
	c.Neg, c.Abs, c.OpSel, c.Omod = 0, 0, 0, 0
	in := [3]kind{k, k, k}
	v := bindVector(&c, k, in[:n]...)
	for s := range n {
		if h := bindHalves(i, s, k == pf16); h != (halves{high: 16}) {
			v.src[s].halved, v.src[s].modified = &h, true
		}
	}
	return v
}

// packed makes a meaning of a function on 16-bit operands that works on both halves of registers.
// limited is the function for instructions with the clamp bit; halves of floats are clamped as other floats are.
func packed(f, limited laneFunc, k kind, n int) Meaning {
	return func(i *Inst) Step {
		f := f
		if i.Clamp {
			f = limited
		}
		return bindPacked(i, k, n).stepLanes(func(a, b, c uint64) uint64 {
			return f(a&0xffff, b&0xffff, c&0xffff)&0xffff | f(a>>16, b>>16, c>>16)&0xffff<<16
		})
	}
}

func packedInts(f, limited laneFunc, n int) Meaning { return packed(f, limited, pu16, n) }

func packedHalves(f laneFunc, n int) Meaning {
	return packed(f, f, pf16, n)
}

// mixed makes a meaning of an fma whose sources are each a single or one half
// of a register; the result is a single or goes to the low or high half.
func mixed(out kind, high bool, fma func(a, b, c float32) float32, narrow func(a, b, c float32) uint64) Meaning {
	return mixedIn(usualMode, out, high, func(a, b, c uint64) uint64 {
		x, y, z := float(uint32(a)), float(uint32(b)), float(uint32(c))
		if out == f16 {
			return narrow(x, y, z)
		}
		return fromSingle(fma(x, y, z))
	})
}

// mixedIn makes a meaning of a function of the bits of three singles, for sources under a MODE.
func mixedIn(mode uint32, out kind, high bool, f laneFunc) Meaning {
	return func(i *Inst) Step {
		c := *i
		c.Neg, c.Abs, c.OpSel = 0, 0, 0
		c.Src = i.Src
		var fetch [3]func(uint64) uint64
		for n := range fetch {
			fetch[n] = mixSource(mode, i, n)
			if i.OpSelHi>>n&1 == 0 && c.Src[n].Kind == Const {
				continue
			}
			if c.Src[n].Kind == Const && c.Src[n].Code >= codeFloats && c.Src[n].Code <= codeInv2Pi {
				c.Src[n].Value = uint32(constant(&c.Src[n], f16))
				c.Src[n].Code = codeLiteral
			}
		}
		v := bindVector(&c, out, u32, u32, u32)
		if out == f16 {
			v.keep, v.high = true, high
		}
		v.seal()
		return v.stepLanes(func(a, b, c uint64) uint64 {
			return f(fetch[0](a), fetch[1](b), fetch[2](c))
		})
	}
}

func mixSource(mode uint32, i *Inst, n int) func(uint64) uint64 {
	abs := (i.NegHi|i.Abs)>>n&1 != 0
	neg := i.Neg>>n&1 != 0
	isHalf := i.OpSelHi>>n&1 != 0
	shift := uint(i.OpSel>>n&1) * 16
	return func(x uint64) uint64 {
		switch {
		case isHalf && mode&denormIn64 == 0:
			x = fromSingle(half(formatF16.flush(x >> shift & 0xffff)))
		case isHalf:
			x = fromSingle(half(x >> shift))
		case mode&denormIn32 == 0:
			x = formatF32.flush(x)
		}
		if abs {
			x &^= 1 << 31
		}
		if neg {
			x ^= 1 << 31
		}
		return x
	}
}

// fmaToHalf rounds a*b+c once, to a half.
func fmaToHalf(a, b, c float32) uint64 {
	p := float64(a) * float64(b)
	return uint64(halfFrom64(oddSum(p, float64(c), p+float64(c))))
}

// mad32 knows no denormals, as v_mad_f32.
func mad32(a, b, c float32) float32 {
	return flushed(flushed(float32(flushed(a)*flushed(b))) + flushed(c))
}

func madToHalf(a, b, c float32) uint64 { return fromHalf(mad32(a, b, c)) }

// dot makes a meaning of a sum of products of parts of registers, added to the third source.
func dot(bits uint, signed bool) Meaning {
	return func(i *Inst) Step {
		c := *i
		c.Neg, c.Abs, c.OpSel = 0, 0, 0
		v := bindVector(&c, u32, pu16, pu16, u32)
		part := func(x uint64, at uint) int64 {
			x = x >> at << (64 - bits)
			if signed {
				return int64(x) >> (64 - bits)
			}
			return int64(x >> (64 - bits))
		}
		return v.stepLanes(func(a, b, c uint64) uint64 {
			sum := int64(c)
			if signed {
				sum = int64(int32(c))
			}
			for at := uint(0); at < 32; at += bits {
				sum += part(a, at) * part(b, at)
			}
			switch {
			case i.Clamp && signed:
				return uint64(clampI32(sum))
			case i.Clamp:
				return uint64(clampU32(uint64(sum)))
			}
			return uint64(sum)
		})
	}
}

// dot2F32F16 adds two products of halves to a single, each step rounded.
func dot2F32F16(i *Inst) Step {
	c := *i
	c.Neg, c.Abs, c.OpSel = 0, 0, 0
	x, y := bindHalves(i, 0, true), bindHalves(i, 1, true)
	v := bindVector(&c, f32, pf16, pf16, f32)
	neg := i.Neg>>2&1 != 0
	return v.stepLanes(func(a, b, c uint64) uint64 {
		al, ah := x.pick(a)
		bl, bh := y.pick(b)
		s := float(uint32(c))
		if neg {
			s = -s
		}
		return fromSingle(fma32(half(ah), half(bh), fma32(half(al), half(bl), s)))
	})
}
