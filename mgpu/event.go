package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// EventCreate returns an event of the current device, without timing.
func (r *Runtime) EventCreate() uintptr {
	f, ok := r.enter(eventCreate)
	if !ok {
		return 0
	}
	defer f.leave()
	if !f.k.cached {
		e, err := f.EventCreate()
		f.failed(err)
		return uintptr(e)
	}
	device, err := f.device()
	if f.rejected(err) {
		return 0
	}
	f.noticeReset()
	e, outcome, err := f.k.pool.GetEvent(f.meter, device)
	if f.rejected(err) {
		return 0
	}
	f.countSource(outcome, device)
	return uintptr(e)
}

// EventDestroy returns an event to the pool; also a stream that is passed as an event.
func (r *Runtime) EventDestroy(event uintptr) {
	f, ok := r.enter(eventDestroy)
	if !ok {
		return
	}
	defer f.leave()
	if !f.k.cached {
		f.failed(f.EventDestroy(driver.Event(event)))
		return
	}
	outcome, err := f.k.pool.PutEvent(f.meter, driver.Event(event))
	f.countReturn(outcome, err)
}

// EventRecord records an event after the work submitted to a stream so far.
func (r *Runtime) EventRecord(event, stream uintptr) {
	f, ok := r.enter(eventRecord)
	if !ok {
		return
	}
	defer f.leave()
	e, ok := f.findEvent(event)
	if !ok {
		return
	}
	s, ok := f.findStream(stream)
	if !ok {
		return
	}
	if e != nil && e.Kind() != streampool.Event {
		f.failed(f.wrongKind(event, "a stream, not an event"))
		return
	}
	f.followFrees(driver.Stream(stream), s)
	f.failed(f.record(driver.Event(event), e, driver.Stream(stream), s))
}

// EventSynchronize waits for an event, or for a stream that is passed as an event.
func (r *Runtime) EventSynchronize(event uintptr) Wait {
	f, ok := r.enter(eventSynchronize)
	if !ok {
		return Wait{}
	}
	e, ok := f.findEvent(event)
	if !ok {
		f.leave()
		return Wait{}
	}
	if e != nil && e.Kind() == streampool.Stream {
		return f.synchronizeStream(event, e)
	}
	w := Wait{Handle: event, Count: e.Submissions(), Effect: streamIsIdle}
	if f.k.waiter != nil {
		w.Blocking = f.k.waiter.WaitEvent(driver.Event(event))
		return f.startedInC(w)
	}
	if !f.failed(f.EventSynchronize(driver.Event(event))) {
		e.Synchronized(w.Count)
	}
	f.leave()
	return Wait{}
}
