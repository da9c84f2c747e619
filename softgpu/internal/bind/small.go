package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Conversions between formats of 8 bits and singles.

// CvtF32 makes a meaning that converts a byte, which SDWA chooses, to a single.
func CvtF32(f ByteFormat) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		to, at := f.on(i.Chip).Singles(), uint(0)
		if i.Chip.RDNA() {
			at = 8 * uint(i.ByteSel())
		}
		return bindVector(i, alu.F32, alu.U32).step1(func(d, a *alu.Lanes) {
			for l, x := range a {
				d[l] = to[uint8(x>>at)]
			}
		})
	}
}

// CvtPkF32 converts two bytes to two singles.
func CvtPkF32(f ByteFormat) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		to := f.on(i.Chip).Singles()
		for n, x := range to {
			switch x := alu.Float(x); {
			case i.Clamp && !(x > 0):
				to[n] = 0
			case i.Clamp:
				to[n] = uint32(alu.FromSingle(min(x, 1)))
			}
		}
		from := alu.U32
		if i.Chip.RDNA() {
			from = alu.U16 // either half
		}
		return UnaryWide(func(dl, dh, a, _ *alu.Lanes) {
			for l, x := range a {
				dl[l], dh[l] = to[uint8(x)], to[uint8(x>>8)]
			}
		}, alu.U64, from)(i)
	}
}

// CvtPkFp8 converts two singles to the half of the destination that op_sel chooses.
func CvtPkFp8(f ByteFormat, saturate bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		f := f.on(i.Chip)
		at := uint(i.OpSel>>3&1) * 16
		code, low, keep := f.Code(saturate), &alu.Shifts[at], alu.LanesOf(^(uint32(0xffff) << at))
		return mergeStep(i, alu.F32, func(temp *[4]alu.Pair, d, a, b, old *alu.Lanes) {
			x, y := &temp[0][1], &temp[1][1]
			alu.ToSmall(x, a, a, code)
			alu.ToSmall(y, b, b, code)
			alu.LshlOrB32(x, y, &alu.Shifts[8], x)
			alu.AndB32(y, old, &keep)
			alu.LshlOrB32(d, x, low, y)
		})
	}
}

// CvtSr rounds a single at random, the second source being the random number, to
// the part of the destination that op_sel chooses.
func CvtSr(f ByteFormat, saturate bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		f := f.on(i.Chip)
		at := uint(i.OpSel) >> 2 & 3 * 8
		if f.Bits() == 16 {
			at &^= 8
		}
		code, shift, keep := f.Code(saturate), &alu.Shifts[at], alu.LanesOf(^(uint32(1<<f.Bits()-1) << at))
		return mergeStep(i, alu.U32, func(temp *[4]alu.Pair, d, a, random, old *alu.Lanes) {
			x, y := &temp[0][1], &temp[1][1]
			alu.AtRandom(x, a, a, random, code)
			alu.AndB32(y, old, &keep)
			alu.LshlOrB32(d, x, shift, y)
		})
	}
}

// mergeStep is of a kernel that leaves some bits of the destination, its last source, alone.
func mergeStep(i *encoding.Inst, second alu.Kind, k alu.TempKernel3) encoding.Step {
	c := *withDst(i, 2)
	c.OpSel = 0
	return bindVector(&c, alu.U32, alu.F32, second, alu.U32).stepTemp(k)
}

// conversion is a conversion with a scale: the exponent of the last source,
// which is that of the power of two that stands for 1 in the smaller format.
type conversion struct {
	from, to    *alu.SmallFormat
	count       int
	interleaved bool // the even numbers come from the first source, the odd from the second
	random      bool // rounds by the random numbers that start with the source before the scale
	chosen      bool // the scale is a byte of another lane's: see scaleChoice
}

// Down makes the meaning of a conversion of count numbers to a smaller format.
func Down(from, to *alu.SmallFormat, count int, random bool) encoding.Meaning {
	return conversion{from: from, to: to, count: count, random: random}.bind
}

// Up makes the meaning of a conversion of count numbers from a smaller format.
func Up(from, to *alu.SmallFormat, count int) encoding.Meaning {
	return conversion{from: from, to: to, count: count}.bind
}

// UpByBytes is Up for scales that are bytes, chosen by scale_sel.
func UpByBytes(from, to *alu.SmallFormat, count int) encoding.Meaning {
	return conversion{from: from, to: to, count: count, chosen: true}.bind
}

// Interleave binds v_cvt_scalef32_2xpk16_bf6_f32 and v_cvt_scalef32_2xpk16_fp6_f32.
func Interleave(to *alu.SmallFormat) encoding.Meaning {
	return conversion{from: &alu.SmallF32, to: to, count: 32, interleaved: true}.bind
}

// boundConversion is one with its operands.
type boundConversion struct {
	conversion
	data          [2]source // those of at most two registers
	wide          [2]encoding.Operand
	clear, flip   [2]uint32 // modifiers of data
	scale, random source
	choice        *scaleChoice // nil: a lane has its own scale
	narrow        bool         // from is the smaller format
	first         int          // of the numbers of the source
	dst           wave.Registers
	mask          uint32 // of the bits that are written, if not whole registers are
	at            uint   // of the lowest

	top    uint32            // of the exponents of scales, for reciprocals: see ScalePowers
	keep   alu.Lanes         // the destination's bits that are not written
	codes  [2]*alu.SmallCode // to a smaller format, and with limits
	values *alu.SmallValues  // of a smaller format
}

func (c conversion) bind(i *encoding.Inst) encoding.Step {
	b := &boundConversion{conversion: c, dst: BindRegisters(&i.Dst), narrow: c.from.Bits() < c.to.Bits()}
	if c.chosen {
		if b.choice = scaleChoiceOf(c.from.Bits(), i.OpSel); b.choice == nil {
			return nil
		}
	}
	last := 1
	for last < 2 && i.Row.Form.Src[last+1].Class != encoding.NoSlot {
		last++
	}
	plain := *i
	plain.Neg, plain.Abs, plain.OpSel = 0, 0, 0
	b.scale = bindSource(&plain, last, alu.U32)
	if c.random {
		b.random = bindSource(&plain, last-1, alu.U32)
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
		if i.Row.Form.Src[n].Mods == encoding.FloatMods {
			b.clear[n], b.flip[n] = c.signs(i.Abs>>n&1), c.signs(i.Neg>>n&1)
		}
	}
	b.part(i)
	b.keep = alu.LanesOf(^(b.mask << b.at))
	if b.narrow {
		b.values = c.from.Values()
	} else {
		b.top = 254 << 23
		b.codes = [2]*alu.SmallCode{c.to.Code(false), c.to.Code(true)}
	}
	return b.step
}

// kind is how constants read that stand for numbers.
func (c *conversion) kind() alu.Kind {
	switch c.from {
	case &alu.SmallF16:
		return alu.Pf16
	case &alu.Bfloat16:
		return alu.Pbf16
	}
	return alu.U32
}

// signs are the sign bits of the numbers in a register, if on is set.
func (c *conversion) signs(on uint8) uint32 {
	if c.from.Bits() == 16 {
		return 0x80008000 * uint32(on)
	}
	return 1 << 31 * uint32(on)
}

// part finds the bytes that op_sel chooses, of the source or the destination.
func (b *boundConversion) part(i *encoding.Inst) {
	size := b.to.Bits() * uint(b.count)
	switch {
	case b.narrow && b.count <= 2:
		b.first = int(i.OpSel&3) * 8 / int(b.from.Bits())
		if b.count == 2 && b.from.Bits() == 8 {
			b.first = int(i.OpSel&1) * 2
		}
	case b.count == 1 && b.from.Bits() == 16:
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

// sources finds the words that hold the numbers, with zeros after them for a field that ends
// where they do.
func (b *boundConversion) sources(w *wave.Wave, in *[33]*alu.Lanes) {
	n := 0
	for s := range b.data {
		if o := &b.wide[s]; o.Width > 1 {
			regs := RegistersOf(w, o, int(o.Width))
			for r := range regs {
				in[n] = &regs[r]
				n++
			}
		} else if b.data[s].kind != alu.None {
			in[n] = b.data[s].lanes(w, &w.Temp[s])
			n++
		}
	}
	in[n] = &alu.Zeros
}

func (b *boundConversion) step(w *wave.Wave) {
	var in [33]*alu.Lanes
	b.sources(w, &in)
	scale, random := b.scale.lanes(w, &w.Temp[2]), &alu.Zeros
	if b.choice != nil {
		scale = b.choice.of(&w.Old, scale)
	}
	if b.random.kind != alu.None {
		random = b.random.lanes(w, &w.Temp[3])
	}
	flushIn, flushOut := b.flushes(w.Mode)
	saturate := w.Mode&alu.HalfOverflow != 0 && b.to != &alu.Bfloat16 && b.to != &alu.SmallF32
	if !flushIn && !flushOut && !(saturate && b.narrow) {
		b.wholeWave(w, &in, scale, random, saturate)
		return
	}
	var out [33]uint32
	words := max(1, int(b.to.Bits())*b.count/32)
	for m := w.Exec(); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		by := alu.ScaleFactor(scale[l])
		if !b.narrow {
			by = 1 / by
		}
		how := alu.SmallRounding{Stochastic: b.conversion.random, Random: random[l], Saturate: saturate}
		out = [33]uint32{}
		for k := range b.count {
			x := b.number(&in, l, k)
			if flushIn {
				x = b.from.Flush(x)
			}
			v := b.from.Value(x) * by
			y := b.to.Round(v, how)
			if v != v {
				y = b.to.Nan(x >> (b.from.Bits() - 1) & 1 << (b.to.Bits() - 1))
			}
			if flushOut {
				y = b.to.Flush(y)
			}
			at := uint(k) * b.to.Bits()
			out[at/32] |= y << (at % 32)
			if at%32+b.to.Bits() > 32 {
				out[at/32+1] |= y >> (32 - at%32)
			}
			how.Random = alu.Prng(how.Random)
		}
		if b.mask != 0 {
			to := b.dst.Of(w, 0)
			to[l] = to[l]&^(b.mask<<b.at) | out[0]<<b.at
			continue
		}
		for r := range words {
			b.dst.Of(w, r)[l] = out[r]
		}
	}
}

// place tells where number k of each lane is: the word of the source's, its lowest bit
// there, and the operand, whose modifiers it has.
func (b *boundConversion) place(k int) (word int, shift uint, operand int) {
	size := b.from.Bits()
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
func (b *boundConversion) number(in *[33]*alu.Lanes, l, k int) uint32 {
	word, shift, operand := b.place(k)
	size := b.from.Bits()
	x := (in[word][l]&^b.clear[operand] ^ b.flip[operand]) >> shift
	if shift+size > 32 {
		x |= in[word+1][l] << (32 - shift)
	}
	return x & uint32(1<<size-1)
}

// flushes reports whether MODE makes denormals of the larger format zeros.
func (b *boundConversion) flushes(mode uint32) (in, out bool) {
	of := func(f *alu.SmallFormat, single, half uint32) bool {
		return f == &alu.SmallF32 && mode&single == 0 || f == &alu.SmallF16 && mode&half == 0
	}
	return of(b.from, alu.DenormIn32, alu.DenormIn64), of(b.to, alu.DenormOut32, alu.DenormOut64)
}
