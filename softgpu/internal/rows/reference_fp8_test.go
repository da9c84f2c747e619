package rows

import "math"

// fp8Numbers are the numbers of 8 bits of gfx942: mantissa bits and bias.
type fp8Numbers struct{ mantissa, bias int }

func (f fp8Numbers) value(x uint64) float64 {
	if x == 0x80 {
		return math.NaN()
	}
	e, m := int(x&0x7f)>>f.mantissa, float64(int(x)&(1<<f.mantissa-1))
	unit := math.Pow(2, float64(max(e, 1)-f.bias-f.mantissa))
	if e > 0 {
		m += float64(int(1) << f.mantissa)
	}
	return math.Copysign(m*unit, float64(1-int(x>>7)*2))
}

// below is the number of the format next to x on the side of 0, and how far x
// is on the way to the next.
func (f fp8Numbers) below(x float64) (n uint64, part float64, ok bool) {
	x = math.Abs(x)
	for n < 0x7f && f.value(n+1) <= x {
		n++
	}
	step := f.value(0x7f) - f.value(0x7e)
	if n < 0x7f {
		step = f.value(n+1) - f.value(n)
	}
	part = (x - f.value(n)) / step
	return n, part, part < 1
}

func (f fp8Numbers) withSign(n uint64, x float64) uint64 {
	switch {
	case n > 0x7f:
		return 0x80
	case n != 0 && math.Signbit(x):
		return n | 0x80
	}
	return n
}

func (f fp8Numbers) nearest(x float64) uint64 {
	n, part, ok := f.below(x)
	if !finite(x) || !ok {
		return 0x80
	}
	if part > 0.5 || part == 0.5 && n%2 == 1 {
		n++
	}
	return f.withSign(n, x)
}

func (f fp8Numbers) random(x float64, by uint64) uint64 {
	n, part, ok := f.below(x)
	if !finite(x) || !ok {
		return 0x80
	}
	if uint64(math.Floor(part*(1<<32)))+by >= 1<<32 && refFlush(x) != 0 {
		n++
	}
	return f.withSign(n, x)
}
