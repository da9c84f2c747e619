package gcn

import "math"

// fp8Format is a floating-point format of 8 bits as gfx942 has them: no infinities,
// no negative zero, whose pattern is the only NaN.
type fp8Format struct {
	mantissa uint // bits
	bias     int
}

var (
	fp8 = fp8Format{mantissa: 3, bias: 8}
	bf8 = fp8Format{mantissa: 2, bias: 16}
)

const nanFp8 = 0x80

// single returns the value of the low 8 bits.
func (f fp8Format) single(x uint32) float32 {
	x &= 0xff
	if x == nanFp8 {
		return float32(math.NaN())
	}
	exponent, fraction := int(x&0x7f>>f.mantissa), int(x&(1<<f.mantissa-1))
	if exponent > 0 {
		fraction |= 1 << f.mantissa
		exponent--
	}
	v := float32(math.Ldexp(float64(fraction), exponent+1-f.bias-int(f.mantissa)))
	if x&0x80 != 0 {
		return -v
	}
	return v
}

// round returns v in the format, rounded to the nearest, ties to even, or by
// adding a random fraction. What is beyond the largest number is NaN.
func (f fp8Format) round(v float32, stochastic bool, random uint32) uint32 {
	bits := math.Float32bits(v)
	sign := bits >> 31 << 7
	if bits&0x7f800000 == 0x7f800000 {
		return nanFp8
	}
	exponent, fraction := int(bits>>23&0xff)-127, uint64(bits&(1<<23-1))|1<<23
	if bits&0x7f800000 == 0 {
		return 0 // far below the least denormal
	}
	drop := 23 - f.mantissa
	if low := 1 - f.bias; exponent < low {
		drop += uint(min(low-exponent, 40))
		exponent = low - 1
	}
	wide := fraction << 32 >> drop // 32 bits behind the point
	switch point := wide & math.MaxUint32; {
	case stochastic:
		wide += uint64(random)
	case point > 1<<31, point == 1<<31 && wide>>32&1 != 0:
		wide += 1 << 32
	}
	kept := uint32(wide >> 32)
	if exponent >= 1-f.bias {
		kept += uint32(exponent+f.bias-1) << f.mantissa
	}
	switch {
	case kept > 0x7f:
		return nanFp8
	case kept == 0:
		return 0
	}
	return sign | kept
}

// cvtF32 makes a meaning that converts a byte, which SDWA chooses, to a single.
func cvtF32(f fp8Format) Meaning {
	return lanewise(func(a, _, _ uint64) uint64 { return fromSingle(f.single(uint32(a))) }, f32, u32)
}

// cvtPkF32 converts two bytes to two singles.
func cvtPkF32(f fp8Format) Meaning {
	convert := func(clamp bool) Meaning {
		one := func(a uint64) uint64 {
			x := f.single(uint32(a))
			if clamp && !(x > 0) {
				x = 0
			} else if clamp {
				x = min(x, 1)
			}
			return fromSingle(x)
		}
		return lanewise(func(a, _, _ uint64) uint64 { return one(a) | one(a>>8)<<32 }, u64, u32)
	}
	return saturating(convert(false), convert(true))
}

// cvtPkFp8 converts two singles to the half of the destination that op_sel chooses.
func cvtPkFp8(f fp8Format) Meaning {
	return func(i *Inst) Step {
		at := uint(i.OpSel>>3&1) * 16
		return fp8Merge(i, 0xffff<<at, func(a, b uint64) uint32 {
			return (f.round(single32(a), false, 0) | f.round(single32(b), false, 0)<<8) << at
		}, f32)
	}
}

// cvtSrFp8 rounds at random, the second source being the random number, to the
// byte of the destination that op_sel chooses.
func cvtSrFp8(f fp8Format) Meaning {
	return func(i *Inst) Step {
		at := uint(i.OpSel>>2&3) * 8
		return fp8Merge(i, 0xff<<at, func(a, b uint64) uint32 { return f.round(single32(a), true, uint32(b)) << at }, u32)
	}
}

func single32(x uint64) float32 { return float(uint32(x)) }

// fp8Merge writes the bits of mask and leaves the others of the destination.
func fp8Merge(i *Inst, mask uint32, f func(a, b uint64) uint32, second kind) Step {
	c := *withDst(i, 2)
	c.OpSel = 0
	return bindVector(&c, u32, f32, second, u32).stepLanes(func(a, b, old uint64) uint64 {
		return uint64(uint32(old)&^mask | f(a, b)&mask)
	})
}
