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
	// for NaNs; where the sign goes; the two codes that have no sign.
	fields [11]uint32
}

func (f *smallFormat) code(saturate bool) *smallCode {
	c := &smallCode{format: f, rounding: smallRounding{saturate: saturate}}
	drop := uint32(23 - f.mantissa)
	c.fields = [11]uint32{
		1<<(drop-1) - 1, drop, uint32(127-f.bias) << f.mantissa, uint32(128-f.bias) << 23,
		math.Float32bits(float32(math.Ldexp(1, 24-f.bias-int(f.mantissa)))), f.largest(),
		f.tooLarge(0, c.rounding), f.nan(0), uint32(32 - f.bits()), math.MaxUint32, math.MaxUint32,
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

// atRandom is portableToSmall with what is behind the last place rounded by random numbers.
func atRandom(d, v, x, random *Lanes, c *smallCode) {
	drop, least, largest := c.fields[1]&31, c.fields[3], c.fields[5]
	for l, bits := range v {
		abs := bits &^ (1 << 31)
		r := (abs+random[l]>>(32-drop))>>drop - c.fields[2]
		if abs < least || abs >= 0xff<<23 || r > largest {
			d[l] = c.of(bits, x[l], smallRounding{true, random[l], c.rounding.saturate})
			continue
		}
		d[l] = bits>>31<<(31-c.fields[8]) | r
	}
}

// wholeWave does the work of step for conversions in the usual MODE.
func (b *boundConversion) wholeWave(w *Wave, in *[33]*Lanes, scale, random *Lanes, saturate bool) {
	var by, x, v, next Lanes
	scalePowers(&by, scale, b.top)
	var few [2]Lanes
	out, words := few[:], 1
	if b.count > 2 {
		var many [33]Lanes
		out = many[:]
	}
	for k := range b.count {
		b.singles(&x, in, k)
		mulF32(&v, &x, &by)
		at := uint(k) * b.to.bits()
		words = int(at/32) + 1
		to := &out[at/32]
		switch {
		case b.narrow:
			b.widen(&v, &x)
		case b.conversion.random:
			atRandom(&v, &v, &x, random, b.codes[asBit(saturate)])
			for l, r := range random {
				next[l] = prng(r)
			}
			random = &next
		default:
			toSmall(&v, &v, &x, b.codes[asBit(saturate)])
		}
		lshlOrB32(to, &v, &shifts[at%32], to)
		if end := at%32 + b.to.bits(); end > 32 {
			lshrrevB32(&v, &shifts[b.to.bits()-(end-32)], &v)
			words++
			out[at/32+1] = v
		}
	}
	if b.mask != 0 {
		andB32(&v, b.dst.of(w, 0), &b.keep)
		lshlOrB32(&out[0], &out[0], &shifts[b.at], &v)
	}
	for r := range words {
		blend(b.dst.of(w, r), &out[r], w.Exec())
	}
}

// widen makes singles v the larger format's numbers, of which x are the signs.
func (b *boundConversion) widen(v, x *Lanes) {
	if orderedF32(v, v) != full {
		for l, bits := range v {
			if isNaN32(bits) {
				v[l] = x[l]&(1<<31) | 0xff<<23 | quiet32
			}
		}
	}
	switch b.to {
	case &smallF16:
		cvtF16F32(v, v)
	case &bfloat16:
		cvtPkBf16F32(v, v, &zeros)
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

// singles makes singles of number k of each lane.
func (b *boundConversion) singles(x *Lanes, in *[33]*Lanes, k int) {
	word, shift, operand := b.place(k)
	size := b.from.bits()
	low, high, clear, flip := in[word], &zeros, b.clear[operand], b.flip[operand]
	if shift+size > 32 {
		high = in[word+1]
	}
	mask := uint32(1<<size - 1)
	if b.narrow {
		for l := range x {
			x[l] = b.values[uint8((low[l]>>shift|high[l]<<((32-shift)&31))&mask)]
		}
		return
	}
	if shift != 0 {
		lshrrevB32(x, &shifts[shift], low)
	} else {
		*x = *low
	}
	if clear|flip != 0 {
		alterBits(x, clear, flip) // of both halves, or of what is a whole
	}
	switch b.from {
	case &smallF16:
		cvtF32F16(x, x)
	case &bfloat16:
		lshlrevB32(x, &sixteens, x)
	}
}
