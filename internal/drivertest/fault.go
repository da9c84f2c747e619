package drivertest

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// faultTests need a device that survives an invalid access by a kernel.
var faultTests = []conformance{
	{"fault/a stray store surfaces at synchronize", func(x *exam) {
		s, f := x.stream(), x.kernel("store_to")
		for _, addr := range []uint64{0, 16, 0xdead_0000_0000, 1 << 62} {
			x.launch(f, 1, 1, s, addr)
			x.fails(x.d.StreamSynchronize(s), "StreamSynchronize", driver.LaunchFailure)
		}
	}},
	{"fault/surfaces at an event too", func(x *exam) {
		s, e := x.stream(), x.event()
		x.launch(x.kernel("store_to"), 1, 1, s, uint64(16))
		x.ok(x.d.EventRecord(e, s), "EventRecord")
		x.fails(x.d.EventSynchronize(e), "EventSynchronize", driver.LaunchFailure)
		_ = x.d.StreamSynchronize(s)
	}},
	{"fault/is reported once, and the stream works on", func(x *exam) {
		s, p := x.stream(), x.words(64, 0)
		x.launch(x.kernel("store_to"), 1, 1, s, uint64(16))
		x.fails(x.d.StreamSynchronize(s), "StreamSynchronize", driver.LaunchFailure)
		x.sync(s)
		x.launch(x.kernel("fill"), 1, 64, s, p, uint32(2), uint32(64))
		x.equal(x.downloadOn(p, 64, s), repeat(2, 64), "out")
	}},
	{"fault/other streams do not notice", func(x *exam) {
		bad, good, p := x.stream(), x.stream(), x.words(64, 0)
		x.launch(x.kernel("store_to"), 1, 1, bad, uint64(16))
		x.launch(x.kernel("fill"), 1, 64, good, p, uint32(2), uint32(64))
		x.equal(x.downloadOn(p, 64, good), repeat(2, 64), "out")
		x.fails(x.d.StreamSynchronize(bad), "StreamSynchronize", driver.LaunchFailure)
	}},
	{"fault/a query does not block on it, nor hide it", func(x *exam) {
		s := x.stream()
		x.launch(x.kernel("store_to"), 1, 1, s, uint64(16))
		for range rounds {
			idle, err := x.d.StreamIdle(s)
			if err != nil {
				x.fails(err, "StreamIdle", driver.LaunchFailure)
				return
			}
			if idle {
				break
			}
		}
		x.fails(x.d.StreamSynchronize(s), "StreamSynchronize", driver.LaunchFailure)
	}},
}
