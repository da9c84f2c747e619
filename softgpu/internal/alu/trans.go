package alu

import (
	"math"
	"sync"
)

// The approximations of hardware, correctly rounded or nearly so here.

// Rcp32 computes v_rcp_f16.
func Rcp32(x float32) float32 { return 1 / x }

// Rsq32 computes v_rsq_f16.
func Rsq32(x float32) float32 { return float32(1 / math.Sqrt(float64(x))) }

// Sqrt32 computes v_sqrt_f16.
func Sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }
func rcp64(x float64) float64  { return 1 / x }
func rsq64(x float64) float64  { return 1 / math.Sqrt(x) }

// Exp32 computes v_exp_f16.
func Exp32(x float32) float32 { return float32(math.Exp2(float64(x))) }

// Log32 computes v_log_f16.
func Log32(x float32) float32 { return float32(math.Log2(float64(x))) }

// legacy32 makes an infinite result of f the largest finite number.
func legacy32(f func(float32) float32) func(float32) float32 {
	return func(x float32) float32 {
		return min(max(f(x), -math.MaxFloat32), math.MaxFloat32)
	}
}

// ExpLegacyF32 has no infinite results.
func ExpLegacyF32(d, a *Lanes) {
	ExpF32(d, a)
	for l, x := range d {
		if x == 0xff<<23 {
			d[l] = x - 1
		}
	}
}

// Sine and cosine take arguments in turns; beyond 256 turns they return the result for 0.
const maxTurns = 256

// turn returns sine and cosine of x turns, exact at multiples of a quarter.
func turn(x float64) (sin, cos float64) {
	if math.IsInf(x, 0) || x != x {
		return math.NaN(), math.NaN()
	}
	quarter := math.RoundToEven(x * 4)
	s, c := math.Sincos((x - quarter/4) * (2 * math.Pi))
	switch int64(quarter) & 3 {
	case 1:
		s, c = c, -s
	case 2:
		s, c = -s, -c
	case 3:
		s, c = -c, s
	}
	return s + 0, c + 0
}

// Sin32 computes v_sin_f16.
func Sin32(x float32) float32 {
	if x == 0 || math.Abs(float64(x)) > maxTurns && !math.IsInf(float64(x), 0) {
		return float32(math.Copysign(0, float64(x)))
	}
	s, _ := turn(float64(x))
	return float32(s)
}

// Cos32 computes v_cos_f16.
func Cos32(x float32) float32 {
	if math.Abs(float64(x)) > maxTurns && !math.IsInf(float64(x), 0) {
		return 1
	}
	_, c := turn(float64(x))
	return float32(c)
}

// twoOverPi are the first 1,216 bits of the binary fraction of 2/pi.
var twoOverPi = [...]uint64{
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
}

// preopBits is how many bits of 2/pi the hardware has.
const preopBits = 1201

// TrigPreopF64 returns the 53 bits of 2/pi that matter for segment b of the
// reduction of a number as large as a.
func TrigPreopF64(dl, dh, _, ah, bl, _ *Lanes) {
	t := segmentsOfTwoOverPi()
	for l, x := range ah {
		r := t.segments[t.first[x>>20&2047]+bl[l]&31*53]
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

// piTable has doubles of 53 bits of 2/pi from each bit on, and after them such for
// large numbers, greater by 2**128.
type piTable struct {
	first    [2048]uint32 // segment 0 of numbers of each exponent
	segments [2 * piSegments]uint64
}

const (
	piExponent = 1077 // below it all begin with the first bit
	piLarge    = 1968
	piSegments = 31*53 + 2047 - piExponent + 1
)

var segmentsOfTwoOverPi = sync.OnceValue(func() *piTable {
	t := new(piTable)
	for e := range uint32(2048) {
		if t.first[e] = max(e, piExponent) - piExponent; e >= piLarge {
			t.first[e] += piSegments
		}
	}
	for shift := range piSegments {
		m := float64(bitsOfTwoOverPi(shift))
		t.segments[shift] = math.Float64bits(math.Ldexp(m, -53-shift))
		t.segments[piSegments+shift] = math.Float64bits(math.Ldexp(m, 128-53-shift))
	}
	return t
})

// bitsOfTwoOverPi returns 53 bits from one on, as far as the hardware has them.
func bitsOfTwoOverPi(from int) uint64 {
	if from >= preopBits {
		return 0
	}
	at, skip := from/64, uint(from%64)
	m := twoOverPi[at] << skip
	if at+1 < len(twoOverPi) {
		m |= twoOverPi[at+1] >> (64 - skip)
	}
	if left := preopBits - from; left < 64 {
		m = m >> (64 - left) << (64 - left)
	}
	return m >> 11
}
