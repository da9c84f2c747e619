package kernels

import "slices"

// tally gives the cells what all of in does to them; signed numbers are T's own.
func tally[U uint32 | uint64](cells []U, in []U, low, bits U, less func(a, b U) bool) {
	for _, v := range in {
		cells[0] += v
		cells[1] -= v
		cells[2] &= v | low
		cells[3] |= v & bits
		cells[4] ^= v
		cells[5] = min(cells[5], v)
		cells[6] = max(cells[6], v)
		if less(v, cells[7]) {
			cells[7] = v
		}
		if less(cells[8], v) {
			cells[8] = v
		}
		cells[9]++
		cells[10]--
	}
}

var atomics = []Row{
	{"atomics.cl", "atomics_32", func(x *Exam) {
		in := x.Words(500)
		want := []uint32{1, 2, ^uint32(0), 0, 5, 1 << 31, 3, 100, 100, 7, 8}
		cells, got := Out[uint32](x, len(want))
		copy(got, want)
		x.Launch(5, 100, cells, In(x, in))
		tally(want, in, 0xffff, 0x10101, func(a, b uint32) bool { return int32(a) < int32(b) })
		Equal(x, want, got)
	}},
	{"atomics.cl", "atomics_64", func(x *Exam) {
		in := Make(500, func(int) uint64 { return x.Uint64() })
		want := []uint64{1, 2, ^uint64(0), 0, 5, 1 << 63, 3, 100, 100, 7, 8}
		cells, got := Out[uint64](x, len(want))
		copy(got, want)
		x.Launch(5, 100, cells, In(x, in))
		tally(want, in, 0xffffffff0, 0x100000001, func(a, b uint64) bool { return int64(a) < int64(b) })
		Equal(x, want, got)
	}},
	{"atomics.cl", "local_atomics", func(x *Exam) {
		in := Make(256, func(int) uint64 { return x.Uint64() })
		out32, got32 := Out[uint32](x, 16)
		out64, got64 := Out[uint64](x, 16)
		x.Launch(2, 128, In(x, in), out32, out64)
		var want32 []uint32
		var want64 []uint64
		for g := range 2 {
			all := ^uint32(0)
			c, d := []uint32{0, all, 0, all, 0, all, 0, all}, []uint64{0, ^uint64(0), 0, ^uint64(0), 0, ^uint64(0), 0, ^uint64(0)}
			for _, v := range in[g*128 : g*128+128] {
				w := uint32(v)
				c[0], c[1], c[2], c[3], c[4], c[6] = c[0]+w, c[1]&(w|0xff00), c[2]|w&0xff, min(c[3], w), max(c[4], w), c[6]^w
				d[0], d[1], d[2], d[3], d[4] = d[0]+v, min(d[1], v), max(d[2], v), d[3]&(v|0xff00000000), d[4]^v
			}
			want32, want64 = append(want32, c...), append(want64, d...)
		}
		Equal(x, want32, got32)
		Equal(x, want64, got64)
	}},
	{"atomics.cl", "float_sum", func(x *Exam) {
		in := Make(512, func(int) float32 { return float32(x.IntN(1000)) / 4 }) // exact in any order
		sum, got := Out[float32](x, 1)
		x.Launch(4, 128, sum, In(x, in))
		want := float32(0)
		for _, v := range in {
			want += v
		}
		Equal(x, []float32{want}, got)
	}},
	{"atomics.cl", "tickets", func(x *Exam) {
		next, _ := Out[uint32](x, 1)
		taken, got := Out[uint32](x, 640)
		x.Launch(10, 64, next, taken)
		sorted := slices.Clone(got)
		slices.Sort(sorted)
		Equal(x, Make(640, func(i int) uint32 { return uint32(i) }), sorted)
	}},
	{"atomics.cl", "linked_list", func(x *Exam) {
		head, first := Out[int32](x, 1)
		first[0] = -1
		after, next := Out[int32](x, 300)
		x.Launch(6, 50, head, after)
		seen := 0
		for at := first[0]; at >= 0 && seen <= 300; at = next[at] {
			seen++
		}
		Equal(x, []int{300}, []int{seen})
	}},
	{"atomics.cl", "c11_atomics", func(x *Exam) {
		flag, won := Out[int32](x, 1)
		sum, total := Out[uint32](x, 1)
		out, got := Out[int32](x, 2)
		x.Launch(4, 64, flag, sum, out)
		Equal(x, []uint32{255 * 256 / 2}, total)
		Equal(x, []int32{won[0], 42}, got)
		Equal(x, []bool{true}, []bool{won[0] >= 1 && won[0] <= 256})
	}},
}
