package rows

import (
	"math"
	"math/big"
)

// The second implementation: one lane at a time, slow and obvious. Numbers go
// through math/big, which rounds once.

// exact is the value of a finite number.
func exact(x float64) *big.Float { return new(big.Float).SetPrec(6000).SetFloat64(x) }

func bigFMA(a, b, c float64) *big.Float {
	p := new(big.Float).SetPrec(6000).Mul(exact(a), exact(b))
	return p.Add(p, exact(c))
}

func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// round32 and round64 round an exact result; a zero takes its sign from z.
func round32(x *big.Float, z float64) uint64 {
	r, _ := x.Float32()
	if x.Sign() == 0 {
		r = float32(z)
	}
	return uint64(math.Float32bits(r))
}

func round64(x *big.Float, z float64) uint64 {
	r, _ := x.Float64()
	if x.Sign() == 0 {
		r = z
	}
	return math.Float64bits(r)
}

func refFMA32(a, b, c uint64) uint64 {
	x, y, z := f32of(a), f32of(b), f32of(c)
	if finite(x, y) && !finite(z) {
		return b32(z)
	}
	if !finite(x, y, z) || x == 0 || y == 0 {
		return uint64(math.Float32bits(float32(float32(x*y) + float32(z))))
	}
	return round32(bigFMA(x, y, z), 0)
}

func refFMA64(a, b, c uint64) uint64 {
	x, y, z := math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)
	if finite(x, y) && !finite(z) {
		return b64(z)
	}
	if !finite(x, y, z) || x == 0 || y == 0 {
		return math.Float64bits(float64(x*y) + z)
	}
	return round64(bigFMA(x, y, z), 0)
}

func f32of(a uint64) float64 { return float64(math.Float32frombits(uint32(a))) }
func f64of(a uint64) float64 { return math.Float64frombits(a) }
func b32(x float64) uint64   { return uint64(math.Float32bits(float32(x))) }
func b64(x float64) uint64   { return math.Float64bits(x) }

// refHalf reads a half by its definition.
func refHalf(h uint64) float64 {
	sign := 1.0
	if h>>15&1 != 0 {
		sign = -1
	}
	e, m := int(h>>10&31), float64(h&1023)
	switch {
	case e == 31 && m != 0:
		return math.NaN()
	case e == 31:
		return sign * math.Inf(1)
	case e == 0:
		return sign * m * math.Pow(2, -24)
	}
	return sign * (1024 + m) * math.Pow(2, float64(e-25))
}

// refToHalf finds the nearest half among all.
func refToHalf(x float64) uint64 {
	sign := uint64(0)
	if math.Signbit(x) {
		sign = 1 << 15
	}
	x = math.Abs(x)
	if x >= 65520 {
		return sign | 0x7c00
	}
	low, high := uint64(0), uint64(0x7c00)
	for low+1 < high {
		if mid := (low + high) / 2; refHalf(mid) <= x {
			low = mid
		} else {
			high = mid
		}
	}
	above := refHalf(low + 1)
	if low == 0x7bff {
		above = 65536
	}
	down, up := x-refHalf(low), above-x
	if up < down || up == down && low&1 != 0 {
		low++
	}
	return sign | low
}

// refMinMax follows the manual's text for min and max in IEEE mode, for a format by its quiet bit.
func refMinMax(isMax bool, value func(uint64) float64, quiet uint64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		x, y := value(a), value(b)
		switch {
		case x != x && a&quiet == 0:
			return a | quiet
		case y != y && b&quiet == 0:
			return b | quiet
		case x != x:
			return b
		case y != y:
			return a
		case x == 0 && y == 0 && isMax:
			return a & b
		case x == 0 && y == 0:
			return a | b
		case (x > y) == isMax:
			return a
		}
		return b
	}
}

func refClass(value func(uint64) float64, quiet uint64, least float64) func(a, b uint64) bool {
	return func(a, b uint64) bool {
		x := value(a)
		neg := math.Signbit(x)
		n := 0
		switch {
		case x != x && a&quiet == 0:
			n = 0
		case x != x:
			n = 1
		case math.IsInf(x, 0):
			n = 9
		case math.Abs(x) >= least:
			n = 8
		case x != 0:
			n = 7
		default:
			n = 6
		}
		if n >= 6 && neg {
			n = 11 - n
		}
		return b>>n&1 != 0
	}
}

func refSaturate(x, low, high float64) float64 {
	if x != x {
		return 0
	}
	return math.Trunc(math.Min(math.Max(x, low), high))
}

func mask24(a uint64) uint64 { return a & 0xffffff }
