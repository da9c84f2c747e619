package alu

import "math"

// HalfTo32 converts a half to the single of the same value; NaNs keep their payload and become quiet.
func HalfTo32(h uint16) float32 {
	sign := uint32(h>>15) << 31
	switch e := h & 0x7c00; {
	case e == 0: // by way of an integer: processors take long over denormal operands
		return math.Float32frombits(sign | math.Float32bits(float32(h&0x3ff)*0x1p-24))
	case e != 0x7c00: // the exponents' biases are 112 apart
		return math.Float32frombits(sign | uint32(h&0x7fff)<<13 + 112<<23)
	}
	bits := sign | 0x7f800000 | uint32(h&0x3ff)<<13
	if h&0x3ff != 0 {
		bits |= Quiet32
	}
	return math.Float32frombits(bits)
}

// HalfFrom64 rounds to the nearest half, ties to even.
func HalfFrom64(x float64) uint16 {
	b := math.Float64bits(x)
	if abs := b &^ (1 << 63); abs-leastHalf < beyondHalf-leastHalf {
		// The bits that are dropped, and the last that is kept, decide about a carry, which may go into the exponent.
		return uint16(b>>48)&0x8000 | uint16((abs+1<<41-1+abs>>42&1)>>42-(1023-15)<<10)
	}
	return halfRound(x, false)
}

// The least normal half, and the first number past all halves, as bits of float64.
const (
	leastHalf  = (1023 - 14) << 52
	beyondHalf = (1023 + 16) << 52
)

// halfToZero rounds towards zero: numbers that do not fit become the largest half.
func halfToZero(x float64) uint16 { return halfRound(x, true) }

func halfRound(x float64, toZero bool) uint16 {
	b := math.Float64bits(x)
	sign := uint16(b>>48) & 0x8000
	e := int(b >> 52 & 0x7ff)
	m := b & (1<<52 - 1)
	if e == 0x7ff {
		if m != 0 {
			return sign | 0x7e00 | uint16(m>>42)
		}
		return sign | 0x7c00
	}
	e -= 1023
	m |= 1 << 52
	drop := uint(42)
	biased := e + 15
	if biased <= 0 {
		drop += uint(min(1-biased, 20))
		biased = 1
		if e < -40 {
			m, drop = 0, 42
		}
	}
	h := m >> drop
	rest, tie := m&(1<<drop-1), uint64(1)<<(drop-1)
	if !toZero && (rest > tie || rest == tie && h&1 != 0) {
		h++
	}
	r := uint64(biased-1)<<10 + h
	switch {
	case r < 0x7c00:
		return sign | uint16(r)
	case toZero && biased < 31:
		return sign | 0x7bff
	case toZero:
		return sign | 0x7bff
	}
	return sign | 0x7c00
}

// Half reads the bits of a half.
func Half(x uint64) float32     { return HalfTo32(uint16(x)) }
func fromHalf(x float32) uint64 { return uint64(HalfFrom64(float64(x))) }

// Float reads the bits of a single.
func Float(x uint32) float32 { return math.Float32frombits(x) }

// Double reads the bits of a double.
func Double(x uint64) float64 { return math.Float64frombits(x) }

// Adaptors of functions on numbers to functions on a lane's bits.

// OnF16 makes a function on a lane's half of one on numbers.
func OnF16(f func(a float32) float32) LaneFunc {
	return func(a, _, _ uint64) uint64 { return HalfOf(float64(f(Half(a))), a, 0, 0) }
}

func onF16x2(f func(a, b float32) float32) LaneFunc {
	return func(a, b, _ uint64) uint64 { return HalfOf(float64(f(Half(a), Half(b))), a, b, 0) }
}
