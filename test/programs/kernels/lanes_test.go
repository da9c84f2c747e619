package kernels

import (
	"math/bits"
	"slices"
)

// eachLane launches groups of 128 items for inputs, and wants what f makes of a wave's for each lane.
func eachLane[T comparable](x *Exam, in []uint32, per int, f func(wave []uint32, lane int) []T) {
	x.Helper()
	out, got := Out[T](x, per*len(in))
	x.Launch(len(in)/128, 128, In(x, in), out)
	var want []T
	for wave := range slices.Chunk(in, x.waveLanes()) {
		for l := range wave {
			want = append(want, f(wave, l)...)
		}
	}
	Equal(x, want, got)
}

// mask is the lanes for which something holds.
func mask(wave []uint32, holds func(v uint32) bool) (m uint64) {
	for l, v := range wave {
		if holds(v) {
			m |= 1 << l
		}
	}
	return m
}

var lanes = []Row{
	{"lanes.hip", "ballots", func(x *Exam) {
		eachLane(x, x.Words(256), 2, func(wave []uint32, l int) []uint64 {
			later := uint64(0)
			if wave[l]%3 == 0 {
				later = mask(wave, func(v uint32) bool { return v%3 == 0 && v&2 != 0 })
			}
			return []uint64{mask(wave, func(v uint32) bool { return v&1 != 0 }), later}
		})
	}},
	{"lanes.hip", "shuffles", func(x *Exam) {
		eachLane(x, x.Words(256), 4, func(wave []uint32, l int) []uint32 {
			to := func(at int) uint32 { return wave[x.permutesTo(l, at)] }
			return []uint32{to(l ^ 21), to(l + 7), to(int(wave[l] % 64)), to(len(wave) - 1 - l)}
		})
	}},
	{"lanes.hip", "wave_sum", func(x *Exam) {
		in := x.Words(256)
		out, got := Out[uint32](x, len(in)/x.waveLanes())
		x.Launch(2, 128, In(x, in), out)
		Equal(x, Make(len(got), func(w int) (sum uint32) {
			for _, v := range in[x.waveLanes()*w:][:x.waveLanes()] {
				sum += v
			}
			return sum
		}), got)
	}},
	{"lanes.hip", "dpp_scan", func(x *Exam) {
		eachLane(x, x.Words(256), 1, func(wave []uint32, l int) []uint32 {
			sum := uint32(0)
			for _, v := range wave[:l+1] {
				sum += v
			}
			return []uint32{sum}
		})
	}},
	{"lanes.hip", "dpp_moves", func(x *Exam) {
		eachLane(x, x.Words(256), 8, func(wave []uint32, l int) []uint32 {
			row, in := l&^15, l&15
			shifted, wide := uint32(7), uint32(7)
			if in < 15 {
				shifted = wave[l+1]
			}
			if l < 63 {
				wide = wave[(l+1)%len(wave)]
			}
			before := wave[(l-1)&(len(wave)-1)]
			if x.target.Lanes != 0 { // RDNA has other moves there
				wide, before = wave[row|5], wave[l&^7|int(0x53977>>(3*(l&7))&7)]
			}
			return []uint32{wave[l^3], shifted, wave[row|(in-3)&15], wave[row|15-in], wave[l^7], wide, before, wave[l^16]}
		})
	}},
	{"lanes.hip", "first_lane", func(x *Exam) {
		in := x.Words(256)
		for i := range in {
			if (i+1)%x.waveLanes() == 0 {
				in[i] |= 4 // the lane that is read is there
			}
		}
		eachLane(x, in, 2, func(wave []uint32, l int) []uint32 {
			second := uint32(0)
			if wave[l]&4 != 0 {
				second = wave[slices.IndexFunc(wave, func(v uint32) bool { return v&4 != 0 })] + wave[len(wave)-1]
			}
			return []uint32{wave[0], second}
		})
	}},
	{"lanes.hip", "match_any", func(x *Exam) {
		eachLane(x, x.Words(256), 1, func(wave []uint32, l int) []uint64 {
			return []uint64{mask(wave, func(v uint32) bool { return v&7 == wave[l]&7 })}
		})
	}},
	{"lanes.hip", "wave_append", func(x *Exam) {
		in := x.Words(512)
		list, got := Out[uint32](x, 512)
		count, n := Out[uint32](x, 1)
		x.Launch(4, 128, In(x, in), list, count)
		want := slices.DeleteFunc(in, func(v uint32) bool { return v%3 != 0 })
		Equal(x, []uint32{uint32(len(want))}, n)
		found := slices.Clone(got[:len(want)])
		slices.Sort(want)
		slices.Sort(found)
		Equal(x, want, found)
	}},
	{"lanes.hip", "byte_work", func(x *Exam) {
		a, b := x.Words(128), x.Words(128)
		out, got := Out[[6]uint32](x, 128)
		x.Launch(2, 64, In(x, a), In(x, b), out)
		Equal(x, Make(128, func(i int) [6]uint32 {
			u, v := a[i], b[i]
			sad, lerp := uint32(5), uint32(0)
			for k := 0; k < 32; k += 8 {
				p, q := u>>k&255, v>>k&255
				sad += max(p, q) - min(p, q)
				lerp |= (p + q + uint32(0x01000100)>>k&1) >> 1 & 255 << k
			}
			w := v & 15
			return [6]uint32{u&0xff | v&0xff00<<8 | u&0xff0000<<8, uint32((uint64(u)<<32 | uint64(v)) >> 24), sad, u >> (v & 31) & 511, lerp,
				uint32(int32(u>>4<<(32-w)) >> (32 - w))}
		}), got)
	}},
}

// wide is a number of 128 bits.
type wide struct{ hi, lo uint64 }

func (a wide) plus(b wide) wide {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return wide{a.hi + b.hi + carry, lo}
}

func (a wide) right(n uint) wide {
	return wide{a.hi >> n, a.lo>>n | a.hi<<(64-n) | a.hi>>(n-64)&-uint64(n>>6)}
}

var objects = []Row{
	{"objects.hip", "function_pointers", func(x *Exam) {
		in := x.Words(192)
		out, got := Out[uint32](x, 192)
		x.Launch(3, 64, In(x, in), out)
		Equal(x, Make(192, func(i int) uint32 {
			v := in[i]
			for k := range uint32(4) {
				v = []uint32{2 * v, v * v, v + 1}[(v+k)%3]
			}
			return v
		}), got)
	}},
	{"objects.hip", "virtual_functions", func(x *Exam) {
		in := x.Singles(64, 0, 10)
		out, got := Out[float32](x, 64)
		x.Launch(1, 64, In(x, in), out)
		Equal(x, Make(64, func(i int) float32 {
			if i&1 != 0 {
				return float32(in[i]*in[i]) + 4*in[i]
			}
			return in[i] * 3 / 2
		}), got)
	}},
	{"objects.hip", "templates", func(x *Exam) {
		in := Make(128, func(int) int32 { return int32(x.IntN(100000)) })
		out, got := Out[int32](x, 128)
		x.Launch(2, 64, In(x, in), out)
		Equal(x, Make(128, func(i int) int32 {
			sum, top := int32(0), in[0]
			for _, v := range in[i&^63 : i&^63+64] {
				sum += v
				if v%100 > top%100 {
					top = v
				}
			}
			return sum ^ top*int32(i&63)
		}), got)
	}},
	{"objects.hip", "large_values", func(x *Exam) {
		in := x.Words(40)
		out, got := Out[uint32](x, 64)
		x.Launch(1, 64, layout(in), out)
		mixed := func(a []uint32, by int) []uint32 {
			return Make(40, func(i int) uint32 { return a[i*by%40] + uint32(i) })
		}
		Equal(x, Make(64, func(i int) uint32 {
			h := uint32(0)
			for _, w := range mixed(mixed(in, i|1), 3) {
				h = h*17 + w
			}
			return h
		}), got)
	}},
	{"objects.hip", "wide_numbers", func(x *Exam) {
		a, b := x.Longs(128), x.Longs(128)
		out, got := Out[[4]uint64](x, 128)
		x.Launch(2, 64, In(x, a), In(x, b), out)
		Equal(x, Make(128, func(i int) [4]uint64 {
			u := wide{a[i], b[i]}
			hi, lo := bits.Mul64(a[i], b[i])
			y := wide{hi, lo}.plus(u)
			z := y.right(uint(a[i] & 127))
			z = wide{z.hi ^ (u.hi<<5 | u.lo>>59), z.lo ^ u.lo<<5}
			if u.hi < y.hi || u.hi == y.hi && u.lo < y.lo {
				z.hi--
			}
			return [4]uint64{y.lo, y.hi, z.lo, z.hi}
		}), got)
	}},
	{"objects.hip", "queens", func(x *Exam) {
		out, got := Out[uint32](x, 49)
		x.Launch(1, 49, out)
		var col [7]int
		fits := func(r int) bool {
			for k := range r {
				if d := col[k] - col[r]; d == 0 || d == r-k || d == k-r {
					return false
				}
			}
			return true
		}
		var ways func(r int) uint32
		ways = func(r int) (n uint32) {
			if r == 7 {
				return 1
			}
			for col[r] = range 7 {
				if fits(r) {
					n += ways(r + 1)
				}
			}
			return n
		}
		Equal(x, Make(49, func(i int) uint32 {
			if col[0], col[1] = i%7, i/7; !fits(1) {
				return 0
			}
			return ways(2)
		}), got)
	}},
	{"objects.hip", "blur", func(x *Exam) {
		const w, h = 32, 12
		in := x.Bytes(w * h)
		out, got := Out[byte](x, w*h)
		image := In(x, in)
		x.Launch(6, 64, image, out, int32(w), int32(h))
		x.Launch(6, 64, image, out, int32(w), int32(h))
		Equal(x, Make(w*h, func(n int) byte {
			sum := 0
			for k, weight := range []int{1, 2, 1, 2, 4, 2, 1, 2, 1} {
				i, j := min(max(n%w+k%3-1, 0), w-1), min(max(n/w+k/3-1, 0), h-1)
				sum += weight * int(in[j*w+i])
			}
			return byte(sum / 16)
		}), got)
		calls, n := Out[int32](x, 1)
		x.LaunchOther("how_many", one, calls)
		Equal(x, []int32{12}, n)
	}},
	{"objects.hip", "odd_atomics", func(x *Exam) {
		f, gotF := Out[float32](x, 1)
		d, gotD := Out[float64](x, 1)
		b, gotB := Out[byte](x, 8)
		x.Launch(3, 64, f, d, b)
		Equal(x, []float32{96}, gotF)
		Equal(x, []float64{48}, gotD)
		var sums [2]uint16
		var want [4]byte
		for i := range 192 {
			want[i&3] ^= byte(i)
			sums[i&1] += uint16(i)
		}
		Equal(x, append(want[:], layout(sums)...), gotB)
	}},
}
