package alu

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

// Those of whole waves truncate numbers in range, and call the above for the rest.

// CvtI32F32 computes v_cvt_i32_f32.
func CvtI32F32(d, a *Lanes) {
	for l, x := range a {
		r := uint32(int32(Float(x)))
		if x&^(1<<31) >= beyondI32 {
			r = uint32(toI32(Single(uint64(x))))
		}
		d[l] = r
	}
}

// CvtU32F32 computes v_cvt_u32_f32.
func CvtU32F32(d, a *Lanes) {
	for l, x := range a {
		x = uint32(max(int32(x), 0)) // 0 for negative numbers
		r := uint32(int64(Float(x)))
		if x >= beyondU32 {
			r = uint32(toU32(Single(uint64(x))))
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

// CvtI32F64 computes v_cvt_i32_f64.
func CvtI32F64(d, _, al, ah *Lanes) {
	for l, x := range ah {
		a := Double(Join(al[l], x))
		r := uint32(int32(a))
		if x&^(1<<31) >= beyondWideI32 {
			r = uint32(toI32(a))
		}
		d[l] = r
	}
}

// CvtU32F64 computes v_cvt_u32_f64.
func CvtU32F64(d, _, al, ah *Lanes) {
	for l, x := range ah {
		x = uint32(max(int32(x), 0))
		a := Double(Join(al[l], x))
		r := uint32(int64(a))
		if x >= beyondWideU32 {
			r = uint32(toU32(a))
		}
		d[l] = r
	}
}

// CvtI16F16 computes v_cvt_i16_f16.
func CvtI16F16(a, _, _ uint64) uint64 { return toI16(float64(Half(a))) }

// CvtU16F16 computes v_cvt_u16_f16.
func CvtU16F16(a, _, _ uint64) uint64 { return toU16(float64(Half(a))) }

// CvtFlrI32F32 computes v_cvt_flr_i32_f32.
func CvtFlrI32F32(d, a *Lanes) {
	FloorF32(d, a)
	CvtI32F32(d, d)
}

// CvtRpiI32F32 rounds to the nearest, halves up: what is above the integer below is
// exact, but for numbers close below 0, whose ones are more than a half anyway.
func CvtRpiI32F32(temp *[4]Pair, d, a, _, _ *Lanes) {
	rest := &temp[0][1]
	FloorF32(d, a)
	SubF32(rest, a, d)
	CvtI32F32(d, d)
	AddcCoU32(d, d, &Zeros, AtMostF32(&halves32, rest))
}

// Constants for all lanes. Never written.
var (
	halves32, ones32      = LanesOf(126 << 23), LanesOf(127 << 23)
	bytes32, units32      = LanesOf(math.Float32bits(math.MaxUint8)), LanesOf(math.Float32bits(1 << 23))
	magnitudes32, signs32 = LanesOf(1<<31 - 1), LanesOf(1 << 31)
	normsI16, normsU16    = LanesOf(math.Float32bits(math.MaxInt16)), LanesOf(math.Float32bits(math.MaxUint16))
	signedUnits32         = LanesOf(math.Float32bits(3 << 22))
	leastI16, mostI16     = LanesOf(1<<32 + math.MinInt16), LanesOf(math.MaxInt16)
	lowBytes, bytePairs   = LanesOf(math.MaxUint8), LanesOf(math.MaxUint8<<16 | math.MaxUint8)
	evenBytes             = LanesOf(0x0c0c0200)
)

// CvtPkU16U32 computes v_cvt_pk_u16_u32.
func CvtPkU16U32(temp *[4]Pair, d, a, b, _ *Lanes) {
	MinU32(d, a, &LowHalves)
	MinU32(&temp[0][1], b, &LowHalves)
	LshlOrB32(d, &temp[0][1], &Sixteens, d)
}

// CvtPkI16I32 computes v_cvt_pk_i16_i32.
func CvtPkI16I32(temp *[4]Pair, d, a, b, _ *Lanes) {
	y := &temp[0][1]
	for _, half := range [2]struct{ to, from *Lanes }{{d, a}, {y, b}} {
		MaxI32(half.to, half.from, &leastI16)
		MinI32(half.to, half.to, &mostI16)
	}
	AndB32(d, d, &LowHalves)
	LshlOrB32(d, y, &Sixteens, d)
}

// normI16 and normU16 scale [-1,1] and [0,1] to the range of an integer.
func normI16(x float64) uint64 {
	return toI16(math.RoundToEven(min(max(x, -1), 1) * math.MaxInt16))
}

func normU16(x float64) uint64 {
	return toU16(math.RoundToEven(min(max(x, 0), 1) * math.MaxUint16))
}

// CvtNormI16F16 computes v_cvt_norm_i16_f16.
func CvtNormI16F16(a, _, _ uint64) uint64 { return normI16(float64(Half(a))) }

// CvtNormU16F16 computes v_cvt_norm_u16_f16.
func CvtNormU16F16(a, _, _ uint64) uint64 { return normU16(float64(Half(a))) }

// NormLanesI16 and NormLanesU16 do so with the singles of a. The upper half of each result is arbitrary; d must differ
// from the sources. Adding a number whose last place is 1 rounds the product, which is exact.

// NormLanesI16 computes v_cvt_pknorm_i16_f32 and v_cvt_pknorm_i16_f16.
func NormLanesI16(d, a *Lanes) {
	AndB32(d, a, &magnitudes32)
	MinU32(d, d, &ones32)
	AndOrB32(d, a, &signs32, d)
	FmaF32(d, d, &normsI16, &signedUnits32)
	zeroNaNs(d, a)
}

// NormLanesU16 computes v_cvt_pknorm_u16_f16 and v_cvt_pknorm_u16_f32.
func NormLanesU16(d, a *Lanes) {
	MaxI32(d, a, &Zeros)
	MinI32(d, d, &ones32)
	FmaF32(d, d, &normsU16, &units32)
	zeroNaNs(d, a)
}

// zeroNaNs makes zeros of the lanes that are NaNs in a.
func zeroNaNs(d, a *Lanes) {
	if m := OrderedF32(a, a); m != Full {
		SelectLanes(d, &Zeros, d, m)
	}
}

// CvtPknormF32 makes a kernel that packs two singles.
func CvtPknormF32(norm Kernel1) TempKernel3 {
	return func(temp *[4]Pair, d, a, b, _ *Lanes) {
		y := &temp[0][1]
		norm(d, a)
		norm(y, b)
		AndB32(d, d, &LowHalves)
		LshlOrB32(d, y, &Sixteens, d)
	}
}

// CvtPknormF16 makes one that packs two halves.
func CvtPknormF16(norm Kernel1) TempKernel3 {
	k := CvtPknormF32(norm)
	return func(temp *[4]Pair, d, a, b, _ *Lanes) {
		x, y := &temp[1][1], &temp[2][1]
		CvtF32F16(x, a)
		CvtF32F16(y, b)
		k(temp, d, x, y, nil)
	}
}

// CvtPkU8F32 puts a number into byte b of c.
func CvtPkU8F32(temp *[4]Pair, d, a, b, c *Lanes) {
	at, written := &temp[0][1], &temp[1][1]
	MaxI32(d, a, &Zeros)
	MinI32(d, d, &bytes32)
	AddF32(d, d, &units32)
	zeroNaNs(d, a)
	LshlrevB32(at, &Shifts[3], b)
	LshlrevB32(d, at, d)
	LshlrevB32(written, at, &lowBytes)
	XorB32(d, d, c)
	AndB32(d, d, written)
	XorB32(d, d, c)
}

// SatPkU8I16 packs the two halves of a.
func SatPkU8I16(d, a *Lanes) {
	PkMaxI16(d, a, &Zeros)
	PkMinI16(d, d, &bytePairs)
	PermB32(d, d, d, &evenBytes)
}

// Bfrev reverses the bits of each lane.
func Bfrev(d, a *Lanes) {
	to := pairs(d)
	for l, x := range pairs(a) {
		to[l] = bits.RotateLeft64(bits.Reverse64(x), 32)
	}
}
