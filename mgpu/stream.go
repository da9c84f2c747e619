package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// StreamCreate gives a stream of the current device that nobody else holds and
// that has no work pending.
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
	s, outcome, err := f.k.pool.Get(f.meter, device)
	if f.rejected(err) {
		return 0
	}
	f.countSource(outcome)
	return uintptr(s)
}

// StreamDestroy gives the stream back; its work goes on.
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

// StreamSynchronize waits for all work submitted to the stream so far.
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

// StreamWaitEvent makes the stream wait for the event. A stream in the event's
// place stands for all work submitted to it so far: LLVM 18 to 22 emit that.
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
	awaited, ok := f.find(event)
	if !ok {
		return
	}
	if awaited != nil && awaited.Kind() == streampool.Stream {
		f.failed(f.waitForStream(driver.Stream(stream), waiting, driver.Stream(event), awaited))
		return
	}
	f.failed(f.waitForEvent(driver.Stream(stream), waiting, driver.Event(event), awaited))
}

// waitForEvent makes a stream wait for an event; s and e are what the pool knows of them.
func (f *frame) waitForEvent(stream driver.Stream, s *streampool.Entry, event driver.Event, e *streampool.Entry) error {
	return submit(s, e, func() error { return f.StreamWaitEvent(stream, event) })
}

// waitForStream makes stream wait for what was submitted to another one.
func (f *frame) waitForStream(stream driver.Stream, s *streampool.Entry, other driver.Stream, e *streampool.Entry) error {
	before, err := f.switchTo(e.Device())
	if err != nil {
		return err
	}
	defer f.switchBack(before, e.Device())
	event, _, err := f.k.pool.GetEvent(f.meter, e.Device())
	if err != nil {
		return err
	}
	if err = f.recordOwn(event, other); err == nil {
		err = f.waitForEvent(stream, s, event, f.k.pool.Find(uintptr(event)))
	}
	if _, perr := f.k.pool.PutEvent(f.meter, event); err == nil {
		err = perr
	}
	return err
}

// synchronizeStream begins the wait for a stream, e being what the pool knows
// of it.
func (f *frame) synchronizeStream(stream uintptr, e *streampool.Entry) Wait {
	w := Wait{Handle: stream, Count: e.Submissions(), Effect: streamIsIdle}
	if f.k.waiter != nil {
		w.Blocking = f.k.waiter.WaitStream(driver.Stream(stream))
		return f.startedInC(w)
	}
	if !f.failed(f.r.withGraphKernels(f.StreamSynchronize(driver.Stream(stream)), stream)) {
		e.Synchronized(w.Count)
	}
	f.leave()
	return Wait{}
}

// find returns what the pool knows of a stream or event that the program
// passes, nil for one of another library's. ok is false, and the misuse has
// been reported, where the program has destroyed it.
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

// findStream is find for a handle that must be a stream.
func (f *frame) findStream(handle uintptr) (e *streampool.Entry, ok bool) {
	if handle == 0 {
		return f.nullStream()
	}
	if e, ok = f.find(handle); ok && e != nil && e.Kind() != streampool.Stream {
		f.failed(f.wrongKind(handle, "an event, not a stream"))
		return e, false
	}
	if ok && e == nil {
		f.sawForeign(handle)
	}
	return e, ok
}

func (f *frame) wrongKind(handle uintptr, what string) error {
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", callNames[f.call], handle), Name: "invalid handle",
		Code: driver.InvalidHandle, Detail: fmt.Sprintf("%#x is %s", handle, what)}
}

// countSource counts where a stream or event came from.
func (f *frame) countSource(o streampool.Outcome) {
	if o == streampool.Created {
		f.countMiss()
	}
}

// countReturn counts where a stream or event went, and reports a failure to do so.
func (f *frame) countReturn(o streampool.Outcome, err error) {
	switch {
	case f.rejected(err):
	case o == streampool.WasStale:
		f.c.others.Add(1)
	case o == streampool.Destroyed, o == streampool.PassedOn:
		f.countMiss()
	}
}
