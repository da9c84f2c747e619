package kernels

import (
	"encoding/binary"

	"github.com/mgpu-runtime/mgpu/test/internal/softgpu"
)

var memory = []Row{
	{"memory.cl", "private_arrays", func(x *Exam) {
		in := x.Bytes(256)
		out, got := Out[uint32](x, 128)
		x.Launch(2, 64, In(x, in), out)
		Equal(x, Make(128, func(i int) uint32 {
			a := Make(64, func(k int) byte { return byte(k) })
			for k := range a {
				j := in[(i+k)&255] & 63
				a[k], a[j] = a[j], a[k]
			}
			h := uint32(0)
			for _, v := range a {
				h = h*33 + uint32(v)
			}
			return h
		}), got)
	}},
	{"memory.cl", "sub_words", func(x *Exam) {
		a, b := Make(192, func(int) int8 { return int8(x.Uint32()) }), Make(192, func(int) uint16 { return uint16(x.Uint32()) })
		c, gotC := Out[int16](x, 192)
		d, gotD := Out[byte](x, 192)
		x.Launch(3, 64, In(x, a), In(x, b), c, d)
		Equal(x, Make(192, func(i int) int16 { return int16(a[i]) * int16(b[i]) }), gotC)
		Equal(x, Make(192, func(i int) byte { return byte(a[i])<<4 | byte(b[i]>>12) }), gotD)
	}},
	{"memory.cl", "unaligned", func(x *Exam) {
		in := x.Bytes(400)
		out, got := Out[uint64](x, 128)
		x.Launch(1, 64, In(x, in), out)
		Equal(x, Make(128, func(i int) uint64 {
			if i%2 == 0 {
				return binary.LittleEndian.Uint64(in[i/2*3+1:])
			}
			return uint64(binary.LittleEndian.Uint32(in[i/2*5+3:]))
		}), got)
	}},
	{"memory.cl", "generic_pointers", func(x *Exam) {
		in := x.Words(8)
		out, got := Out[uint32](x, 64)
		x.Launch(1, 64, In(x, in), out)
		Equal(x, Make(64, func(i int) uint32 {
			r := uint32(0)
			for k := range uint32(8) {
				r = r*7 + []uint32{in[k], 100 + k, uint32(i) * k}[i%3]
			}
			return r
		}), got)
	}},
	{"memory.cl", "constant_tables", func(x *Exam) {
		in := x.Words(128)
		out, got := Out[int32](x, 128)
		x.Launch(2, 64, In(x, in), out)
		table := [3][5]int32{{1, -2, 3, -4, 5}, {10, 20, 30, 40, 50}, {-7, -70, -700, -7000, 7}}
		const text = "the quick brown fox jumps over the lazy dog"
		Equal(x, Make(128, func(i int) int32 { return table[in[i]%3][in[i]/3%5]*256 + int32(text[in[i]%uint32(len(text))]) }), got)
	}},
	{"memory.cl", "program_variables", func(x *Exam) {
		out, got := Out[uint32](x, 5)
		for round := range uint32(3) {
			x.Launch(1, 64, out)
			times := []uint32{1, 3, 9}[round]
			Equal(x, []uint32{times, 2 * times, 3 * times, 4 * times, 5 + round}, got)
		}
	}},
	{"memory.cl", "dynamic_local", func(x *Exam) {
		const n = 100
		out, got := Out[float32](x, n)
		x.Launch(1, n, softgpu.Local(4*n), softgpu.Local(n), out, uint32(n))
		Equal(x, Make(n, func(i int) float32 { return float32((i+1)%n)*0.5 + float32(n-(i+2)%n) }), got)
	}},
	{"memory.cl", "offsets", func(x *Exam) {
		out, got := Out[uint32](x, 12*10*6)
		x.LaunchGrid(softgpu.Grid{Groups: [3]uint32{3, 2, 2}, Items: [3]uint32{4, 5, 3}}, out)
		Equal(x, Make(len(got), func(n int) uint32 {
			i, j, k := uint32(n%12), uint32(n/12%10), uint32(n/120)
			return i%4 | j%5<<4 | k%3<<8 | i/4<<12 | j/5<<16 | k/3<<20 | 3<<24 | 3<<28
		}), got)
	}},
	{"memory.cl", "wide_copies", func(x *Exam) {
		in, small := Make(64*8, func(int) uint64 { return x.Uint64() }), x.Bytes(256)
		out, got := Out[uint64](x, len(in))
		out3, got3 := Out[byte](x, 256)
		x.Launch(1, 64, In(x, in), out, In(x, small), out3)
		Equal(x, Make(len(in), func(i int) uint64 { return in[i&^7|7-i&7] }), got)
		for i := 0; i < 256; i += 4 { // the fourth byte of three is anything
			Equal(x, []byte{small[i+2], small[i], small[i+1]}, got3[i:i+3])
		}
	}},
	{"memory.cl", "chase", func(x *Exam) {
		next := Make(500, func(int) uint32 { return x.Uint32N(500) })
		out, got := Out[uint32](x, 128)
		x.Launch(2, 64, In(x, next), out, uint32(77))
		Equal(x, Make(128, func(i int) uint32 {
			at := uint32(i)
			for range 77 {
				at = next[at]
			}
			return at
		}), got)
	}},
}
