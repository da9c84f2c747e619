package gcn

import (
	"math"
	"math/bits"
)

// Conversions between formats of 8 bits and singles.

// cvtF32 makes a meaning that converts a byte, which SDWA chooses, to a single.
func cvtF32(f byteFormat) Meaning {
	return func(i *Inst) Step {
		to := f.on(i.Chip).singles()
		return bindVector(i, f32, u32).step1(func(d, a *Lanes) {
			for l, x := range a {
				d[l] = to[uint8(x)]
			}
		})
	}
}

// cvtPkF32 converts two bytes to two singles.
func cvtPkF32(f byteFormat) Meaning {
	return func(i *Inst) Step {
		to := f.on(i.Chip).singles()
		for n, x := range to {
			switch x := float(x); {
			case i.Clamp && !(x > 0):
				to[n] = 0
			case i.Clamp:
				to[n] = uint32(fromSingle(min(x, 1)))
			}
		}
		return unaryWide(func(dl, dh, a, _ *Lanes) {
			for l, x := range a {
				dl[l], dh[l] = to[uint8(x)], to[uint8(x>>8)]
			}
		}, u64, u32)(i)
	}
}

// cvtPkFp8 converts two singles to the half of the destination that op_sel chooses.
func cvtPkFp8(f byteFormat, saturate bool) Meaning {
	return func(i *Inst) Step {
		f := f.on(i.Chip)
		at := uint(i.OpSel>>3&1) * 16
		code, low, keep := f.code(saturate), &shifts[at], lanesOf(^(uint32(0xffff) << at))
		return mergeStep(i, f32, func(temp *[4]Pair, d, a, b, old *Lanes) {
			x, y := &temp[0][1], &temp[1][1]
			toSmall(x, a, a, code)
			toSmall(y, b, b, code)
			lshlOrB32(x, y, &shifts[8], x)
			andB32(y, old, &keep)
			lshlOrB32(d, x, low, y)
		})
	}
}

// cvtSr rounds a single at random, the second source being the random number, to
// the part of the destination that op_sel chooses.
func cvtSr(f byteFormat, saturate bool) Meaning {
	return func(i *Inst) Step {
		f := f.on(i.Chip)
		at := uint(i.OpSel) >> 2 & 3 * 8
		if f.bits() == 16 {
			at &^= 8
		}
		code, shift, keep := f.code(saturate), &shifts[at], lanesOf(^(uint32(1<<f.bits()-1) << at))
		return mergeStep(i, u32, func(temp *[4]Pair, d, a, random, old *Lanes) {
			x, y := &temp[0][1], &temp[1][1]
			atRandom(x, a, a, random, code)
			andB32(y, old, &keep)
			lshlOrB32(d, x, shift, y)
		})
	}
}

// mergeStep is of a kernel that leaves some bits of the destination, its last source, alone.
func mergeStep(i *Inst, second kind, k tempKernel3) Step {
	c := *withDst(i, 2)
	c.OpSel = 0
	return bindVector(&c, u32, f32, second, u32).stepTemp(k)
}

// conversion is a conversion with a scale: the exponent of the last source,
// which is that of the power of two that stands for 1 in the smaller format.
type conversion struct {
	from, to    *smallFormat
	count       int
	interleaved bool // the even numbers come from the first source, the odd from the second
	random      bool // rounds by the random numbers that start with the source before the scale
}

// down makes the meaning of a conversion of count numbers to a smaller format.
func down(from, to *smallFormat, count int, random bool) Meaning {
	return conversion{from: from, to: to, count: count, random: random}.bind
}

// up makes the meaning of one from a smaller format.
func up(from, to *smallFormat, count int) Meaning {
	return conversion{from: from, to: to, count: count}.bind
}

func interleave(to *smallFormat) Meaning {
	return conversion{from: &smallF32, to: to, count: 32, interleaved: true}.bind
}

// boundConversion is one with its operands.
type boundConversion struct {
	conversion
	data          [2]source // those of at most two registers
	wide          [2]Operand
	clear, flip   [2]uint32 // modifiers of data
	scale, random source
	narrow        bool // from is the smaller format
	first         int  // of the numbers of the source
	dst           registers
	mask          uint32 // of the bits that are written, if not whole registers are
	at            uint   // of the lowest

	top    uint32        // of the exponents of scales, for reciprocals: see scalePowers
	keep   Lanes         // the destination's bits that are not written
	codes  [2]*smallCode // to a smaller format, and with limits
	values *smallValues  // of a smaller format
}

func (c conversion) bind(i *Inst) Step {
	b := &boundConversion{conversion: c, dst: bindRegisters(&i.Dst), narrow: c.from.bits() < c.to.bits()}
	last := 1
	for last < 2 && i.Row.Form.Src[last+1].Class != NoSlot {
		last++
	}
	plain := *i
	plain.Neg, plain.Abs, plain.OpSel = 0, 0, 0
	b.scale = bindSource(&plain, last, u32)
	if c.random {
		b.random = bindSource(&plain, last-1, u32)
	}
	for n := range b.data {
		o := &i.Src[n]
		if n > 0 && (n == last || c.random) {
			break
		}
		if o.Width > 1 {
			b.wide[n] = *o
		} else {
			b.data[n] = bindSource(&plain, n, c.kind())
		}
		if i.Row.Form.Src[n].Mods == FloatMods {
			b.clear[n], b.flip[n] = c.signs(i.Abs>>n&1), c.signs(i.Neg>>n&1)
		}
	}
	b.part(i)
	b.keep = lanesOf(^(b.mask << b.at))
	if b.narrow {
		b.values = c.from.values()
	} else {
		b.top = 254 << 23
		b.codes = [2]*smallCode{c.to.code(false), c.to.code(true)}
	}
	return b.step
}

// kind is how constants read that stand for numbers.
func (c *conversion) kind() kind {
	switch c.from {
	case &smallF16:
		return pf16
	case &bfloat16:
		return pbf16
	}
	return u32
}

// signs are the sign bits of the numbers in a register, if on is set.
func (c *conversion) signs(on uint8) uint32 {
	if c.from.bits() == 16 {
		return 0x80008000 * uint32(on)
	}
	return 1 << 31 * uint32(on)
}

// part finds what op_sel chooses: bytes of the source, or the destination's.
func (b *boundConversion) part(i *Inst) {
	size := b.to.bits() * uint(b.count)
	switch {
	case b.narrow && b.count <= 2:
		b.first = int(i.OpSel&3) * 8 / int(b.from.bits())
		if b.count == 2 && b.from.bits() == 8 {
			b.first = int(i.OpSel&1) * 2
		}
	case b.count == 1 && b.from.bits() == 16:
		b.first = int(i.OpSel & 1)
	}
	if size < 32 {
		b.mask = 1<<size - 1
		b.at = uint(i.OpSel>>2) * 8
		if size == 16 {
			b.at = uint(i.OpSel>>3) * 16
		}
	}
}

// sources finds the words that hold the numbers, with zeros behind them for a field that ends
// where they do.
func (b *boundConversion) sources(w *Wave, in *[33]*Lanes) {
	n := 0
	for s := range b.data {
		if o := &b.wide[s]; o.Width > 1 {
			regs := registersOf(w, o, int(o.Width))
			for r := range regs {
				in[n] = &regs[r]
				n++
			}
		} else if b.data[s].kind != none {
			in[n] = b.data[s].lanes(w, &w.tmp[s])
			n++
		}
	}
	in[n] = &zeros
}

func (b *boundConversion) step(w *Wave) {
	var in [33]*Lanes
	b.sources(w, &in)
	scale, random := b.scale.lanes(w, &w.tmp[2]), &zeros
	if b.random.kind != none {
		random = b.random.lanes(w, &w.tmp[3])
	}
	flushIn, flushOut := b.flushes(w.Mode)
	saturate := w.Mode&halfOverflow != 0 && b.to != &bfloat16 && b.to != &smallF32
	if !flushIn && !flushOut && !(saturate && b.narrow) {
		b.wholeWave(w, &in, scale, random, saturate)
		return
	}
	var out [33]uint32
	words := max(1, int(b.to.bits())*b.count/32)
	for m := w.Exec(); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		by := scaleFactor(scale[l])
		if !b.narrow {
			by = 1 / by
		}
		how := smallRounding{stochastic: b.conversion.random, random: random[l], saturate: saturate}
		out = [33]uint32{}
		for k := range b.count {
			x := b.number(&in, l, k)
			if flushIn {
				x = b.from.flush(x)
			}
			v := b.from.value(x) * by
			y := b.to.round(v, how)
			if v != v {
				y = b.to.nan(x >> (b.from.bits() - 1) & 1 << (b.to.bits() - 1))
			}
			if flushOut {
				y = b.to.flush(y)
			}
			at := uint(k) * b.to.bits()
			out[at/32] |= y << (at % 32)
			if at%32+b.to.bits() > 32 {
				out[at/32+1] |= y >> (32 - at%32)
			}
			how.random = prng(how.random)
		}
		if b.mask != 0 {
			to := b.dst.of(w, 0)
			to[l] = to[l]&^(b.mask<<b.at) | out[0]<<b.at
			continue
		}
		for r := range words {
			b.dst.of(w, r)[l] = out[r]
		}
	}
}

// place tells where number k of each lane is: the word of the source's, its lowest bit
// there, and the operand, whose modifiers it has.
func (b *boundConversion) place(k int) (word int, shift uint, operand int) {
	size := b.from.bits()
	k += b.first
	if b.interleaved {
		k = k/2 + k%2*16
	} else if size == 32 && b.wide[0].Width <= 1 {
		operand = k
	}
	at := uint(k) * size
	return int(at / 32), at % 32, operand
}

// number returns the bits of number k of a lane.
func (b *boundConversion) number(in *[33]*Lanes, l, k int) uint32 {
	word, shift, operand := b.place(k)
	size := b.from.bits()
	x := (in[word][l]&^b.clear[operand] ^ b.flip[operand]) >> shift
	if shift+size > 32 {
		x |= in[word+1][l] << (32 - shift)
	}
	return x & uint32(1<<size-1)
}

// flushes tells whether MODE makes denormals of the larger format zeros.
func (b *boundConversion) flushes(mode uint32) (in, out bool) {
	of := func(f *smallFormat, single, half uint32) bool {
		return f == &smallF32 && mode&single == 0 || f == &smallF16 && mode&half == 0
	}
	return of(b.from, denormIn32, denormIn64), of(b.to, denormOut32, denormOut64)
}

// scaleFactor is the power of two that the exponent of a single stands for, NaN
// for the largest (E8M0: OCP Microscaling Formats Specification 1.0, 5.4).
func scaleFactor(x uint32) float64 {
	e := x >> 23 & 0xff
	if e == 0xff {
		return single(nanF32)
	}
	return math.Ldexp(1, int(e)-127)
}

// prng is the number that follows x in the sequence of v_prng_b32.
func prng(x uint32) uint32 { return x<<1 ^ uint32(int32(x)>>31)&0xc5 }

func portablePrngB32(d, a *Lanes) { each1(d, a, prng) }
