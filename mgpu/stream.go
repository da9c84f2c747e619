package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// StreamCreate returns an idle stream of the current device that has no other user.
func (r *Runtime) StreamCreate() uintptr {
	f, ok := r.enter(streamCreate)
	if !ok {
		return 0
	}
	defer f.leave()
	if !f.k.cached {
		s, err := f.StreamCreate()
		f.failed(err)
		return uintptr(s)
	}
	device, err := f.device()
	if f.rejected(err) {
		return 0
	}
	f.noticeReset()
	s, outcome, err := f.k.pool.Get(f.meter, device)
	if f.rejected(err) {
		return 0
	}
	f.countSource(outcome, device)
	return uintptr(s)
}

// StreamDestroy returns a stream to the pool. Its pending work continues.
func (r *Runtime) StreamDestroy(stream uintptr) {
	f, ok := r.enter(streamDestroy)
	if !ok {
		return
	}
	defer f.leave()
	if !f.k.cached {
		f.failed(f.StreamDestroy(driver.Stream(stream)))
		f.dropScratch(stream)
		return
	}
	outcome, err := f.k.pool.Put(f.meter, driver.Stream(stream))
	f.countReturn(outcome, err)
}

// StreamSynchronize waits for all work submitted to a stream so far.
func (r *Runtime) StreamSynchronize(stream uintptr) Wait {
	f, ok := r.enter(streamSynchronize)
	if !ok {
		return Wait{}
	}
	e, ok := f.findStream(stream)
	if !ok {
		f.leave()
		return Wait{}
	}
	return f.synchronizeStream(stream, e)
}

// StreamWaitEvent makes a stream wait for an event. A stream passed as event stands for all work submitted to that
// stream so far; LLVM 18 to 22 emit such calls.
func (r *Runtime) StreamWaitEvent(stream, event uintptr) {
	f, ok := r.enter(streamWaitEvent)
	if !ok {
		return
	}
	defer f.leave()
	waiting, ok := f.findStream(stream)
	if !ok {
		return
	}
	awaited, ok := f.findEvent(event)
	if !ok {
		return
	}
	f.followFrees(driver.Stream(stream), waiting)
	if awaited != nil && awaited.Kind() == streampool.Stream {
		f.failed(f.waitForStream(driver.Stream(stream), waiting, driver.Stream(event), awaited))
		return
	}
	f.failed(f.waitForEvent(driver.Stream(stream), waiting, driver.Event(event), awaited))
}

// synchronizeStream begins the wait for a stream. e is the stream's entry in the pool, nil for a foreign stream.
func (f *frame) synchronizeStream(stream uintptr, e *streampool.Entry) Wait {
	w := Wait{Handle: stream, Count: e.Submissions(), Effect: streamIsIdle}
	if f.k.waiter != nil {
		w.Blocking = f.k.waiter.WaitStream(driver.Stream(stream))
		return f.startedInC(w)
	}
	if !f.failed(f.r.regions.Explain(f.StreamSynchronize(driver.Stream(stream)), stream)) {
		e.Synchronized(w.Count)
	}
	f.leave()
	return Wait{}
}

// countSource counts a miss if a stream or event was created.
func (f *frame) countSource(o streampool.Outcome, device int) {
	if o == streampool.Created {
		f.countMiss()
		f.watchReset(device)
	}
}

// countReturn counts how a stream or event was returned, and reports a failure.
func (f *frame) countReturn(o streampool.Outcome, err error) {
	switch {
	case f.rejected(err):
	case o == streampool.WasStale:
		f.counters.others.Add(1)
	case o == streampool.Destroyed, o == streampool.PassedOn:
		f.countMiss()
	}
}

// StreamIsCapturing reports whether the program captures a stream.
func (r *Runtime) StreamIsCapturing(stream uintptr) bool {
	f, ok := r.enter(streamIsCapturing)
	if !ok {
		return false
	}
	defer f.leave()
	if _, ok := f.findStream(stream); !ok {
		return false
	}
	c, ok := f.k.drv.(driver.Capturer)
	if !ok {
		return false
	}
	capturing, err := c.Capturing(driver.Stream(stream))
	return !f.failed(err) && capturing
}
