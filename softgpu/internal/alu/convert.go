package alu

import (
	"math"
	"math/bits"
)

func Single(a uint64) float64 { return float64(Float(uint32(a))) }

// FromSingle returns the bits of a single.
func FromSingle(x float32) uint64 { return uint64(math.Float32bits(x)) }

func portableCvtF32I32(d, a *Lanes) {
	for i := range d {
		d[i] = math.Float32bits(float32(int32(a[i])))
	}
}

// CvtF32U32 computes v_cvt_f32_u32.
func CvtF32U32(d, a *Lanes) {
	for i := range d {
		d[i] = math.Float32bits(float32(a[i]))
	}
}

// CvtF64I32 computes v_cvt_f64_i32.
func CvtF64I32(a, _, _ uint64) uint64 { return math.Float64bits(float64(int32(a))) }

// CvtF64U32 computes v_cvt_f64_u32.
func CvtF64U32(a, _, _ uint64) uint64 { return math.Float64bits(float64(uint32(a))) }

// CvtF16I16 computes v_cvt_f16_i16.
func CvtF16I16(a, _, _ uint64) uint64 { return uint64(HalfFrom64(float64(int16(a)))) }

// CvtF16U16 computes v_cvt_f16_u16.
func CvtF16U16(a, _, _ uint64) uint64 { return uint64(HalfFrom64(float64(uint16(a)))) }

// CvtF32F64 computes v_cvt_f32_f64.
func CvtF32F64(a, _, _ uint64) uint64 { return FromSingle(float32(Double(a))) }

// CvtF64F32 computes v_cvt_f64_f32.
func CvtF64F32(a, _, _ uint64) uint64 { return math.Float64bits(Single(a)) }

// CvtUbyte converts byte n.
func CvtUbyte(n uint) Kernel1 {
	by, mask := LanesOf(uint32(8*n)), LanesOf(0xff)
	return func(d, a *Lanes) {
		LshrrevB32(d, &by, a)
		AndB32(d, d, &mask)
		CvtF32I32(d, d)
	}
}

// CvtOffF32I4 converts four bits, signed, in sixteenths.
func CvtOffF32I4(a, _, _ uint64) uint64 {
	return FromSingle(float32(int8(a<<4)>>4) / 16)
}

func pkrtzLane(a, b, _ uint64) uint64 {
	return uint64(halfToZero(Single(a))) | uint64(halfToZero(Single(b)))<<16
}

func portableCvtPkrtzF16F32(d, a, b *Lanes) { Bits2(d, a, b, pkrtzLane) }

// Rounding to integral values.

// InDouble computes v_ceil_f16 and its like.
func InDouble(f func(float64) float64) func(float32) float32 {
	return func(x float32) float32 { return float32(f(float64(x))) }
}

// eachF32 makes a kernel of a function on singles.
func eachF32(f func(float32) float32) Kernel1 {
	return func(d, a *Lanes) {
		for i := range d {
			d[i] = uint32(SingleOf(f(Float(a[i])), uint64(a[i]), 0, 0))
		}
	}
}

var (
	portableRndneF32     = eachF32(InDouble(math.RoundToEven))
	portableFloorF32     = eachF32(InDouble(math.Floor))
	portableCeilF32      = eachF32(InDouble(math.Ceil))
	portableTruncF32     = eachF32(InDouble(math.Trunc))
	portableFractF32     = eachF32(fract32)
	portableRcpF32       = eachF32(Rcp32)
	portableSqrtF32      = eachF32(Sqrt32)
	portableRsqF32       = eachF32(Rsq32)
	portableExpF32       = eachF32(Exp32)
	portableLogF32       = eachF32(Log32)
	portableLogLegacyF32 = eachF32(legacy32(Log32))
	portableSinF32       = eachF32(Sin32)
	portableCosF32       = eachF32(Cos32)
)

// fract64 is the distance from the integer below, always less than 1.
func fract64(x float64) float64 {
	r := x - math.Floor(x)
	if r >= 1 {
		return 0x1.fffffffffffffp-1
	}
	return r
}

func fract32(x float32) float32 {
	r := x - float32(math.Floor(float64(x)))
	if r >= 1 {
		return 0x1.fffffep-1
	}
	return r
}

// Fract16 computes v_fract_f16.
func Fract16(x float32) float32 {
	r := x - float32(math.Floor(float64(x)))
	return min(r, 0x1.ffcp-1)
}

// Format is a binary floating-point format: how many bits its mantissa and exponent have.
type Format struct{ Mantissa, Exponent uint }

// Formats of floating-point numbers.
var (
	FormatF16  = Format{10, 5}
	FormatF32  = Format{23, 8}
	FormatF64  = Format{52, 11}
	FormatBF16 = Format{7, 8}
)

func (f Format) biased(x uint64) int { return int(x >> f.Mantissa & (1<<f.Exponent - 1)) }

// Bias is the difference between the stored exponent and the exponent.
func (f Format) Bias() int { return 1<<(f.Exponent-1) - 1 }
func (f Format) fraction(x uint64) uint64 {
	return x & (1<<f.Mantissa - 1)
}

// frexpExp returns the exponent of x as fraction in [0.5,1) times a power of
// two; 0 for zeros, infinities and NaNs.
func (f Format) frexpExp(x uint64) int {
	e, m := f.biased(x), f.fraction(x)
	switch {
	case e == 1<<f.Exponent-1, e == 0 && m == 0:
		return 0
	case e == 0:
		return bits.Len64(m) - int(f.Mantissa) - f.Bias() + 1
	}
	return e - f.Bias() + 1
}

// frexpMant returns that fraction, or x itself where there is none.
func (f Format) frexpMant(x uint64) uint64 {
	e, m := f.biased(x), f.fraction(x)
	sign := x >> (f.Mantissa + f.Exponent) & 1 << (f.Mantissa + f.Exponent)
	switch {
	case e == 1<<f.Exponent-1 && m != 0:
		return x | 1<<(f.Mantissa-1)
	case e == 1<<f.Exponent-1, e == 0 && m == 0:
		return x
	case e == 0:
		m = m << (int(f.Mantissa) + 1 - bits.Len64(m)) & (1<<f.Mantissa - 1)
	}
	return sign | uint64(f.Bias()-1)<<f.Mantissa | m
}

// FrexpExpF16 computes v_frexp_exp_i16_f16.
func FrexpExpF16(a, _, _ uint64) uint64 { return uint64(uint16(FormatF16.frexpExp(a))) }

// FrexpMantF16 computes v_frexp_mant_f16.
func FrexpMantF16(a, _, _ uint64) uint64 { return FormatF16.frexpMant(a & 0xffff) }

// Those of singles and doubles have a short way for normal numbers.

// FrexpExpF32 computes v_frexp_exp_i32_f32.
func FrexpExpF32(d, a *Lanes) {
	for l, x := range a {
		e := x >> 23 & 255
		if d[l] = e - 126; e-1 >= 254 {
			d[l] = uint32(FormatF32.frexpExp(uint64(x)))
		}
	}
}

// FrexpMantF32 computes v_frexp_mant_f32.
func FrexpMantF32(d, a *Lanes) {
	for l, x := range a {
		if d[l] = x&^(255<<23) | 126<<23; x>>23&255-1 >= 254 {
			d[l] = uint32(FormatF32.frexpMant(uint64(x)))
		}
	}
}

// FrexpExpF64 computes v_frexp_exp_i32_f64.
func FrexpExpF64(dl, _, al, ah *Lanes) {
	for l, x := range ah {
		e := x >> 20 & 2047
		r := e - 1022
		if e-1 >= 2046 {
			r = uint32(FormatF64.frexpExp(Join(al[l], x)))
		}
		dl[l] = r
	}
}

// FrexpMantF64 computes v_frexp_mant_f64.
func FrexpMantF64(dl, dh, al, ah *Lanes) {
	for l, x := range ah {
		lo, hi := al[l], x&^(2047<<20)|1022<<20
		if x>>20&2047-1 >= 2046 {
			r := FormatF64.frexpMant(Join(lo, x))
			lo, hi = uint32(r), uint32(r>>32)
		}
		dl[l], dh[l] = lo, hi
	}
}

// LdexpF16 and its like multiply by a power of two with one rounding.
func LdexpF16(temp *[4]Pair, d, a, b, _ *Lanes) {
	power := &temp[0][1]
	for l, n := range b { // no power beyond makes another half
		power[l] = uint32(min(max(int32(int16(n)), -60), 60)+127) << 23
	}
	CvtF32F16(d, a)
	MulF32(d, d, power)
	CvtF16F32(d, d)
}

func portableLdexpF32(d, a, b *Lanes) {
	for i := range d {
		n := min(max(int(int32(b[i])), -400), 400)
		d[i] = uint32(SingleOf(float32(math.Ldexp(float64(Float(a[i])), n)), uint64(a[i]), 0, 0))
	}
}

// LdexpF64 computes v_ldexp_f64.
func LdexpF64(dl, dh, al, ah, bl, _ *Lanes) {
	for l, x := range ah {
		e, lo := int64(x>>20&2047), al[l]
		switch power := e + int64(int32(bl[l])); {
		case uint64(e-1) >= 2046: // not normal
			lo, x = scaled64(lo, x, bl[l])
		case uint64(power-1) < 2046:
			x += bl[l] << 20
		case power > 0:
			lo, x = 0, x&(1<<31)|2047<<20
		case power < -53:
			lo, x = 0, x&(1<<31)
		default:
			lo, x = scaled64(lo, x, bl[l])
		}
		dl[l], dh[l] = lo, x
	}
}

// scaled64 multiplies any number by a power of two.
func scaled64(lo, hi, by uint32) (uint32, uint32) {
	a := Join(lo, hi)
	r := DoubleOf(math.Ldexp(Double(a), min(max(int(int32(by)), -5000), 5000)), a, 0, 0)
	return uint32(r), uint32(r >> 32)
}
