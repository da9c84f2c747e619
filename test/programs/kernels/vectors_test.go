package kernels

import (
	"encoding/binary"
	"math"
)

// layout is the bytes of a struct: little-endian, padded by hand.
func layout(fields ...any) []byte {
	var b []byte
	for _, f := range fields {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, f); err != nil {
			panic(err)
		}
	}
	return b
}

var vectors = []Row{
	{"vectors.cl", "swizzles", func(x *Exam) {
		in := x.Singles(256, -9, 9)
		out, got := Out[float32](x, 256)
		x.Launch(1, 64, In(x, in), out)
		var want []float32
		for i := 0; i < 256; i += 4 {
			v := [4]float32{in[i+2], in[i+1], in[i], in[i+3] + in[i+1]}
			w := [8]float32{v[0], v[1], v[2], v[3], v[3], v[2], v[1], v[0]}
			for k := 0; k < 8; k += 2 {
				w[k] = w[k+1] * 2
			}
			want = append(want, w[4]-w[0], w[5]-w[2], w[6]-w[4], w[7]-w[6])
		}
		Equal(x, want, got)
	}},
	{"vectors.cl", "permuted_bytes", func(x *Exam) {
		in, mask := x.Bytes(64*16), x.Bytes(64*16)
		out, got := Out[byte](x, len(in))
		x.Launch(1, 64, In(x, in), In(x, mask), out)
		Equal(x, Make(len(in), func(i int) byte { return in[i&^15|int(mask[i]&15)] }), got)
	}},
	{"vectors.cl", "triples", func(x *Exam) {
		in := Make(300, func(int) int32 { return int32(x.IntN(200) - 100) })
		out, got := Out[int32](x, 300)
		x.Launch(2, 50, In(x, in), out)
		Equal(x, Make(300, func(i int) int32 {
			w := in[i/3*3+(i+2)%3] * [3]int32{1, -2, 3}[i%3]
			return min(in[i], max(w, -1<<31)) // w where the element is larger
		}), got)
	}},
	{"vectors.cl", "vector_tests", func(x *Exam) {
		a, b := Make(512, func(int) int32 { return int32(x.IntN(5)) }), Make(512, func(int) int32 { return int32(x.IntN(7)) })
		out, got := Out[int32](x, 128)
		x.Launch(2, 64, In(x, a), In(x, b), out)
		Equal(x, Make(128, func(i int) int32 {
			some, all := int32(0), int32(2)
			for k := 4 * i; k < 4*i+4; k++ {
				if a[k] > b[k] {
					some = 1
				}
				if a[k] >= b[k] {
					all = 0
				}
			}
			return some | all
		}), got)
	}},
	{"vectors.cl", "dots", func(x *Exam) {
		a, b := x.Singles(256, -2, 2), x.Singles(256, -2, 2)
		out, got := Out[float32](x, 64)
		c, gotCross := Out[float32](x, 256)
		x.Launch(1, 64, In(x, a), In(x, b), out, c)
		Equal(x, Make(64, func(i int) float32 {
			sum := float32(a[4*i] * b[4*i])
			for k := 4*i + 1; k < 4*i+4; k++ {
				sum += float32(a[k] * b[k])
			}
			return sum
		}), got)
		Near(x, 1e-6, 8, Make(256, func(i int) float32 {
			if i%4 == 3 {
				return 0
			}
			p, q := i&^3+(i+1)%4%3, i&^3+(i+2)%4%3
			if i%4 == 1 {
				p, q = i+1, i-1
			}
			if i%4 == 2 {
				p, q = i-2, i-1
			}
			return float32(a[p]*b[q]) - float32(a[q]*b[p])
		}), gotCross)
	}},
	{"vectors.cl", "struct_by_value", func(x *Exam) {
		type big struct {
			tag   int8
			v     [4]int32
			d     [3]float64
			inner [2][2]int16
		}
		of := func(s big) []byte { return layout(s.tag, [15]byte{}, s.v, s.d, s.inner) }
		s := big{-5, [4]int32{1, 2, 3, 4}, [3]float64{10, 20, 30}, [2][2]int16{{1, 2}, {3, 4}}}
		u := big{9, [4]int32{7, -8, 9, 10}, [3]float64{0.5, 100, -3}, [2][2]int16{{5, 6}, {7, 8}}}
		to, got := Out[int64](x, 64)
		x.Launch(1, 64, append(of(s), make([]byte, 64-len(of(s)))...), uint32(60), append(of(u), make([]byte, 64-len(of(u)))...), to)
		Equal(x, Make(64, func(i int) int64 {
			if i >= 60 {
				return 0
			}
			return int64(s.tag)*1000 + int64(s.v[2]*u.v[1]) + int64(s.d[i%3]+u.d[2-i%3]) + int64(s.inner[i&1][1]-u.inner[1][0])
		}), got)
	}},
	{"vectors.cl", "pixels", func(x *Exam) {
		in := x.Bytes(300)
		out, got := Out[byte](x, 300)
		x.Launch(2, 50, In(x, in), out)
		var want []byte
		for i := 0; i < 300; i += 3 {
			y := (int(in[i])*77 + int(in[i+1])*150 + int(in[i+2])*29) >> 8
			want = append(want, byte(y), max(in[i], in[i+1]), 255-in[i+2])
		}
		Equal(x, want, got)
	}},
	{"vectors.cl", "packed_structs", func(x *Exam) {
		in := x.Bytes(15 * 64)
		out, got := Out[byte](x, len(in))
		x.Launch(1, 64, In(x, in), out)
		Equal(x, each(in, 15, func(b []byte) []byte {
			le := binary.LittleEndian
			c, i, s, l := int8(b[0]), int32(le.Uint32(b[1:])), int16(le.Uint16(b[5:])), int64(le.Uint64(b[7:]))
			i += int32(c)
			s ^= int16(i)
			return layout(c, i, s, l*int64(s)-1)
		}), got)
	}},
	{"vectors.cl", "unions", func(x *Exam) {
		in := x.Singles(64, -1e9, 1e9)
		out, got := Out[uint32](x, 64)
		x.Launch(1, 64, In(x, in), out)
		Equal(x, Make(64, func(i int) uint32 {
			w := math.Float32bits(in[i])
			return w&0x00ffff00 | w>>24 | w<<24
		}), got)
	}},
	{"vectors.cl", "matrices", func(x *Exam) {
		a, b := x.Singles(16*50, -3, 3), x.Singles(16*50, -3, 3)
		c, got := Out[float32](x, len(a))
		x.Launch(1, 50, In(x, a), In(x, b), c)
		Equal(x, Make(len(a), func(n int) float32 {
			at, i, j := n&^15, n>>2&3, n&3
			sum := float32(0)
			for k := range 4 {
				sum += float32(a[at+4*i+k] * b[at+4*k+j])
			}
			return sum
		}), got)
	}},
}
