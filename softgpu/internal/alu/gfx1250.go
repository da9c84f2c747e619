package alu

import "math"

// Functions that GFX12.5 has added.

// Tanh32 computes v_tanh_f32 and v_tanh_f16.
func Tanh32(x float32) float32 { return float32(math.Tanh(float64(x))) }

// TanhF32 computes v_tanh_f32.
func TanhF32(d, a *Lanes) {
	for l, x := range a {
		d[l] = uint32(SingleOf(Tanh32(Float(x)), uint64(x), 0, 0))
	}
}

// OnBfloat makes a function of bfloats of one of doubles, rounded to the nearest.
func OnBfloat(f func(float64) float64) LaneFunc {
	return func(a, _, _ uint64) uint64 {
		if OrderBF16.IsNaN(a) {
			return (a | quietBF16) & 0xffff
		}
		r := f(float64(Float(uint32(a) << 16)))
		if r != r {
			return 0xffc0 // as of other invalid operations
		}
		return uint64(Bfloat16.Round(r, SmallRounding{}))
	}
}

// ofSingle is a function of singles, on doubles.
func ofSingle(f func(float32) float32) func(float64) float64 {
	return func(x float64) float64 { return float64(f(float32(x))) }
}

// Functions of bfloats.
var (
	TanhBF16 = OnBfloat(math.Tanh)
	RcpBF16  = OnBfloat(rcp64)
	RsqBF16  = OnBfloat(rsq64)
	SqrtBF16 = OnBfloat(math.Sqrt)
	ExpBF16  = OnBfloat(math.Exp2)
	LogBF16  = OnBfloat(math.Log2)
	SinBF16  = OnBfloat(ofSingle(Sin32))
	CosBF16  = OnBfloat(ofSingle(Cos32))
)

const quietBF16 = 1 << 6

// OrderBF16 is the order of bfloats.
var OrderBF16 = &Order{0x7f80, quietBF16, 48}

// NearestBF16 is the arithmetic of bfloats: rounded to the nearest, with denormals.
var NearestBF16 = Arithmetic{Format: FormatBF16, To: ToNearest}

// Minima and maxima of both halves of registers.
var (
	PkLeastNumberBF16 = bothHalves(OrderBF16.leastNumber)
	PkMostNumberBF16  = bothHalves(OrderBF16.mostNumber)
	PkLeast3F16       = onBoth3(TwoOf(OrderF16.leastNumber, OrderF16.leastNumber))
	PkMost3F16        = onBoth3(TwoOf(OrderF16.mostNumber, OrderF16.mostNumber))
)

// AddMaxI32 adds without overflow, and takes the greater of the sum and a third number.
func AddMaxI32(a, b, c int32) int32 { return max(clampedSum(a, b), c) }

// AddMinI32 takes the lesser.
func AddMinI32(a, b, c int32) int32 { return min(clampedSum(a, b), c) }

func clampedSum(a, b int32) int32 {
	return int32(min(max(int64(a)+int64(b), math.MinInt32), math.MaxInt32))
}

// AddMaxU32 is AddMaxI32 of numbers without a sign.
func AddMaxU32(a, b, c uint32) uint32 {
	return uint32(max(min(uint64(a)+uint64(b), math.MaxUint32), uint64(c)))
}

// AddMinU32 takes the lesser.
func AddMinU32(a, b, c uint32) uint32 {
	return uint32(min(uint64(a)+uint64(b), math.MaxUint32, uint64(c)))
}

// Three of I16 and U16 are of halves of registers.

// AddMaxI16 computes v_pk_add_max_i16.
func AddMaxI16(a, b, c int16) int16 { return max(AddSatI16(a, b), c) }

// AddMinI16 computes v_pk_add_min_i16.
func AddMinI16(a, b, c int16) int16 { return min(AddSatI16(a, b), c) }

// AddMaxU16 computes v_pk_add_max_u16.
func AddMaxU16(a, b, c uint16) uint16 { return max(AddSatU16(a, b), c) }

// AddMinU16 computes v_pk_add_min_u16.
func AddMinU16(a, b, c uint16) uint16 { return min(AddSatU16(a, b), c) }

// Max3I16 computes v_pk_max3_i16.
func Max3I16(a, b, c int16) int16 { return max(a, b, c) }

// Min3I16 computes v_pk_min3_i16.
func Min3I16(a, b, c int16) int16 { return min(a, b, c) }

// Max3U16 computes v_pk_max3_u16.
func Max3U16(a, b, c uint16) uint16 { return max(a, b, c) }

// Min3U16 computes v_pk_min3_u16.
func Min3U16(a, b, c uint16) uint16 { return min(a, b, c) }

// OnWords3 makes a kernel of a function of three words.
func OnWords3[T fullWord](f func(a, b, c T) T) Kernel3 {
	return func(d, a, b, c *Lanes) { Each3(d, a, b, c, f) }
}

// OnPairs3 makes a kernel of a function of three halves.
func OnPairs3[T halfWord](f func(a, b, c T) T) Kernel3 {
	return func(d, a, b, c *Lanes) { Pairs3(d, a, b, c, f) }
}

// SatPk4 limits each byte to four bits: to 0 to 15, or signed bytes to -8 to 7.
func SatPk4(signed bool) LaneFunc {
	return func(a, _, _ uint64) uint64 {
		var r uint64
		for n := range 4 {
			x := uint8(a >> (8 * n))
			if signed {
				x = uint8(min(max(int8(x), -8), 7)) & 15
			}
			r |= uint64(min(x, 15)) << (4 * n)
		}
		return r
	}
}

// PkSmallOfHalves converts both halves of a register to bytes.
func (f *SmallFormat) PkSmallOfHalves(saturate bool) LaneFunc {
	return func(a, _, _ uint64) uint64 {
		return uint64(f.ofHalf(a, SmallRounding{Saturate: saturate}) | f.ofHalf(a>>16, SmallRounding{Saturate: saturate})<<8)
	}
}

func (f *SmallFormat) ofHalf(a uint64, r SmallRounding) uint32 {
	return f.of(uint32(FromSingle(Half(a))), r)
}

// SmallOfHalfAtRandom converts a half, which the second number rounds.
func (f *SmallFormat) SmallOfHalfAtRandom(saturate bool) LaneFunc {
	return func(a, random, _ uint64) uint64 {
		return uint64(f.ofHalf(a, SmallRounding{Saturate: saturate, Stochastic: true, Random: uint32(random)}))
	}
}

// Halves is the half that each byte of a format is.
func (f *SmallFormat) Halves() *[256]uint16 {
	var to [256]uint16
	for x := range to {
		v := f.Value(uint32(x))
		to[x] = uint16(HalfFrom64(v))
		if v != v {
			to[x] = uint16(x)>>7<<15 | 0x7e00
		}
	}
	return &to
}

// NearestF32 is the arithmetic of singles, rounded to the nearest, with denormals.
var NearestF32 = Arithmetic{Format: FormatF32, To: ToNearest}

// FusedBF16 is the fused product and sum of singles, rounded to a bfloat.
func FusedBF16(a, b, c uint64) uint64 { return NearestBF16.Rounded(NearestF32.Fused(a, b, c)) }
