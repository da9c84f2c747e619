package drivertest

var eventTests = []conformance{
	{"event/one never recorded is done", func(x *exam) {
		e, s := x.event(), x.stream()
		x.want(x.done(e), "done")
		x.ok(x.d.EventSynchronize(e), "EventSynchronize")
		x.ok(x.d.StreamWaitEvent(s, e), "StreamWaitEvent")
		x.sync(s)
	}},
	{"event/is done when what it recorded is", func(x *exam) {
		e, s := x.event(), x.stream()
		release := x.hold(s)
		x.ok(x.d.EventRecord(e, s), "EventRecord")
		x.want(!x.done(e), "not done while the stream is held")
		release()
		x.ok(x.d.EventSynchronize(e), "EventSynchronize")
		x.want(x.done(e), "done")
	}},
	{"event/work submitted later is not part of it", func(x *exam) {
		e, s := x.event(), x.stream()
		x.ok(x.d.EventRecord(e, s), "EventRecord")
		release := x.hold(s)
		x.ok(x.d.EventSynchronize(e), "EventSynchronize")
		x.want(x.done(e), "done while the stream is held")
		release()
	}},
	{"event/a stream waits for it", func(x *exam) {
		step := x.kernel("step")
		p := x.words(64, 0)
		first, second, e := x.stream(), x.stream(), x.event()
		release := x.hold(first)
		x.ok(x.d.Memset32(p, 5, 64, first), "Memset32")
		x.ok(x.d.EventRecord(e, first), "EventRecord")
		x.ok(x.d.StreamWaitEvent(second, e), "StreamWaitEvent")
		x.launch(step, 1, 64, second, p, uint32(64))
		x.want(!x.idle(second), "the waiting stream is busy")
		x.equal(x.download(p, 64), repeat(0, 64), "out, before")
		release()
		x.equal(x.downloadOn(p, 64, second), repeat(16, 64), "out")
	}},
	{"event/a wait is for the record before it", func(x *exam) {
		early, late, waiting, e := x.stream(), x.stream(), x.stream(), x.event()
		x.ok(x.d.EventRecord(e, early), "EventRecord")
		x.ok(x.d.StreamWaitEvent(waiting, e), "StreamWaitEvent")
		release := x.hold(late)
		x.ok(x.d.EventRecord(e, late), "EventRecord again")
		x.sync(waiting)
		x.want(!x.done(e), "the event is about the later record")
		release()
		x.ok(x.d.EventSynchronize(e), "EventSynchronize")
	}},
	{"event/destroying one does not end a wait on it", func(x *exam) {
		first, second, p := x.stream(), x.stream(), x.words(1, 0)
		release := x.hold(first)
		x.ok(x.d.Memset32(p, 5, 1, first), "Memset32")
		e, err := x.d.EventCreate()
		x.ok(err, "EventCreate")
		x.ok(x.d.EventRecord(e, first), "EventRecord")
		x.ok(x.d.StreamWaitEvent(second, e), "StreamWaitEvent")
		x.ok(x.d.EventDestroy(e), "EventDestroy")
		x.want(!x.idle(second), "the waiting stream is busy")
		release()
		x.equal(x.downloadOn(p, 1, second), []uint32{5}, "out")
	}},
	{"event/a stream may wait for its own", func(x *exam) {
		s, e := x.stream(), x.event()
		x.ok(x.d.EventRecord(e, s), "EventRecord")
		x.ok(x.d.StreamWaitEvent(s, e), "StreamWaitEvent")
		x.sync(s)
	}},
}
