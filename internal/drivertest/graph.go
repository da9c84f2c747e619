package drivertest

import (
	"math"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// grapher returns the driver's graph interface.
func (x *exam) grapher() driver.Grapher {
	g, ok := x.d.(driver.Grapher)
	if !ok {
		x.fatalf("the driver has no graphs")
	}
	return g
}

// graph is a graph under construction.
type graph struct {
	x *exam
	g driver.Grapher
	h driver.Graph
}

func (x *exam) graph() *graph {
	g := x.grapher()
	h, err := g.GraphCreate()
	x.ok(err, "GraphCreate")
	x.after(func() { _ = g.GraphDestroy(h) })
	return &graph{x, g, h}
}

func (g *graph) kernel(f driver.Function, groups, items uint32, after []driver.Node, args ...any) (n driver.Node) {
	l := driver.Launch{Grid: along(groups), Block: along(items)}
	err := withArguments(l, func(l driver.Launch) (err error) {
		n, err = g.g.GraphAddKernel(g.h, after, f, l)
		return err
	}, args...)
	g.x.ok(err, "GraphAddKernel")
	return n
}

func (g *graph) copy(dst, src driver.Ptr, bytes uint64, after ...driver.Node) driver.Node {
	n, err := g.g.GraphAddCopy(g.h, after, driver.Copy{Dst: dst, Src: src, Bytes: bytes})
	g.x.ok(err, "GraphAddCopy")
	return n
}

func (g *graph) fill(f driver.Fill, after ...driver.Node) driver.Node {
	n, err := g.g.GraphAddFill(g.h, after, f)
	g.x.ok(err, "GraphAddFill")
	return n
}

func (g *graph) exec() driver.GraphExec {
	e, err := g.g.GraphInstantiate(g.h)
	g.x.ok(err, "GraphInstantiate")
	g.x.after(func() { _ = g.g.GraphExecDestroy(e) })
	return e
}

func (g *graph) launch(e driver.GraphExec, s driver.Stream) {
	g.x.ok(g.g.GraphLaunch(e, s), "GraphLaunch")
}

func (g *graph) set(e driver.GraphExec, n driver.Node, f driver.Function, groups, items uint32, args ...any) {
	l := driver.Launch{Grid: along(groups), Block: along(items)}
	g.x.ok(withArguments(l, func(l driver.Launch) error { return g.g.GraphSetKernel(e, n, f, l) }, args...), "GraphSetKernel")
}

var graphTests = []conformance{
	{"graph/does its work at each launch and not before", func(x *exam) {
		g, s, p := x.graph(), x.stream(), x.words(100, 1)
		g.kernel(x.kernel("step"), 1, 128, nil, p, uint32(100))
		e := g.exec()
		x.equal(x.download(p, 100), repeat(1, 100), "before")
		g.launch(e, s)
		x.equal(x.downloadOn(p, 100, s), repeat(4, 100), "once")
		for range 3 {
			g.launch(e, s)
		}
		x.equal(x.downloadOn(p, 100, s), repeat(121, 100), "four times")
	}},
	{"graph/nodes wait for those that they name", func(x *exam) {
		g, s := x.graph(), x.stream()
		a, b, c, d := x.words(64, 0), x.words(64, 0), x.words(64, 0), x.words(64, 0)
		step := x.kernel("step")
		fill := g.fill(driver.Fill{Dst: a, Value: 5, Size: 4, Count: 64})
		left, right := g.copy(b, a, 256, fill), g.copy(c, a, 256, fill)
		join, err := g.g.GraphAddEmpty(g.h, []driver.Node{left, right})
		x.ok(err, "GraphAddEmpty")
		both := g.kernel(step, 1, 64, []driver.Node{join}, a, uint32(64))
		g.kernel(step, 1, 64, []driver.Node{right}, c, uint32(64))
		g.copy(d, a, 256, both)
		e := g.exec()
		for range 3 {
			g.launch(e, s)
			x.equal(x.downloadOn(a, 64, s), repeat(16, 64), "a")
			x.equal(x.downloadOn(b, 64, s), repeat(5, 64), "b")
			x.equal(x.downloadOn(c, 64, s), repeat(16, 64), "c")
			x.equal(x.downloadOn(d, 64, s), repeat(16, 64), "d")
		}
	}},
	{"graph/is ordered with the work around it", func(x *exam) {
		g, s, p := x.graph(), x.stream(), x.words(1000, 0)
		step := x.kernel("step")
		g.kernel(step, 4, 256, nil, p, uint32(1000))
		e := g.exec()
		want := uint32(7)
		x.ok(x.d.Memset32(p, want, 1000, s), "Memset32")
		for range 10 {
			x.launch(step, 4, 256, s, p, uint32(1000))
			g.launch(e, s)
			want = 3*(3*want+1) + 1
		}
		x.equal(x.downloadOn(p, 1000, s), repeat(want, 1000), "p")
	}},
	{"graph/launches of one exec on two streams do not overlap", func(x *exam) {
		g, s, other, p := x.graph(), x.stream(), x.stream(), x.words(100, 0)
		step := x.kernel("step")
		var after []driver.Node
		for range 20 {
			after = []driver.Node{g.kernel(step, 1, 128, after, p, uint32(100))}
		}
		e := g.exec()
		want := uint32(0)
		for range 10 {
			g.launch(e, s)
			g.launch(e, other)
		}
		for range 400 {
			want = 3*want + 1
		}
		x.sync(s)
		x.sync(other)
		x.equal(x.download(p, 100), repeat(want, 100), "p")
	}},
	{"graph/arguments are those of the moment when they were given", func(x *exam) {
		g, s, out := x.graph(), x.stream(), x.words(12, 0)
		g.kernel(x.kernel("scalars"), 1, 1, nil, uint8(0x81), uint16(0x8765), uint32(0x89abcdef), uint64(0x8123456789abcdef),
			float32(-1.5), -math.Pi, out)
		g.launch(g.exec(), s)
		pi := math.Float64bits(-math.Pi)
		x.equal(x.downloadOn(out, 12, s), []uint32{0x81, 0, 0x8765, 0, 0x89abcdef, 0, 0x89abcdef, 0x81234567,
			math.Float32bits(-1.5), 0, uint32(pi), uint32(pi >> 32)}, "out")
	}},
	{"graph/changes hold for later launches and for no earlier ones", func(x *exam) {
		const n, times = 64, 40
		g, s, fill := x.graph(), x.stream(), x.kernel("fill")
		out := x.words(n*times, 0)
		at := func(i int) driver.Ptr { return out + driver.Ptr(4*n*i) }
		node := g.kernel(fill, 1, n, nil, at(0), uint32(1), uint32(n))
		e := g.exec()
		release := x.hold(s)
		g.launch(e, s)
		want := repeat(1, n)
		for i := 1; i < times; i++ {
			g.set(e, node, fill, 1, n, at(i), uint32(100+i), uint32(n))
			g.launch(e, s)
			want = append(want, repeat(uint32(100+i), n)...)
		}
		release()
		x.equal(x.downloadOn(out, n*times, s), want, "out")
	}},
	{"graph/a node may launch another kernel in another shape", func(x *exam) {
		g, s, p := x.graph(), x.stream(), x.words(512, 9)
		node := g.kernel(x.kernel("fill"), 1, 64, nil, p, uint32(3), uint32(64))
		e := g.exec()
		g.launch(e, s)
		g.set(e, node, x.kernel("step"), 4, 128, p, uint32(512))
		g.launch(e, s)
		x.equal(x.downloadOn(p, 512, s), append(repeat(10, 64), repeat(28, 448)...), "p")
	}},
	{"graph/copies and fills may change", func(x *exam) {
		g, s := x.graph(), x.stream()
		a, b := x.words(64, 0), x.words(64, 0)
		fill := g.fill(driver.Fill{Dst: a, Value: 0xab, Size: 2, Count: 7})
		cp := g.copy(b, a, 16, fill)
		e := g.exec()
		g.launch(e, s)
		x.equal(x.downloadOn(b, 8, s), []uint32{0xab00ab, 0xab00ab, 0xab00ab, 0xab, 0, 0, 0, 0}, "first")
		x.ok(g.g.GraphSetFill(e, fill, driver.Fill{Dst: a + 8, Value: 0x12345678, Size: 4, Count: 3}), "GraphSetFill")
		x.ok(g.g.GraphSetCopy(e, cp, driver.Copy{Dst: b, Src: a + 8, Bytes: 12}), "GraphSetCopy")
		g.launch(e, s)
		x.equal(x.downloadOn(b, 4, s), []uint32{0x12345678, 0x12345678, 0x12345678, 0xab}, "then")
	}},
	{"graph/an exec outlives its graph", func(x *exam) {
		gr := x.grapher()
		h, err := gr.GraphCreate()
		x.ok(err, "GraphCreate")
		g, s, p := &graph{x, gr, h}, x.stream(), x.words(100, 1)
		g.kernel(x.kernel("step"), 1, 128, nil, p, uint32(100))
		e := g.exec()
		x.ok(gr.GraphDestroy(h), "GraphDestroy")
		g.launch(e, s)
		x.equal(x.downloadOn(p, 100, s), repeat(4, 100), "p")
	}},
	{"graph/an empty one does nothing", func(x *exam) {
		g, s := x.graph(), x.stream()
		e := g.exec()
		g.launch(e, s)
		x.sync(s)
	}},
	{"graph/many nodes in a chain", func(x *exam) {
		g, s, p := x.graph(), x.stream(), x.words(32, 0)
		step := x.kernel("step")
		var after []driver.Node
		want := uint32(0)
		for range 300 {
			after = []driver.Node{g.kernel(step, 1, 32, after, p, uint32(32))}
			want = 3*want + 1
		}
		g.launch(g.exec(), s)
		x.equal(x.downloadOn(p, 32, s), repeat(want, 32), "p")
	}},
	{"graph/places of memory", func(x *exam) {
		d, ok := x.d.(driver.Placer)
		if !ok {
			x.fatalf("the driver tells no places")
		}
		place := func(p driver.Ptr, want driver.Place, what string) {
			got, err := d.PlaceOf(p)
			x.ok(err, "PlaceOf")
			if got != want {
				x.errorf("%s is in place %d, want %d", what, got, want)
			}
		}
		p := x.words(16, 0)
		place(p, driver.DeviceOnly, "device memory")
		place(p+32, driver.DeviceOnly, "the middle of device memory")
		m, err := x.d.MemAllocManaged(64)
		x.ok(err, "MemAllocManaged")
		x.after(func() { _ = x.d.MemFree(m) })
		place(m, driver.Shared, "managed memory")
		host := make([]byte, 8192)
		place(hostPtr(host), driver.Pageable, "the host's memory")
		x.ok(x.d.HostRegister(hostPtr(host), 8192), "HostRegister")
		place(hostPtr(host)+100, driver.Shared, "registered memory")
		x.ok(x.d.HostUnregister(hostPtr(host)), "HostUnregister")
		place(hostPtr(host), driver.Pageable, "memory that was registered")
	}},
}
