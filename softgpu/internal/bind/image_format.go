package bind

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// texel is four components as the bits of a register each.
type texel [4]uint32

// texelFormat is how the components of a texel lie in memory, from the lowest bit on.
type texelFormat struct{ widths []uint8 }

// texelFormats by the number of the resource. Their components are whole bytes, or parts of one word.
var texelFormats = map[uint32]*texelFormat{
	1: {[]uint8{8}}, 2: {[]uint8{16}}, 3: {[]uint8{8, 8}}, 4: {[]uint8{32}}, 5: {[]uint8{16, 16}},
	8: {[]uint8{2, 10, 10, 10}}, 9: {[]uint8{10, 10, 10, 2}}, 10: {[]uint8{8, 8, 8, 8}}, 11: {[]uint8{32, 32}},
	12: {[]uint8{16, 16, 16, 16}}, 13: {[]uint8{32, 32, 32}}, 14: {[]uint8{32, 32, 32, 32}},
}

// NumberFormat is the format of a component's bits.
type NumberFormat uint8

// Number formats, as encoded.
const (
	NumberUnorm NumberFormat = iota
	NumberSnorm
	NumberUscaled
	NumberSscaled
	NumberUint
	NumberSint
	_
	NumberFloat
)

// formatOf returns nil for combinations that are not simulated.
func formatOf(data uint32, number NumberFormat) *texelFormat {
	f := texelFormats[data]
	if f == nil || number > NumberFloat || number == 6 {
		return nil
	}
	for _, w := range f.widths {
		if number == NumberFloat && w != 16 && w != 32 || number < NumberUint && w == 32 {
			return nil
		}
	}
	return f
}

func (f *texelFormat) bytes() int {
	n := 0
	for _, w := range f.widths {
		n += int(w)
	}
	return n / 8
}

// One is the value of a component that is not there, if it is the last one.
func (n NumberFormat) One() uint32 {
	if n.whole() {
		return 1
	}
	return math.Float32bits(1)
}

// whole reports whether components are integers, which no filter mixes.
func (n NumberFormat) whole() bool { return n == NumberUint || n == NumberSint }

// load reads a texel: components that are not there are 0, 0, 0 and 1.
func (f *texelFormat) load(addr uint64, number NumberFormat) texel {
	t := texel{3: number.One()}
	f.each(loadParts(addr, f.bytes(), memory.Linear), func(n int, v uint32, width uint) { t[n] = number.Value(v, width) })
	return t
}

// each calls what with the bits of each component.
func (f *texelFormat) each(words [4]uint32, what func(n int, v uint32, width uint)) {
	at := uint(0)
	for n, width := range f.widths {
		what(n, uint32(uint64(words[at/32])>>(at%32)&(1<<width-1)), uint(width))
		at += uint(width)
	}
}

// loadParts reads one byte, two, or words that are step bytes apart.
func loadParts(addr uint64, size int, step uint64) (words [4]uint32) {
	switch size {
	case 1:
		words[0] = memory.Load8(addr)
	case 2:
		words[0] = memory.Load16(addr)
	default:
		for n := range size / 4 {
			words[n] = memory.Load32(addr + uint64(n)*step)
		}
	}
	return words
}

// Value converts the bits of a component.
func (n NumberFormat) Value(v uint32, width uint) uint32 {
	signed := int32(v<<(32-width)) >> (32 - width)
	switch n {
	case NumberUnorm:
		return math.Float32bits(float32(v) / float32(uint32(1)<<width-1))
	case NumberSnorm:
		return math.Float32bits(max(float32(signed)/float32(int32(1)<<(width-1)-1), -1))
	case NumberUscaled:
		return math.Float32bits(float32(v))
	case NumberSscaled:
		return math.Float32bits(float32(signed))
	case NumberSint:
		return uint32(signed)
	case NumberFloat:
		if width != 32 {
			return math.Float32bits(alu.HalfTo32(halfBits(v, width)))
		}
	}
	return v
}

// halfBits returns the half of a float of 16 bits, or one of 10 or 11 bits, which are the first ones of a half but its
// sign.
func halfBits(v uint32, width uint) uint16 {
	if width == 16 {
		return uint16(v)
	}
	return uint16(v << (15 - width))
}
