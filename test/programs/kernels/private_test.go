package kernels

import "slices"

// sorted tests a kernel that sorts 16 numbers in each of 100 work-items.
func sorted(x *Exam) {
	in := Make(16*100, func(int) int32 { return int32(x.Uint32()) })
	out, got := Out[int32](x, len(in))
	x.Launch(2, 50, In(x, in), out)
	for g := 0; g < len(in); g += 16 {
		slices.Sort(in[g : g+16])
	}
	Equal(x, in, got)
}

var private = []Row{
	{"private.cl", "private_shell_sort", sorted},
	{"private.cl", "private_heap_sort", sorted},
	{"private.cl", "private_search", func(x *Exam) {
		table := Make(12, func(i int) int32 { return int32(i*10 + x.IntN(10)) })
		keys := Make(256, func(int) int32 { return int32(x.IntN(140) - 10) })
		out, got := Out[int32](x, len(keys))
		x.Launch(4, 64, In(x, table), In(x, keys), out)
		Equal(x, Make(len(keys), func(i int) int32 {
			at, found := slices.BinarySearch(table, keys[i])
			if !found {
				at = -at - 1
			}
			return int32(at)
		}), got)
	}},
	{"private.cl", "private_guarded", func(x *Exam) {
		in := Make(16, func(int) int32 { return int32(x.Uint32()) })
		const steps = 200
		places := Make(2*steps, func(i int) int32 {
			if x.IntN(4) == 0 {
				return int32(x.Uint32()) >> x.IntN(28)
			}
			return int32(x.IntN(20) - 2)
		})
		const items = 128
		out, got := Out[int32](x, 16*items)
		x.Launch(2, 64, In(x, in), In(x, places), out, uint32(steps))
		var want []int32
		for id := range int32(items) {
			a := slices.Clone(in)
			for i := range steps {
				from, to, v := places[2*i], places[2*i+1], int32(-1)
				if from >= 0 && from < 16 {
					v = a[from]
				}
				if to >= 0 && to < 16 {
					a[to] = v + id
				}
			}
			want = append(want, a...)
		}
		Equal(x, want, got)
	}},
}
