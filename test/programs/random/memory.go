package random

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Buffer is one memory area that every kernel gets a pointer to.
type Buffer struct {
	name  string // as the text spells it
	elem  string
	count int
	fuzzy bool // compared with a tolerance
	at    int  // offset in bytes
}

const (
	mostItems  = 256  // work-items of a program
	inputs     = 1024 // elements of each input
	valueSlots = 64   // values that a program shows as words
	area       = 1024 // elements of an output that one statement writes
	areas      = 4
	cells      = 256 // cells that atomics share
)

// Buffers are the arguments of every kernel, in this order.
var Buffers, ArenaBytes = layout()

func layout() ([]Buffer, int) {
	var list []Buffer
	for _, e := range stored {
		list = append(list, Buffer{name: "%in_" + e, elem: e, count: inputs})
	}
	list = append(list, Buffer{name: "%out", elem: "i64", count: valueSlots * mostItems})
	for _, e := range stored {
		list = append(list, Buffer{name: "%out_" + e, elem: e, count: area * areas})
	}
	for _, e := range []string{"i32", "i64", "f32", "f64"} {
		list = append(list, Buffer{name: "%shared_" + e, elem: e, count: cells})
	}
	for _, e := range []string{"i8", "i16", "i32", "i64", "f16", "f32", "f64"} {
		list = append(list, Buffer{name: "%own_" + e, elem: e, count: mostItems * areas})
	}
	for _, e := range []string{"i32", "i64"} {
		list = append(list, Buffer{name: "%block_" + e, elem: e, count: mostItems})
	}
	for _, e := range []string{"f32", "f64"} {
		list = append(list, Buffer{name: "%near_" + e, elem: e, count: area * areas, fuzzy: true})
	}
	at := 0
	for i := range list {
		b := &list[i]
		b.at = at
		at += (b.bytes() + 255) &^ 255
	}
	return list, at
}

func (b *Buffer) size() int   { return Type{elem: b.elem}.bits() / 8 }
func (b *Buffer) bytes() int  { return b.count * b.size() }
func (b *Buffer) typ() string { return Type{elem: b.elem}.memref(b.count, "") }

func (t Type) memref(n int, space string) string {
	return "memref<" + itoa(n) + "x" + t.String() + space + ">"
}

// buffer finds a buffer by its name.
func buffer(name string) *Buffer {
	for i := range Buffers {
		if Buffers[i].name == name {
			return &Buffers[i]
		}
	}
	panic("no buffer " + name)
}

// Inputs is a memory to start from: special numbers, numbers near one, any bits.
func Inputs(r *rand.Rand) []byte {
	arena := make([]byte, ArenaBytes)
	for i := range Buffers {
		b := &Buffers[i]
		if !strings.HasPrefix(b.name, "%in_") {
			continue
		}
		for k := range b.count {
			put(arena[b.at+k*b.size():], b.size(), word(r, Type{elem: b.elem}))
		}
	}
	return arena
}

func put(to []byte, size int, w uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], w)
	copy(to[:size], b[:])
}

var specialFloats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, 2.5, -2.5, 3, 10, 100, 255, 65504, math.Inf(1), math.Inf(-1), math.NaN(),
	1e-3, 5.9604644775390625e-8, 6.1e-5, 1e-40, 1.1754943508222875e-38, 3.4e38, 2147483648, -2147483648, 4294967296, 9.2e18, 1e-310, 1e300, 0.1, 1.0 / 3}

// word is the bits of a number of type t.
func word(r *rand.Rand, t Type) uint64 {
	if !t.float() {
		switch r.IntN(4) {
		case 0:
			return uint64(r.IntN(40) - 20)
		case 1:
			return []uint64{0, 1, ^uint64(0), 1 << (t.bits() - 1), 1<<(t.bits()-1) - 1, 0x55, 0xff00}[r.IntN(7)]
		}
		return r.Uint64() >> r.IntN(t.bits())
	}
	switch r.IntN(4) {
	case 0:
		return floatBits(t, specialFloats[r.IntN(len(specialFloats))])
	case 1:
		return floatBits(t, float64(r.IntN(2000)-1000)/float64(int(1)<<r.IntN(6)))
	case 2:
		return floatBits(t, r.NormFloat64()*math.Exp2(float64(r.IntN(20)-10)))
	}
	w := r.Uint64() >> (64 - t.bits())
	if most, infinity, nan := t.special(); w&bitsIn(most) > bitsIn(infinity) {
		return bitsIn(nan)
	}
	return w
}

// bitsIn is the number that an attribute spells.
func bitsIn(attribute string) uint64 {
	n, err := strconv.ParseUint(attribute, 0, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// floatBits are the bits of a number near f.
func floatBits(t Type, f float64) uint64 {
	if f != f {
		_, _, nan := t.special()
		return bitsIn(nan)
	}
	single := uint64(math.Float32bits(float32(f)))
	switch t.elem {
	case "f64":
		return math.Float64bits(f)
	case "f32":
		return single
	case "bf16":
		return single >> 16
	}
	sign, exponent, mantissa := single>>31, int(single>>23&0xff)-127+15, single>>13&0x3ff
	switch {
	case exponent >= 31:
		return sign<<15 | 0x7c00
	case exponent <= 0:
		return sign<<15 | (mantissa|0x400)>>min(1-exponent, 20)
	}
	return sign<<15 | uint64(exponent)<<10 | mantissa
}
