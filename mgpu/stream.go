package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// StreamCreate returns an idle stream of the current device that nobody else uses.
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

// StreamDestroy returns a stream to the pool. Its work goes on.
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

// StreamWaitEvent makes a stream wait for an event. A stream passed as event stands for all
// work submitted to that stream so far: LLVM 18 to 22 emit such calls.
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
	if awaited != nil && awaited.Kind() == streampool.Stream {
		f.failed(f.waitForStream(driver.Stream(stream), waiting, driver.Stream(event), awaited))
		return
	}
	f.failed(f.waitForEvent(driver.Stream(stream), waiting, driver.Event(event), awaited))
}

// waitForEvent makes a stream wait for an event; s and e are their entries in the pool, nil
// for foreign ones.
func (f *frame) waitForEvent(stream driver.Stream, s *streampool.Entry, event driver.Event, e *streampool.Entry) error {
	return streampool.Submit(s, e, func() error { return f.StreamWaitEvent(stream, event) })
}

// waitForStream makes a stream wait for the work submitted to other. Only the record is made
// with other's device current: stream may be the default one of the thread's own device.
func (f *frame) waitForStream(stream driver.Stream, s *streampool.Entry, other driver.Stream, e *streampool.Entry) error {
	event, err := f.eventBehind(other, e.Device())
	if err != nil {
		return err
	}
	err = f.waitForEvent(stream, s, event, f.k.pool.Find(uintptr(event)))
	if _, perr := f.k.pool.PutEvent(f.meter, event); err == nil {
		err = perr
	}
	return err
}

// eventBehind records an event on a stream of a device. The caller puts it back.
func (f *frame) eventBehind(stream driver.Stream, device int) (driver.Event, error) {
	before, err := f.switchTo(device)
	if err != nil {
		return 0, err
	}
	defer f.switchBack(before, device)
	event, _, err := f.k.pool.GetEvent(f.meter, device)
	if err != nil {
		return 0, err
	}
	if err = f.recordOwn(event, stream); err != nil {
		_, _ = f.k.pool.PutEvent(f.meter, event) // the record's error says more
	}
	return event, err
}

// synchronizeStream begins the wait for a stream; e is its entry in the pool, nil for a
// foreign one.
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

// find returns the pool's entry of a stream or event, nil for a foreign one. ok is false, and
// the misuse reported, if the program has destroyed it.
func (f *frame) find(handle uintptr) (e *streampool.Entry, ok bool) {
	if !f.k.cached {
		return nil, true
	}
	e = f.k.pool.Find(handle)
	if e.Stale() {
		f.failed(f.k.pool.Misuse(e, callNames[f.call]))
		return e, false
	}
	return e, true
}

// findEvent is find for a handle that the program gives as an event, and that may be a stream.
func (f *frame) findEvent(handle uintptr) (e *streampool.Entry, ok bool) {
	e, ok = f.find(handle)
	if ok && e != nil && f.k.pool.Replaced(f.meter, e) {
		return nil, true
	}
	return e, ok
}

// findStream is find for a handle that must be a stream; zero is the null stream.
func (f *frame) findStream(handle uintptr) (e *streampool.Entry, ok bool) {
	if handle == 0 {
		return f.nullStream()
	}
	if e, ok = f.find(handle); ok && e != nil && f.k.pool.ReplacedByStream(f.meter, e) {
		e = nil
	}
	if ok && e != nil && e.Kind() != streampool.Stream {
		f.failed(f.wrongKind(handle, "an event, not a stream"))
		return e, false
	}
	if ok && e == nil {
		f.sawForeign(handle)
	}
	return e, ok
}

func (f *frame) wrongKind(handle uintptr, what string) error {
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", callNames[f.call], handle), Code: driver.InvalidHandle, Detail: fmt.Sprintf("%#x is %s", handle, what)}
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
