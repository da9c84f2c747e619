package kernels

import "math/bits"

// clamp keeps v within a signed number of some bits.
func clamp(v int64, width uint) int64 { return min(max(v, -1<<(width-1)), 1<<(width-1)-1) }

var numbers = []Row{
	{"numbers.cl", "bit_counts", func(x *Exam) {
		in := Make(130, func(i int) uint32 { return x.Uint32() >> (i % 33) })
		out, got := Out[[4]uint32](x, len(in))
		x.Launch(2, 65, In(x, in), out)
		Equal(x, Make(len(in), func(i int) [4]uint32 {
			v := in[i]
			return [4]uint32{uint32(bits.OnesCount32(v)), uint32(bits.LeadingZeros32(v)), uint32(bits.TrailingZeros32(v)), bits.Reverse32(v)}
		}), got)
	}},
	{"numbers.cl", "morton", func(x *Exam) {
		in := Make(128, func(int) [2]uint16 { return [2]uint16{uint16(x.Uint32()), uint16(x.Uint32())} })
		out, got := Out[uint32](x, len(in))
		back, again := Out[[2]uint16](x, len(in))
		x.Launch(2, 64, In(x, in), out, back)
		Equal(x, Make(len(in), func(i int) uint32 {
			code := uint32(0)
			for b := range 16 {
				code |= uint32(in[i][0]>>b&1)<<(2*b) | uint32(in[i][1]>>b&1)<<(2*b+1)
			}
			return code
		}), got)
		Equal(x, Make(len(in), func(i int) [2]uint16 { return [2]uint16{in[i][0], 0} }), Make(len(in), func(i int) [2]uint16 { return [2]uint16{again[i][0], 0} }))
		Equal(x, in, again)
	}},
	{"numbers.cl", "gray_code", func(x *Exam) {
		in := Make(256, func(i int) byte { return byte(i) })
		out, got := Out[byte](x, 512)
		x.Launch(4, 64, In(x, in), out)
		var back [256]byte // of each code, the number that it stands for
		for i := range in {
			back[in[i]^in[i]>>1] = in[i]
		}
		Equal(x, Make(512, func(i int) byte {
			if i%2 == 1 {
				return back[byte(i/2)^byte(i/2)>>1]
			}
			return byte(i/2) ^ byte(i/2)>>1
		}), got)
	}},
	{"numbers.cl", "divide_all", func(x *Exam) {
		a, b := x.Longs(200), x.Longs(200)
		for i := range b {
			a[i] *= []uint64{1, ^uint64(0)}[x.IntN(2)]
			b[i] = max(b[i], 1)
			if uint32(b[i])|1 == ^uint32(0) || uint16(b[i])|1 == ^uint16(0) {
				b[i] = 12345 // the smallest number by -1 is left open by C
			}
		}
		out, got := Out[[8]int64](x, len(a))
		x.Launch(4, 50, In(x, a), In(x, b), out)
		Equal(x, Make(len(a), func(i int) [8]int64 {
			u, v := a[i], b[i]
			s, t := int64(u), int64(v)
			return [8]int64{s / t, s % t, int64(u / v), int64(u % v), int64(int32(s) / (int32(t) | 1)), int64(uint32(u) % (uint32(v) | 1)),
				int64(int16(s) / (int16(t) | 1)), int64(uint8(u) % (uint8(v) | 1))}
		}), got)
	}},
	{"numbers.cl", "multiply_wide", func(x *Exam) {
		a, b := x.Longs(128), x.Longs(128)
		out, got := Out[[2]uint64](x, 128)
		high, gotHigh := Out[int64](x, 128)
		x.Launch(2, 64, In(x, a), In(x, b), out, high)
		Equal(x, Make(128, func(i int) [2]uint64 {
			hi, lo := bits.Mul64(a[i], b[i])
			return [2]uint64{lo, hi}
		}), got)
		Equal(x, Make(128, func(i int) int64 {
			hi, _ := bits.Mul64(a[i], b[i])
			return int64(hi) - int64(a[i])>>63&int64(b[i]) - int64(b[i])>>63&int64(a[i])
		}), gotHigh)
	}},
	{"numbers.cl", "saturate", func(x *Exam) {
		a := Make(256, func(int) int16 { return int16(x.Uint32()) })
		b := Make(256, func(int) int16 { return int16(x.Uint32()) >> x.IntN(9) })
		out, got := Out[[6]int16](x, len(a))
		x.Launch(4, 64, In(x, a), In(x, b), out)
		Equal(x, Make(len(a), func(i int) [6]int16 {
			s, t := int64(a[i]), int64(b[i])
			away := s - t
			return [6]int16{int16(clamp(s+t, 16)), int16(clamp(s-t, 16)), int16(min(uint32(uint16(s))+uint32(uint16(t)), 65535)),
				int16(clamp(int64(int8(s))-int64(int8(t)), 8)), int16((s + t) >> 1), int16(max(away, -away))}
		}), got)
	}},
	{"numbers.cl", "greatest_divisor", func(x *Exam) {
		a, b := Make(100, func(int) uint32 { return x.Uint32N(1<<24) * 6 }), Make(100, func(int) uint32 { return x.Uint32N(5000) * 6 })
		out, got := Out[uint32](x, 100)
		x.Launch(2, 50, In(x, a), In(x, b), out)
		Equal(x, Make(100, func(i int) uint32 {
			u, v := a[i], b[i]
			for v != 0 {
				u, v = v, u%v
			}
			return u
		}), got)
	}},
	{"numbers.cl", "primes", func(x *Exam) {
		out, got := Out[byte](x, 1024)
		x.Launch(16, 64, out)
		sieve := Make(1024, func(i int) byte { return byte(min(i/2, 1)) })
		for p := 2; p < 1024; p++ {
			for n := 2 * p; n < 1024; n += p {
				sieve[n] = 0
			}
		}
		Equal(x, sieve, got)
	}},
	{"numbers.cl", "modular_power", func(x *Exam) {
		const m = 4294967291
		base, exponent := x.Longs(64), x.Words(64)
		out, got := Out[uint64](x, 64)
		x.Launch(1, 64, In(x, base), In(x, exponent), uint64(m), out)
		Equal(x, Make(64, func(i int) uint64 {
			r := uint64(1)
			for k := 31; k >= 0; k-- {
				r = r * r % m
				if exponent[i]>>k&1 != 0 {
					r = r * (base[i] % m) % m
				}
			}
			return r
		}), got)
	}},
	{"numbers.cl", "shifts", func(x *Exam) {
		in, by := x.Longs(192), x.Bytes(192)
		out, got := Out[[5]uint64](x, 192)
		x.Launch(3, 64, In(x, in), In(x, by), out)
		Equal(x, Make(192, func(i int) [5]uint64 {
			v, n := in[i], by[i]
			return [5]uint64{v << (n & 63), v >> (n & 63), uint64(int64(v) >> (n & 63)), bits.RotateLeft64(v, int(n)),
				uint64(uint32(v)<<(n&31)) | uint64(uint32(int32(v)>>(n&31)))<<32}
		}), got)
	}},
	{"numbers.cl", "generators", func(x *Exam) {
		in := x.Longs(128)
		state, got := Out[uint64](x, 128)
		copy(got, in)
		x.Launch(2, 64, state)
		Equal(x, Make(128, func(i int) uint64 {
			v, w := in[i], uint32(in[i])|1
			for k := range uint32(20) {
				v ^= v << 13
				v ^= v >> 7
				v ^= v << 17
				w = 1664525*w + 1013904223
				high, _ := bits.Mul32(w, uint32(v))
				v += uint64((high + k) ^ ((w&0xfff)*uint32(v&0xfff) + k) ^ uint32(int32(v>>40&0xfff)*-5)) // of 32 bits
			}
			return v
		}), got)
	}},
}
