package drivertest

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

var streamTests = []conformance{
	{"stream/those that exist are distinct", func(x *exam) {
		seen := map[driver.Stream]bool{}
		for range 40 {
			s := x.stream()
			x.want(!seen[s], "a new stream is none of the others")
			seen[s] = true
		}
	}},
	{"stream/handles differ from events'", func(x *exam) {
		seen := map[uintptr]bool{}
		for range 20 {
			s, e := uintptr(x.stream()), uintptr(x.event())
			x.want(!seen[s] && !seen[e] && s != e, "no two live handles are equal")
			seen[s], seen[e] = true, true
		}
	}},
	{"stream/a new one is idle", func(x *exam) {
		s := x.stream()
		x.want(x.idle(s), "idle")
		x.sync(s)
		x.sync(0)
		x.want(x.idle(0), "the null stream is idle")
	}},
	{"stream/is busy until its work is done", func(x *exam) {
		s := x.stream()
		release := x.hold(s)
		x.want(!x.idle(s), "busy while its kernel runs")
		release()
		x.want(x.idle(s), "idle after synchronize")
	}},
	{"stream/work is done in order", func(x *exam) {
		s, step := x.stream(), x.kernel("step")
		p := x.words(1000, 1)
		want := uint32(1)
		for range 50 {
			x.launch(step, 16, 64, s, p, uint32(1000))
			want = 3*want + 1
		}
		x.equal(x.downloadOn(p, 1000, s), repeat(want, 1000), "out")
	}},
	{"stream/copies, fills and kernels keep the order", func(x *exam) {
		s, step := x.stream(), x.kernel("step")
		a, b := x.words(256, 0), x.words(256, 0)
		x.ok(x.d.Memset32(a, 5, 256, s), "Memset32")
		x.launch(step, 4, 64, s, a, uint32(256))
		x.ok(x.d.Memcpy(b, a, 1024, s), "Memcpy")
		x.ok(x.d.Memset32(a, 7, 256, s), "Memset32")
		x.launch(step, 4, 64, s, b, uint32(256))
		x.equal(x.downloadOn(b, 256, s), repeat(3*16+1, 256), "b")
		x.equal(x.downloadOn(a, 256, s), repeat(7, 256), "a")
	}},
	{"stream/two of them progress independently", func(x *exam) {
		meet := x.kernel("meet")
		one, two := x.words(1, 0), x.words(1, 0)
		out := [2]driver.Ptr{x.words(1, 0), x.words(1, 0)}
		s := [2]driver.Stream{x.stream(), x.stream()}
		x.launch(meet, 1, 1, s[0], one, two, out[0], uint32(rounds))
		x.launch(meet, 1, 1, s[1], two, one, out[1], uint32(rounds))
		for i := range s {
			x.sync(s[i])
			x.equal(x.download(out[i], 1), []uint32{2}, "out: two kernels that wait for each other have met")
		}
	}},
	{"stream/others go on while one is held", func(x *exam) {
		fill := x.kernel("fill") // first: CUDA loads modules when the device is idle
		release := x.hold(x.stream())
		for range 8 {
			s, p := x.stream(), x.words(64, 0)
			x.launch(fill, 1, 64, s, p, uint32(9), uint32(64))
			x.equal(x.downloadOn(p, 64, s), repeat(9, 64), "out")
		}
		release()
	}},
	{"stream/destroying one with work pending loses nothing", func(x *exam) {
		p, fill := x.words(64, 0), x.kernel("fill")
		held := x.stream()
		release := x.hold(held)
		s, err := x.d.StreamCreate()
		x.ok(err, "StreamCreate")
		e, passed := x.event(), x.event()
		x.ok(x.d.EventRecord(e, held), "EventRecord")
		x.ok(x.d.StreamWaitEvent(s, e), "StreamWaitEvent")
		x.launch(fill, 1, 64, s, p, uint32(9), uint32(64))
		x.ok(x.d.EventRecord(passed, s), "EventRecord")
		release() // before the destroy, which may wait for the work
		x.ok(x.d.StreamDestroy(s), "StreamDestroy")
		x.ok(x.d.EventSynchronize(passed), "EventSynchronize")
		x.equal(x.download(p, 64), repeat(9, 64), "out")
	}},
	{"stream/the null stream works", func(x *exam) {
		p, fill := x.words(64, 0), x.kernel("fill")
		x.launch(fill, 1, 64, 0, p, uint32(9), uint32(64))
		x.equal(x.downloadOn(p, 64, 0), repeat(9, 64), "out")
	}},
}

func repeat(v uint32, n int) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = v
	}
	return s
}
