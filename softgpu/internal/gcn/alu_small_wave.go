package gcn

import "math"

// Conversions of whole waves to and from formats of at most 8 bits, to the nearest.

// smallCode is how singles become numbers of a format.
type smallCode struct {
	format   *smallFormat
	rounding smallRounding
	// For the kernel in assembly: what is added before the last place is shifted away,
	// by how much; the difference of the biases; the least normal number; the one that
	// numbers below are added to; the largest number; what stands for larger ones and
	// for NaNs; where the sign goes; the two codes that have no sign; what stands for
	// infinities; the bits of the mantissa.
	fields [13]uint32
}

func (f *smallFormat) code(saturate bool) *smallCode {
	c := &smallCode{format: f, rounding: smallRounding{saturate: saturate}}
	drop := uint32(23 - f.mantissa)
	c.fields = [13]uint32{
		1<<(drop-1) - 1, drop, uint32(127-f.bias) << f.mantissa, uint32(128-f.bias) << 23,
		math.Float32bits(float32(math.Ldexp(1, 24-f.bias-int(f.mantissa)))), f.largest(),
		f.tooLarge(0, c.rounding), f.nan(0), uint32(32 - f.bits()), math.MaxUint32, math.MaxUint32,
		f.round(math.Inf(1), c.rounding), uint32(f.mantissa),
	}
	if f.specials == minusZeroNaN {
		c.fields[9], c.fields[10] = 0, f.nan(0)
	}
	return c
}

// portableToSmall converts the singles v; x has their signs, of NaNs too.
func portableToSmall(d, v, x *Lanes, c *smallCode) {
	for l := range d {
		d[l] = c.of(v[l], x[l], c.rounding)
	}
}

func (c *smallCode) of(v, x uint32, r smallRounding) uint32 {
	return c.format.of(v&^(1<<31)|x&(1<<31), r)
}

// portableAtRandom is portableToSmall with what is behind the last place rounded by
// random numbers: added to its first 32 bits, they carry into the last place or do not.
func portableAtRandom(d, v, x, random *Lanes, c *smallCode) {
	drop, least := c.fields[1], c.fields[3]>>23
	for l, bits := range v {
		abs, sign := bits&^(1<<31), x[l]>>31<<(31-c.fields[8]&31)
		exponent := max(abs>>23, 1)
		fraction := uint64(abs-(exponent-1)<<23) << 32 >> (drop + max(least, exponent) - exponent)
		r := uint32((fraction+uint64(random[l]))>>32) + (max(least, exponent)-least)<<c.format.mantissa
		switch {
		case abs > 0xff<<23:
			r = c.fields[7]
		case abs == 0xff<<23:
			r = c.fields[11]
		case r > c.fields[5]:
			r = c.fields[6]
		}
		if r != c.fields[9] && r != c.fields[10] {
			r |= sign
		}
		d[l] = r
	}
}

// conversionTemp holds a wave's temporaries of one conversion with a scale.
type conversionTemp struct {
	by, single, number, random Lanes
	out                        [33]Lanes // the last is for numbers that end where they do
}

// wholeWave does the work of step for conversions in the usual MODE.
func (b *boundConversion) wholeWave(w *Wave, in *[33]*Lanes, scale, random *Lanes, saturate bool) {
	if w.conversion == nil {
		w.conversion = new(conversionTemp)
	}
	temp := w.conversion
	scalePowers(&temp.by, scale, b.top)
	words := 1
	for k := range b.count {
		at := uint(k) * b.to.bits()
		to := &temp.out[at/32]
		words = int(at/32) + 1
		number := &temp.number
		if at%32 == 0 {
			number = to
		}
		if b.narrow {
			b.larger(number, temp, in, k)
		} else {
			b.smaller(number, temp, in, k, random, saturate)
		}
		if b.conversion.random && k+1 < b.count {
			prngB32(&temp.random, random)
			random = &temp.random
		}
		if at%32 != 0 {
			lshlOrB32(to, number, &shifts[at%32], to)
		}
		if end := at%32 + b.to.bits(); end > 32 {
			lshrrevB32(&temp.out[at/32+1], &shifts[b.to.bits()-(end-32)], number)
			words++
		}
	}
	if b.mask != 0 {
		d, to := b.dst.of(w, 0), &temp.out[0]
		andB32(&temp.number, d, &b.keep)
		if w.full() {
			to = d
		}
		lshlOrB32(to, &temp.out[0], &shifts[b.at], &temp.number)
		if to == d {
			return
		}
	}
	for r := range words {
		blend(b.dst.of(w, r), &temp.out[r], w.Exec())
	}
}

// larger makes number k of each lane one of the larger format.
func (b *boundConversion) larger(d *Lanes, temp *conversionTemp, in *[33]*Lanes, k int) {
	word, shift, _ := b.place(k)
	from := in[word]
	if shift+b.from.bits() > 32 {
		lshrrevB32(&temp.single, &shifts[shift], from)
		lshlOrB32(&temp.single, in[word+1], &shifts[32-shift], &temp.single)
		from, shift = &temp.single, 0
	}
	fromSmall(d, from, &temp.by, b.values, uint32(shift))
	switch b.to {
	case &smallF16:
		cvtF16F32(d, d)
	case &bfloat16:
		cvtPkBf16F32(d, d, &zeros)
	}
}

// smaller makes number k of each lane one of the smaller format.
func (b *boundConversion) smaller(d *Lanes, temp *conversionTemp, in *[33]*Lanes, k int, random *Lanes, saturate bool) {
	x, code := b.single(temp, in, k), b.codes[asBit(saturate)]
	mulF32(&temp.number, x, &temp.by)
	if b.conversion.random {
		atRandom(d, &temp.number, x, random, code)
	} else {
		toSmall(d, &temp.number, x, code)
	}
}

// single returns singles of number k of each lane.
func (b *boundConversion) single(temp *conversionTemp, in *[33]*Lanes, k int) *Lanes {
	word, shift, operand := b.place(k)
	x, clear, flip := in[word], b.clear[operand], b.flip[operand]
	if shift != 0 && b.from != &bfloat16 {
		lshrrevB32(&temp.single, &shifts[shift], x)
		x = &temp.single
	}
	if clear|flip != 0 {
		temp.single = *x
		x = &temp.single
		alterBits(x, clear, flip) // of both halves, or of what is a whole
	}
	switch b.from {
	case &smallF16:
		cvtF32F16(&temp.single, x)
	case &bfloat16:
		if shift == 0 {
			lshlrevB32(&temp.single, &sixteens, x)
		} else {
			andB32(&temp.single, x, &highHalves)
		}
	default:
		return x
	}
	return &temp.single
}

// smallValues is how numbers of a format become singles.
type smallValues struct {
	singles *[256]uint32 // by the low bits; NaNs have their signs, and no more
	// For the kernel in assembly: how far a number is from the top, and its
	// other bits then from their place in a single; the difference of the biases, also with one
	// more; the largest number as a single's bits.
	fields [5]uint32
}

func (f *smallFormat) values() *smallValues {
	v := &smallValues{singles: f.singles(), fields: [5]uint32{
		uint32(32 - f.bits()), uint32(8 - f.exponent), uint32(127-f.bias) << 23, uint32(128-f.bias) << 23, f.largest() << (23 - f.mantissa),
	}}
	for n := range v.singles {
		v.singles[n] = v.singles[n&(1<<f.bits()-1)]
		if isNaN32(v.singles[n]) {
			v.singles[n] = nanLike(uint32(n) << (32 - f.bits()))
		}
	}
	return v
}

// nanLike is the NaN that has the sign of x.
func nanLike(x uint32) uint32 { return x&(1<<31) | 0xff<<23 | quiet32 }

// portableFromSmall makes singles, times by, of the numbers that start shift above the lowest bit.
func portableFromSmall(d, x, by *Lanes, v *smallValues, shift uint32) {
	for l := range d {
		s := v.singles[uint8(x[l]>>(shift&31))]
		r := uint32(fromSingle(float(s) * float(by[l])))
		if isNaN32(r) {
			r = nanLike(s)
		}
		d[l] = r
	}
}

// shifts are the counts of shifts, each for all lanes. Never written.
var shifts = func() (all [32]Lanes) {
	for n := range all {
		all[n] = lanesOf(uint32(n))
	}
	return all
}()

// portableScalePowers makes scaleFactor's powers of two of the scales, of top 0, or
// their reciprocals, of top 254<<23.
func portableScalePowers(by, scale *Lanes, top uint32) {
	for l, x := range scale {
		e := x & (0xff << 23)
		power := e
		if top != 0 {
			power = top - e
		}
		switch {
		case e == 0xff<<23:
			power = nanF32
		case power == 0:
			power = 1 << 22
		}
		by[l] = power
	}
}
