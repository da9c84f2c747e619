package alu

import "math"

// Conversions of whole waves to and from formats of at most 8 bits, to the nearest.

// SmallCode is how singles become numbers of a format.
type SmallCode struct {
	format   *SmallFormat
	rounding SmallRounding
	// For the kernel in assembly: what is added before the last place is shifted away,
	// by how much; the difference of the biases; the least normal number; the one that
	// numbers below are added to; the largest number; what stands for larger ones and
	// for NaNs; where the sign goes; the two codes that have no sign; what stands for
	// infinities; the bits of the mantissa.
	fields [13]uint32
}

// Code is the format for the kernel that rounds to it.
func (f *SmallFormat) Code(saturate bool) *SmallCode {
	c := &SmallCode{format: f, rounding: SmallRounding{Saturate: saturate}}
	drop := uint32(23 - f.mantissa)
	c.fields = [13]uint32{
		1<<(drop-1) - 1, drop, uint32(127-f.bias) << f.mantissa, uint32(128-f.bias) << 23,
		math.Float32bits(float32(math.Ldexp(1, 24-f.bias-int(f.mantissa)))), f.largest(),
		f.tooLarge(0, c.rounding), f.Nan(0), uint32(32 - f.Bits()), math.MaxUint32, math.MaxUint32,
		f.Round(math.Inf(1), c.rounding), uint32(f.mantissa),
	}
	if f.specials == minusZeroNaN {
		c.fields[9], c.fields[10] = 0, f.Nan(0)
	}
	return c
}

// portableToSmall converts the singles v; x has their signs, of NaNs too.
func portableToSmall(d, v, x *Lanes, c *SmallCode) {
	for l := range d {
		d[l] = c.of(v[l], x[l], c.rounding)
	}
}

func (c *SmallCode) of(v, x uint32, r SmallRounding) uint32 {
	return c.format.of(v&^(1<<31)|x&(1<<31), r)
}

// portableAtRandom is portableToSmall with the bits after the last place rounded by
// random numbers: added to its first 32 bits, they carry into the last place or do not.
func portableAtRandom(d, v, x, random *Lanes, c *SmallCode) {
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

// ConversionTemp holds a wave's temporaries of one conversion with a scale.
type ConversionTemp struct {
	By, Single, Number, Random Lanes
	Out                        [33]Lanes // the last is for numbers that end where they do
}

// SmallValues is how numbers of a format become singles.
type SmallValues struct {
	singles *[256]uint32 // by the low bits; NaNs have their signs, and no more
	// For the kernel in assembly: how far a number is from the top, and its
	// other bits then from their place in a single; the difference of the biases, also with one
	// more; the largest number as a single's bits.
	fields [5]uint32
}

// Values is the format for the kernel that reads it.
func (f *SmallFormat) Values() *SmallValues {
	v := &SmallValues{singles: f.Singles(), fields: [5]uint32{
		uint32(32 - f.Bits()), uint32(8 - f.exponent), uint32(127-f.bias) << 23, uint32(128-f.bias) << 23, f.largest() << (23 - f.mantissa),
	}}
	for n := range v.singles {
		v.singles[n] = v.singles[n&(1<<f.Bits()-1)]
		if IsNaN32(v.singles[n]) {
			v.singles[n] = nanLike(uint32(n) << (32 - f.Bits()))
		}
	}
	return v
}

// nanLike is the NaN that has the sign of x.
func nanLike(x uint32) uint32 { return x&(1<<31) | 0xff<<23 | Quiet32 }

// portableFromSmall makes singles, times by, of the numbers that start shift above the lowest bit.
func portableFromSmall(d, x, by *Lanes, v *SmallValues, shift uint32) {
	for l := range d {
		s := v.singles[uint8(x[l]>>(shift&31))]
		r := uint32(FromSingle(Float(s) * Float(by[l])))
		if IsNaN32(r) {
			r = nanLike(s)
		}
		d[l] = r
	}
}

// Shifts are the counts of shifts, each for all lanes. Never written.
var Shifts = func() (all [32]Lanes) {
	for n := range all {
		all[n] = LanesOf(uint32(n))
	}
	return all
}()

// portableScalePowers makes ScaleFactor's powers of two of the scales, of top 0, or
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
			power = NanF32
		case power == 0:
			power = 1 << 22
		}
		by[l] = power
	}
}
