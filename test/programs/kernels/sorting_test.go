package kernels

import (
	"slices"

	"github.com/mgpu-runtime/mgpu/test/internal/softgpu"
)

var sorting = []Row{
	{"sorting.cl", "bitonic_sort", func(x *Exam) {
		data, got := Out[uint32](x, 2*256)
		want := x.Words(len(got))
		copy(got, want)
		x.LaunchGrid(softgpu.Linear(2, 256), data, softgpu.Local(256*4))
		slices.Sort(want[:256])
		slices.Sort(want[256:])
		Equal(x, want, got)
	}},
	{"sorting.cl", "odd_even_sort", func(x *Exam) {
		data, got := Out[float32](x, 3*128)
		want := x.Singles(len(got), -5, 5)
		copy(got, want)
		x.Launch(3, 128, data)
		for g := 0; g < len(want); g += 128 {
			slices.Sort(want[g : g+128])
		}
		Equal(x, want, got)
	}},
	{"sorting.cl", "insertion_sort", func(x *Exam) {
		in := Make(24*100, func(int) int32 { return int32(x.Uint32()) })
		out, got := Out[int32](x, len(in))
		x.Launch(2, 50, In(x, in), out)
		for g := 0; g < len(in); g += 24 {
			slices.Sort(in[g : g+24])
		}
		Equal(x, in, got)
	}},
	{"sorting.cl", "radix_sort", func(x *Exam) {
		data, got := Out[uint32](x, 256)
		want := x.Words(256)
		copy(got, want)
		x.Launch(1, 256, data)
		slices.Sort(want)
		Equal(x, want, got)
	}},
	{"sorting.cl", "rank_sort", func(x *Exam) {
		const n = 150
		keys := Make(n, func(int) int16 { return int16(x.IntN(40) - 20) })
		values := x.Bytes(n)
		k, gotKeys := Out[int16](x, n)
		v, gotValues := Out[byte](x, n)
		x.Launch(3, 64, In(x, keys), In(x, values), k, v, uint32(n))
		order := Make(n, func(i int) int { return i })
		slices.SortStableFunc(order, func(a, b int) int { return int(keys[a]) - int(keys[b]) })
		Equal(x, Make(n, func(i int) int16 { return keys[order[i]] }), gotKeys)
		Equal(x, Make(n, func(i int) byte { return values[order[i]] }), gotValues)
	}},
}

var scans = []Row{
	{"scan.cl", "inclusive_scan", func(x *Exam) {
		in := Make(3*200, func(int) int32 { return int32(x.Uint32()) })
		out, got := Out[int32](x, len(in))
		x.Launch(3, 200, In(x, in), out)
		for g := 0; g < len(in); g += 200 {
			for i := g + 1; i < g+200; i++ {
				in[i] += in[i-1]
			}
		}
		Equal(x, in, got)
	}},
	{"scan.cl", "exclusive_scan", func(x *Exam) {
		in := x.Longs(256)
		out, got := Out[uint64](x, 256)
		x.Launch(1, 128, In(x, in), out)
		sum := uint64(0)
		Equal(x, Make(256, func(i int) uint64 {
			sum += in[i]
			return sum - in[i]
		}), got)
	}},
	{"scan.cl", "group_sums", func(x *Exam) {
		in := x.Words(20 * 64)
		buffer := In(x, in)
		sums, _ := Out[uint32](x, 20)
		out, got := Out[uint32](x, len(in))
		x.Launch(20, 64, buffer, sums)
		x.LaunchOther("add_group_sums", softgpu.Linear(20, 64), buffer, sums, out)
		for i := 1; i < len(in); i++ {
			in[i] += in[i-1]
		}
		Equal(x, in, got)
	}},
	{"scan.cl", "segmented_scan", func(x *Exam) {
		in := Make(128, func(int) int32 { return int32(x.IntN(1000) - 500) })
		flags := Make(128, func(int) byte { return byte(x.IntN(6) / 5) })
		out, got := Out[int32](x, 128)
		x.Launch(1, 128, In(x, in), In(x, flags), out)
		for i := 1; i < len(in); i++ {
			if flags[i] == 0 {
				in[i] += in[i-1]
			}
		}
		Equal(x, in, got)
	}},
	{"scan.cl", "arg_max", func(x *Exam) {
		in := Make(1000, func(int) float32 { return float32(x.IntN(300)) })
		out, got := Out[uint32](x, 1)
		x.Launch(1, 64, In(x, in), out, uint32(len(in)))
		Equal(x, []uint32{uint32(slices.Index(in, slices.Max(in)))}, got)
	}},
	{"scan.cl", "compact", func(x *Exam) {
		in := Make(256, func(int) int32 { return int32(x.IntN(21) - 10) })
		out, got := Out[int32](x, 256)
		count, n := Out[uint32](x, 1)
		x.Launch(1, 256, In(x, in), out, count)
		want := slices.DeleteFunc(in, func(v int32) bool { return v <= 0 })
		Equal(x, []uint32{uint32(len(want))}, n)
		Equal(x, want, got[:len(want)])
	}},
	{"histogram.cl", "histogram", func(x *Exam) {
		in := x.Bytes(5000)
		bins, got := Out[uint32](x, 256)
		x.Launch(4, 100, In(x, in), bins, uint32(len(in)))
		want := make([]uint32, 256)
		for _, b := range in {
			want[b]++
		}
		Equal(x, want, got)
	}},
	{"histogram.cl", "packed_histogram", func(x *Exam) {
		in := x.Bytes(3 * 128 * 4)
		bins, got := Out[uint16](x, 3*64)
		x.Launch(3, 128, In(x, in), bins)
		want := make([]uint16, len(got))
		for i, b := range in {
			want[i/512*64+int(b>>2)]++
		}
		Equal(x, want, got)
	}},
}
