package drivertest

import (
	"math"
	"sync"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var launchTests = []conformance{
	{"launch/an empty kernel runs a thousand times", func(x *exam) {
		f, s := x.kernel("empty"), x.stream()
		for range 1000 {
			x.launch(f, 1, 1, s)
		}
		x.sync(s)
	}},
	{"launch/vectors are added", func(x *exam) {
		const n = 10_007
		a, b, want := make([]uint32, n), make([]uint32, n), make([]uint32, n)
		for i := range a {
			u, v := float32(i)*0.5, float32(n-i)*0.25
			a[i], b[i], want[i] = math.Float32bits(u), math.Float32bits(v), math.Float32bits(u+v)
		}
		s, out := x.stream(), x.words(n+1, 0x55555555)
		x.launch(x.kernel("vector_add"), (n+255)/256, 256, s, x.upload(a), x.upload(b), out, uint32(n))
		x.equal(x.downloadOn(out, n+1, s), append(want, 0x55555555), "out")
	}},
	{"launch/every work-item knows its place", func(x *exam) {
		f := x.kernel("indices")
		for _, l := range []driver.Launch{
			{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 1, Y: 1, Z: 1}},
			{Grid: driver.Dim3{X: 3, Y: 1, Z: 1}, Block: driver.Dim3{X: 100, Y: 1, Z: 1}},
			{Grid: driver.Dim3{X: 2, Y: 3, Z: 1}, Block: driver.Dim3{X: 16, Y: 8, Z: 1}},
			{Grid: driver.Dim3{X: 3, Y: 2, Z: 4}, Block: driver.Dim3{X: 5, Y: 7, Z: 3}},
			{Grid: driver.Dim3{X: 1, Y: 1, Z: 70}, Block: driver.Dim3{X: 1, Y: 1, Z: 2}},
			{Grid: driver.Dim3{X: 1, Y: 2, Z: 1}, Block: driver.Dim3{X: 1, Y: 256, Z: 1}},
		} {
			want := placesOf(l)
			l.Stream = x.stream()
			out := x.words(len(want), 0)
			x.ok(launch(x.d, f, l, out), "LaunchKernel")
			x.equal(x.downloadOn(out, len(want), l.Stream), want, "indices")
		}
	}},
	{"launch/arguments of every size arrive", func(x *exam) {
		out, s := x.words(12, 0), x.stream()
		x.launch(x.kernel("scalars"), 1, 1, s, uint8(0x81), uint16(0x8765), uint32(0x89abcdef), uint64(0x8123456789abcdef),
			float32(-1.5), -math.Pi, out)
		pi := math.Float64bits(-math.Pi)
		x.equal(x.downloadOn(out, 12, s), []uint32{0x81, 0, 0x8765, 0, 0x89abcdef, 0, 0x89abcdef, 0x81234567,
			math.Float32bits(-1.5), 0, uint32(pi), uint32(pi >> 32)}, "out")
	}},
	{"launch/workgroups share dynamic memory", func(x *exam) {
		f := x.kernel("reverse_shared")
		for _, items := range []uint32{1, 64, 100, 256} {
			const groups = 5
			in, want := make([]uint32, groups*items), make([]uint32, groups*items)
			for i := range in {
				in[i] = uint32(i) * 7
				g := uint32(i) / items
				want[g*items+items-1-uint32(i)%items] = in[i]
			}
			s, data := x.stream(), x.upload(in)
			x.ok(launch(x.d, f, driver.Launch{Grid: along(groups), Block: along(items), SharedBytes: 4 * items, Stream: s}, data), "LaunchKernel")
			x.equal(x.downloadOn(data, len(in), s), want, "data")
		}
	}},
	{"launch/a cluster of one workgroup is nothing else", func(x *exam) {
		c, ok := x.d.(driver.ClusterLauncher)
		if !ok {
			return
		}
		s := x.stream()
		one := driver.Dim3{X: 1, Y: 1, Z: 1}
		x.ok(c.LaunchCluster(x.kernel("empty"), one, driver.Launch{Grid: along(4), Block: along(64), Stream: s}), "LaunchCluster")
		x.sync(s)
	}},
	{"launch/empty grids and workgroups are errors", func(x *exam) {
		f := x.kernel("empty")
		for i := range 6 {
			l := driver.Launch{Grid: along(1), Block: along(1)}
			*[]*uint32{&l.Grid.X, &l.Grid.Y, &l.Grid.Z, &l.Block.X, &l.Block.Y, &l.Block.Z}[i] = 0
			x.fails(x.d.LaunchKernel(f, l), "LaunchKernel with a size of 0", driver.InvalidValue)
		}
		x.launch(f, 1, 1, 0)
		x.sync(0)
	}},
	{"launch/workgroups that are too large are errors", func(x *exam) {
		f := x.kernel("empty")
		for _, b := range []driver.Dim3{along(1025), {X: 33, Y: 32, Z: 1}, {X: 1 << 16, Y: 1 << 16, Z: 1}, along(math.MaxUint32), {X: 1 << 31, Y: 2, Z: 1}} {
			x.fails(x.d.LaunchKernel(f, driver.Launch{Grid: along(1), Block: b}), "LaunchKernel", driver.InvalidValue)
		}
	}},
	{"launch/grids that are too large are errors", func(x *exam) {
		f := x.kernel("empty")
		for _, g := range []driver.Dim3{along(math.MaxUint32), {X: math.MaxUint32, Y: math.MaxUint32, Z: math.MaxUint32}} {
			x.fails(x.d.LaunchKernel(f, driver.Launch{Grid: g, Block: along(1024)}), "LaunchKernel", driver.InvalidValue)
		}
	}},
	{"launch/more shared memory than exists is an error", func(x *exam) {
		f := x.kernel("reverse_shared")
		for _, n := range []uint32{1 << 20, math.MaxUint32} {
			err := launch(x.d, f, driver.Launch{Grid: along(1), Block: along(1), SharedBytes: n}, x.words(1, 0))
			x.fails(err, "LaunchKernel", driver.InvalidValue, driver.OutOfMemory)
		}
	}},
	{"launch/missing arguments are an error", func(x *exam) {
		x.fails(x.d.LaunchKernel(x.kernel("fill"), driver.Launch{Grid: along(1), Block: along(1)}), "LaunchKernel without arguments", driver.InvalidValue)
	}},
	{"launch/threads launch at once, each on its stream", func(x *exam) {
		step := x.kernel("step")
		const threads, launches = 16, 50
		var s [threads]driver.Stream
		var p [threads]driver.Ptr
		var errs [threads]error
		for i := range s {
			s[i], p[i] = x.stream(), x.words(100, uint32(i))
		}
		var wg sync.WaitGroup
		for i := range s {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for n := 0; n < launches && errs[i] == nil; n++ {
					errs[i] = launch(x.d, step, driver.Launch{Grid: along(2), Block: along(64), Stream: s[i]}, p[i], uint32(100))
				}
			}()
		}
		wg.Wait()
		for i := range s {
			x.ok(errs[i], "LaunchKernel")
			want := uint32(i)
			for range launches {
				want = 3*want + 1
			}
			x.equal(x.downloadOn(p[i], 100, s[i]), repeat(want, 100), "out")
		}
	}},
}

// placesOf returns what the kernel indices writes.
func placesOf(l driver.Launch) []uint32 {
	gx, gy, gz := l.Grid.X*l.Block.X, l.Grid.Y*l.Block.Y, l.Grid.Z*l.Block.Z
	var want []uint32
	for z := range gz {
		for y := range gy {
			for x := range gx {
				want = append(want,
					x/l.Block.X, y/l.Block.Y, z/l.Block.Z, l.Block.X, l.Block.Y, l.Block.Z,
					x%l.Block.X, y%l.Block.Y, z%l.Block.Z, gx, gy, gz)
			}
		}
	}
	return want
}
