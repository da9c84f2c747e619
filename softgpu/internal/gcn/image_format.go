package gcn

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

// numberFormat is what the bits of a component mean.
type numberFormat uint8

// Number formats, as encoded.
const (
	numberUnorm numberFormat = iota
	numberSnorm
	numberUscaled
	numberSscaled
	numberUint
	numberSint
	_
	numberFloat
)

// formatOf returns nil for combinations that are not simulated.
func formatOf(data uint32, number numberFormat) *texelFormat {
	f := texelFormats[data]
	if f == nil || number > numberFloat || number == 6 {
		return nil
	}
	for _, w := range f.widths {
		if number == numberFloat && w != 16 && w != 32 || number < numberUint && w == 32 {
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

// one is the value of a component that is not there, if it is the last one.
func (n numberFormat) one() uint32 {
	if n.whole() {
		return 1
	}
	return math.Float32bits(1)
}

// whole reports whether components are integers, which no filter mixes.
func (n numberFormat) whole() bool { return n == numberUint || n == numberSint }

// load reads a texel: components that are not there are 0, 0, 0 and 1.
func (f *texelFormat) load(addr uint64, number numberFormat) texel {
	t := texel{3: number.one()}
	var word uint64
	have := uint(0)
	for n, width := range f.widths {
		if have == 0 {
			word, have = loadAligned(addr, f.bytes()), uint(min(f.bytes(), 4)*8)
			addr += 4
		}
		t[n] = number.value(uint32(word&(1<<width-1)), uint(width))
		word >>= width
		have -= uint(width)
	}
	return t
}

// loadAligned reads a word, or the one or two bytes that a texel has.
func loadAligned(addr uint64, size int) uint64 {
	switch size {
	case 1:
		return uint64(memory.Load8(addr))
	case 2:
		return uint64(memory.Load16(addr))
	}
	return uint64(memory.Load32(addr))
}

// value converts the bits of a component.
func (n numberFormat) value(v uint32, width uint) uint32 {
	signed := int32(v<<(32-width)) >> (32 - width)
	switch n {
	case numberUnorm:
		return math.Float32bits(float32(v) / float32(uint32(1)<<width-1))
	case numberSnorm:
		return math.Float32bits(max(float32(signed)/float32(int32(1)<<(width-1)-1), -1))
	case numberUscaled:
		return math.Float32bits(float32(v))
	case numberSscaled:
		return math.Float32bits(float32(signed))
	case numberSint:
		return uint32(signed)
	case numberFloat:
		if width == 16 {
			return math.Float32bits(alu.HalfTo32(uint16(v)))
		}
	}
	return v
}
