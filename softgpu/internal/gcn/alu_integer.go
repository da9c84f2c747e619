package gcn

import (
	"math"
	"math/bits"
)

// Conversions to integers: truncate, saturate, NaN gives 0.

func toI32(x float64) uint64 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt32:
		return math.MaxInt32
	case x <= math.MinInt32:
		return 1 << 31
	}
	return uint64(uint32(int32(x)))
}

func toU32(x float64) uint64 {
	switch {
	case x >= math.MaxUint32:
		return math.MaxUint32
	case x > 0:
		return uint64(x)
	}
	return 0
}

func toI16(x float64) uint64 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt16:
		return math.MaxInt16
	case x <= math.MinInt16:
		return 1 << 15
	}
	return uint64(uint16(int16(x)))
}

func toU16(x float64) uint64 { return min(toU32(x), math.MaxUint16) }

// Those of whole waves truncate what is in range, and ask the above for the rest.

func cvtI32F32(d, a *Lanes) {
	for l, x := range a {
		r := uint32(int32(float(x)))
		if x&^(1<<31) >= beyondI32 {
			r = uint32(toI32(single(uint64(x))))
		}
		d[l] = r
	}
}

func cvtU32F32(d, a *Lanes) {
	for l, x := range a {
		x = uint32(max(int32(x), 0)) // 0 for what is negative
		r := uint32(int64(float(x)))
		if x >= beyondU32 {
			r = uint32(toU32(single(uint64(x))))
		}
		d[l] = r
	}
}

// 2**31 and 2**32 as singles, and the upper words of them as doubles.
const (
	beyondI32     = 158 << 23
	beyondU32     = 159 << 23
	beyondWideI32 = 1054 << 20
	beyondWideU32 = 1055 << 20
)

func cvtI32F64(d, _, al, ah *Lanes) {
	for l, x := range ah {
		a := double(join(al[l], x))
		r := uint32(int32(a))
		if x&^(1<<31) >= beyondWideI32 {
			r = uint32(toI32(a))
		}
		d[l] = r
	}
}

func cvtU32F64(d, _, al, ah *Lanes) {
	for l, x := range ah {
		x = uint32(max(int32(x), 0))
		a := double(join(al[l], x))
		r := uint32(int64(a))
		if x >= beyondWideU32 {
			r = uint32(toU32(a))
		}
		d[l] = r
	}
}

func cvtI16F16(a, _, _ uint64) uint64 { return toI16(float64(half(a))) }
func cvtU16F16(a, _, _ uint64) uint64 { return toU16(float64(half(a))) }

func cvtFlrI32F32(d, a *Lanes) {
	floorF32(d, a)
	cvtI32F32(d, d)
}

// cvtRpiI32F32 rounds to the nearest, halves up: what is above the integer below is
// exact, but for numbers close below 0, whose ones are more than a half anyway.
func cvtRpiI32F32(temp *[4]Pair, d, a, _, _ *Lanes) {
	rest := &temp[0][1]
	floorF32(d, a)
	subF32(rest, a, d)
	cvtI32F32(d, d)
	addcCoU32(d, d, &zeros, atMostF32(&halves32, rest))
}

// Constants for all lanes. Never written.
var (
	halves32, ones32      = lanesOf(126 << 23), lanesOf(127 << 23)
	bytes32, units32      = lanesOf(math.Float32bits(math.MaxUint8)), lanesOf(math.Float32bits(1 << 23))
	magnitudes32, signs32 = lanesOf(1<<31 - 1), lanesOf(1 << 31)
	normsI16, normsU16    = lanesOf(math.Float32bits(math.MaxInt16)), lanesOf(math.Float32bits(math.MaxUint16))
	signedUnits32         = lanesOf(math.Float32bits(3 << 22))
	leastI16, mostI16     = lanesOf(1<<32 + math.MinInt16), lanesOf(math.MaxInt16)
	lowBytes, bytePairs   = lanesOf(math.MaxUint8), lanesOf(math.MaxUint8<<16 | math.MaxUint8)
	evenBytes             = lanesOf(0x0c0c0200)
)

func cvtPkU16U32(temp *[4]Pair, d, a, b, _ *Lanes) {
	minU32(d, a, &lowHalves)
	minU32(&temp[0][1], b, &lowHalves)
	lshlOrB32(d, &temp[0][1], &sixteens, d)
}

func cvtPkI16I32(temp *[4]Pair, d, a, b, _ *Lanes) {
	y := &temp[0][1]
	for _, half := range [2]struct{ to, from *Lanes }{{d, a}, {y, b}} {
		maxI32(half.to, half.from, &leastI16)
		minI32(half.to, half.to, &mostI16)
	}
	andB32(d, d, &lowHalves)
	lshlOrB32(d, y, &sixteens, d)
}

// normI16 and normU16 scale [-1,1] and [0,1] to the range of an integer.
func normI16(x float64) uint64 {
	return toI16(math.RoundToEven(min(max(x, -1), 1) * math.MaxInt16))
}

func normU16(x float64) uint64 {
	return toU16(math.RoundToEven(min(max(x, 0), 1) * math.MaxUint16))
}

func cvtNormI16F16(a, _, _ uint64) uint64 { return normI16(float64(half(a))) }
func cvtNormU16F16(a, _, _ uint64) uint64 { return normU16(float64(half(a))) }

// normLanesI16 and normLanesU16 do so with the singles of a. Above the low half of a lane
// the result is anything; d is none of the sources. Adding a number whose last place is 1
// rounds the product, which is exact.

func normLanesI16(d, a *Lanes) {
	andB32(d, a, &magnitudes32)
	minU32(d, d, &ones32)
	andOrB32(d, a, &signs32, d)
	fmaF32(d, d, &normsI16, &signedUnits32)
	zeroNaNs(d, a)
}

func normLanesU16(d, a *Lanes) {
	maxI32(d, a, &zeros)
	minI32(d, d, &ones32)
	fmaF32(d, d, &normsU16, &units32)
	zeroNaNs(d, a)
}

// zeroNaNs makes zeros of the lanes that are NaNs in a.
func zeroNaNs(d, a *Lanes) {
	if m := orderedF32(a, a); m != full {
		selectLanes(d, &zeros, d, m)
	}
}

// cvtPknormF32 makes a kernel that packs two singles.
func cvtPknormF32(norm kernel1) tempKernel3 {
	return func(temp *[4]Pair, d, a, b, _ *Lanes) {
		y := &temp[0][1]
		norm(d, a)
		norm(y, b)
		andB32(d, d, &lowHalves)
		lshlOrB32(d, y, &sixteens, d)
	}
}

// cvtPknormF16 makes one that packs two halves.
func cvtPknormF16(norm kernel1) tempKernel3 {
	k := cvtPknormF32(norm)
	return func(temp *[4]Pair, d, a, b, _ *Lanes) {
		x, y := &temp[1][1], &temp[2][1]
		cvtF32F16(x, a)
		cvtF32F16(y, b)
		k(temp, d, x, y, nil)
	}
}

// cvtPkU8F32 puts a number into byte b of c.
func cvtPkU8F32(temp *[4]Pair, d, a, b, c *Lanes) {
	at, written := &temp[0][1], &temp[1][1]
	maxI32(d, a, &zeros)
	minI32(d, d, &bytes32)
	addF32(d, d, &units32)
	zeroNaNs(d, a)
	lshlrevB32(at, &shifts[3], b)
	lshlrevB32(d, at, d)
	lshlrevB32(written, at, &lowBytes)
	xorB32(d, d, c)
	andB32(d, d, written)
	xorB32(d, d, c)
}

// satPkU8I16 packs the two halves of a.
func satPkU8I16(d, a *Lanes) {
	pkMaxI16(d, a, &zeros)
	pkMinI16(d, d, &bytePairs)
	permB32(d, d, d, &evenBytes)
}

// bfrev reverses the bits of each lane.
func bfrev(d, a *Lanes) {
	to := pairs(d)
	for l, x := range pairs(a) {
		to[l] = bits.RotateLeft64(bits.Reverse64(x), 32)
	}
}
