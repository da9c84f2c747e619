package rows

import (
	"math"
	"math/big"
	"slices"
)

// A second implementation of the formats of buffers, which knows where components are by a list of its own.

// refWidths are the bits of each component, the first in the lowest bits.
var refWidths = map[string][]uint{
	"8": {8}, "16": {16}, "8_8": {8, 8}, "32": {32}, "16_16": {16, 16}, "10_11_11": {11, 11, 10}, "11_11_10": {10, 11, 11},
	"10_10_10_2": {2, 10, 10, 10}, "2_10_10_10": {10, 10, 10, 2}, "8_8_8_8": {8, 8, 8, 8}, "32_32": {32, 32},
	"16_16_16_16": {16, 16, 16, 16}, "32_32_32": {32, 32, 32}, "32_32_32_32": {32, 32, 32, 32},
}

// refHalves are the finite halves that are not negative, with their bits as index.
var refHalves = func() (all []*big.Rat) {
	for h := range 0x7c00 {
		mantissa, exponent := int64(h&0x3ff), h>>10
		if exponent == 0 {
			exponent = 1
		} else {
			mantissa |= 1 << 10
		}
		all = append(all, new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(mantissa), uint(exponent)), new(big.Int).Lsh(big.NewInt(1), 25)))
	}
	return all
}()

// nearestHalf rounds to the nearest half, ties to even.
func nearestHalf(x *big.Rat) uint32 {
	sign := uint32(0)
	if x.Sign() < 0 {
		sign, x = 0x8000, new(big.Rat).Neg(x)
	}
	at, found := slices.BinarySearchFunc(refHalves, x, func(a, b *big.Rat) int { return a.Cmp(b) })
	switch {
	case found:
	case at == len(refHalves):
		if x.Cmp(big.NewRat(65520, 1)) < 0 {
			at--
		}
	default:
		below, above := new(big.Rat).Sub(x, refHalves[at-1]), new(big.Rat).Sub(refHalves[at], x)
		if c := below.Cmp(above); c < 0 || c == 0 && at&1 != 0 {
			at--
		}
	}
	return sign | uint32(at)
}

// floatOf is the value of a float of 10, 11, 16 or 32 bits; ok is false for infinities and NaNs.
func floatOf(v uint32, width uint) (x *big.Rat, ok bool) {
	if width == 32 {
		f := math.Float32frombits(v)
		return new(big.Rat).SetFloat64(float64(f)), f-f == 0
	}
	exponents, mantissas := v, map[uint]uint{10: 5, 11: 6, 16: 10}[width]
	if width == 16 {
		exponents &= 0x7fff
	}
	if exponents>>mantissas == 31 {
		return nil, false
	}
	x = new(big.Rat).Set(refHalves[exponents<<(10-mantissas)])
	if width == 16 && v>>15 != 0 {
		x.Neg(x)
	}
	return x, true
}

// refLoad converts a component to a register or, with half, to half of one. ok is false where no rational says it.
func refLoad(number string, v uint32, width uint, half bool) (r uint32, ok bool) {
	signed := int64(v)
	if v>>(width-1) != 0 {
		signed -= 1 << width
	}
	var x *big.Rat
	switch number {
	case "UINT", "SINT":
		if number == "SINT" {
			v = uint32(signed)
		}
		if half {
			v &= 0xffff
		}
		return v, true
	case "UNORM":
		x = big.NewRat(int64(v), 1<<width-1)
	case "SNORM":
		x = big.NewRat(max(signed, -(1<<(width-1)-1)), 1<<(width-1)-1)
	case "USCALED":
		x = big.NewRat(int64(v), 1)
	case "SSCALED":
		x = big.NewRat(signed, 1)
	case "FLOAT":
		if half && width == 16 || !half && width == 32 {
			return v, true
		}
		if x, ok = floatOf(v, width); !ok {
			return 0, false
		}
		if x.Sign() == 0 && v != 0 { // -0
			return map[bool]uint32{true: 0x8000, false: 1 << 31}[half], true
		}
	}
	if half {
		return nearestHalf(x), true
	}
	f, _ := x.Float32()
	return math.Float32bits(f), true
}

// refStore converts a register or half of one to the bits of a component.
func refStore(number string, v uint32, width uint, half bool) (bits uint32, ok bool) {
	in := uint(32)
	if half {
		in = 16
	}
	most := int64(1)<<width - 1
	switch number {
	case "UINT":
		return uint32(min(int64(v), most)), true
	case "SINT":
		x := int64(v)
		if x>>(in-1) != 0 {
			x -= 1 << in
		}
		return uint32(min(max(x, -(most/2)-1), most/2)) & uint32(most), true
	case "FLOAT":
		if in == width {
			return v, true
		}
		x, finite := floatOf(v, in)
		switch {
		case !finite || x.Sign() == 0:
			return 0, false
		case width == 16:
			return nearestHalf(x), true
		}
		f, _ := x.Float32()
		return math.Float32bits(f), true
	}
	x, finite := floatOf(v, in)
	negative := v>>(in-1) != 0
	if !finite {
		if half && v&0x7fff > 0x7c00 || math.IsNaN(float64(math.Float32frombits(v))) && !half {
			return 0, false // a NaN, of which TestStoresByFormatOfNaN knows
		}
		if x = big.NewRat(2, 1); negative {
			x.Neg(x)
		}
	}
	least, scale := new(big.Rat), most
	if number == "SNORM" {
		least, scale = big.NewRat(-1, 1), most/2
	}
	if x.Cmp(least) < 0 {
		x = least
	}
	if one := big.NewRat(1, 1); x.Cmp(one) > 0 {
		x = one
	}
	x = new(big.Rat).Mul(x, big.NewRat(scale, 1))
	// The nearest integer, ties to even: of twice x the floor tells it.
	twice := new(big.Rat).Mul(x, big.NewRat(2, 1))
	floor := new(big.Int).Div(twice.Num(), twice.Denom())
	n := floor.Int64() >> 1
	if floor.Int64()&1 != 0 {
		if tie := new(big.Rat).SetInt(floor).Cmp(twice) == 0; !tie || n&1 != 0 {
			n++
		}
	}
	return uint32(n) & uint32(most), true
}
