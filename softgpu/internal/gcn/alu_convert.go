package gcn

import (
	"math"
	"math/bits"
)

func single(a uint64) float64 { return float64(float(uint32(a))) }

func fromSingle(x float32) uint64 { return uint64(math.Float32bits(x)) }

func portableCvtF32I32(d, a *Lanes) {
	for i := range d {
		d[i] = math.Float32bits(float32(int32(a[i])))
	}
}

func cvtF32U32(d, a *Lanes) {
	for i := range d {
		d[i] = math.Float32bits(float32(a[i]))
	}
}

func cvtF64I32(a, _, _ uint64) uint64 { return math.Float64bits(float64(int32(a))) }
func cvtF64U32(a, _, _ uint64) uint64 { return math.Float64bits(float64(uint32(a))) }
func cvtF16I16(a, _, _ uint64) uint64 { return uint64(halfFrom64(float64(int16(a)))) }
func cvtF16U16(a, _, _ uint64) uint64 { return uint64(halfFrom64(float64(uint16(a)))) }

func cvtF32F64(a, _, _ uint64) uint64 { return fromSingle(float32(double(a))) }
func cvtF64F32(a, _, _ uint64) uint64 { return math.Float64bits(single(a)) }

// cvtUbyte converts byte n.
func cvtUbyte(n uint) kernel1 {
	by, mask := lanesOf(uint32(8*n)), lanesOf(0xff)
	return func(d, a *Lanes) {
		lshrrevB32(d, &by, a)
		andB32(d, d, &mask)
		cvtF32I32(d, d)
	}
}

// cvtOffF32I4 converts four bits, signed, in sixteenths.
func cvtOffF32I4(a, _, _ uint64) uint64 {
	return fromSingle(float32(int8(a<<4)>>4) / 16)
}

func pkrtzLane(a, b, _ uint64) uint64 {
	return uint64(halfToZero(single(a))) | uint64(halfToZero(single(b)))<<16
}

func portableCvtPkrtzF16F32(d, a, b *Lanes) { bits2(d, a, b, pkrtzLane) }

// Rounding to integral values.

func inDouble(f func(float64) float64) func(float32) float32 {
	return func(x float32) float32 { return float32(f(float64(x))) }
}

// eachF32 makes a kernel of a function on singles.
func eachF32(f func(float32) float32) kernel1 {
	return func(d, a *Lanes) {
		for i := range d {
			d[i] = uint32(singleOf(f(float(a[i])), uint64(a[i]), 0, 0))
		}
	}
}

var (
	portableRndneF32     = eachF32(inDouble(math.RoundToEven))
	portableFloorF32     = eachF32(inDouble(math.Floor))
	portableCeilF32      = eachF32(inDouble(math.Ceil))
	portableTruncF32     = eachF32(inDouble(math.Trunc))
	portableFractF32     = eachF32(fract32)
	portableRcpF32       = eachF32(rcp32)
	portableSqrtF32      = eachF32(sqrt32)
	portableRsqF32       = eachF32(rsq32)
	portableExpF32       = eachF32(exp32)
	portableLogF32       = eachF32(log32)
	portableLogLegacyF32 = eachF32(legacy32(log32))
	portableSinF32       = eachF32(sin32)
	portableCosF32       = eachF32(cos32)
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

func fract16(x float32) float32 {
	r := x - float32(math.Floor(float64(x)))
	return min(r, 0x1.ffcp-1)
}

// format is a binary floating-point format: how many bits its mantissa and exponent have.
type format struct{ mantissa, exponent uint }

// Formats of floating-point numbers.
var (
	formatF16  = format{10, 5}
	formatF32  = format{23, 8}
	formatF64  = format{52, 11}
	formatBF16 = format{7, 8}
)

func (f format) biased(x uint64) int { return int(x >> f.mantissa & (1<<f.exponent - 1)) }
func (f format) bias() int           { return 1<<(f.exponent-1) - 1 }
func (f format) fraction(x uint64) uint64 {
	return x & (1<<f.mantissa - 1)
}

// frexpExp returns the exponent of x as fraction in [0.5,1) times a power of
// two; 0 for zeros, infinities and NaNs.
func (f format) frexpExp(x uint64) int {
	e, m := f.biased(x), f.fraction(x)
	switch {
	case e == 1<<f.exponent-1, e == 0 && m == 0:
		return 0
	case e == 0:
		return bits.Len64(m) - int(f.mantissa) - f.bias() + 1
	}
	return e - f.bias() + 1
}

// frexpMant returns that fraction, or x itself where there is none.
func (f format) frexpMant(x uint64) uint64 {
	e, m := f.biased(x), f.fraction(x)
	sign := x >> (f.mantissa + f.exponent) & 1 << (f.mantissa + f.exponent)
	switch {
	case e == 1<<f.exponent-1 && m != 0:
		return x | 1<<(f.mantissa-1)
	case e == 1<<f.exponent-1, e == 0 && m == 0:
		return x
	case e == 0:
		m = m << (int(f.mantissa) + 1 - bits.Len64(m)) & (1<<f.mantissa - 1)
	}
	return sign | uint64(f.bias()-1)<<f.mantissa | m
}

func frexpExpF16(a, _, _ uint64) uint64  { return uint64(uint16(formatF16.frexpExp(a))) }
func frexpMantF16(a, _, _ uint64) uint64 { return formatF16.frexpMant(a & 0xffff) }

// Those of singles and doubles have a short way for normal numbers.

func frexpExpF32(d, a *Lanes) {
	for l, x := range a {
		e := x >> 23 & 255
		if d[l] = e - 126; e-1 >= 254 {
			d[l] = uint32(formatF32.frexpExp(uint64(x)))
		}
	}
}

func frexpMantF32(d, a *Lanes) {
	for l, x := range a {
		if d[l] = x&^(255<<23) | 126<<23; x>>23&255-1 >= 254 {
			d[l] = uint32(formatF32.frexpMant(uint64(x)))
		}
	}
}

func frexpExpF64(dl, _, al, ah *Lanes) {
	for l, x := range ah {
		e := x >> 20 & 2047
		r := e - 1022
		if e-1 >= 2046 {
			r = uint32(formatF64.frexpExp(join(al[l], x)))
		}
		dl[l] = r
	}
}

func frexpMantF64(dl, dh, al, ah *Lanes) {
	for l, x := range ah {
		lo, hi := al[l], x&^(2047<<20)|1022<<20
		if x>>20&2047-1 >= 2046 {
			r := formatF64.frexpMant(join(lo, x))
			lo, hi = uint32(r), uint32(r>>32)
		}
		dl[l], dh[l] = lo, hi
	}
}

// ldexpF16 and its like multiply by a power of two with one rounding.
func ldexpF16(temp *[4]Pair, d, a, b, _ *Lanes) {
	power := &temp[0][1]
	for l, n := range b { // no power beyond makes another half
		power[l] = uint32(min(max(int32(int16(n)), -60), 60)+127) << 23
	}
	cvtF32F16(d, a)
	mulF32(d, d, power)
	cvtF16F32(d, d)
}

func portableLdexpF32(d, a, b *Lanes) {
	for i := range d {
		n := min(max(int(int32(b[i])), -400), 400)
		d[i] = uint32(singleOf(float32(math.Ldexp(float64(float(a[i])), n)), uint64(a[i]), 0, 0))
	}
}

func ldexpF64(dl, dh, al, ah, bl, _ *Lanes) {
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
	a := join(lo, hi)
	r := doubleOf(math.Ldexp(double(a), min(max(int(int32(by)), -5000), 5000)), a, 0, 0)
	return uint32(r), uint32(r >> 32)
}
