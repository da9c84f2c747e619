package softgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// event is a moment of a stream. An event that was never recorded is passed.
type event struct {
	mu sync.Mutex
	at fence
}

func (e *event) fence() fence {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at
}

// EventCreate implements driver.Driver.
func (d *Driver) EventCreate() (driver.Event, error) {
	return driver.Event(d.events.add(new(event))), nil
}

// EventDestroy implements driver.Driver. Submitted waits stay valid.
func (d *Driver) EventDestroy(h driver.Event) error {
	if d.events.remove(uintptr(h)) == nil {
		return noEvent("hipEventDestroy", h)
	}
	return nil
}

// EventRecord implements driver.Driver.
func (d *Driver) EventRecord(h driver.Event, on driver.Stream) error {
	e := d.events.get(uintptr(h))
	if e == nil {
		return noEvent("hipEventRecord", h)
	}
	s, err := d.stream("hipEventRecord", on)
	if err != nil {
		return err
	}
	f := s.dev.mark(s)
	e.mu.Lock()
	e.at = f
	e.mu.Unlock()
	return nil
}

// EventSynchronize implements driver.Driver.
func (d *Driver) EventSynchronize(h driver.Event) error {
	e := d.events.get(uintptr(h))
	if e == nil {
		return noEvent("hipEventSynchronize", h)
	}
	f := e.fence()
	f.wait()
	if f.s == nil {
		return nil
	}
	return f.s.failed(f.n)
}

// EventDone implements driver.Driver. If the event is reached, it takes the unreported failure before it, as
// EventSynchronize does.
func (d *Driver) EventDone(h driver.Event) (bool, error) {
	e := d.events.get(uintptr(h))
	if e == nil {
		return false, noEvent("hipEventQuery", h)
	}
	f := e.fence()
	if f.s == nil || !f.passed() {
		return f.s == nil, nil
	}
	return true, f.s.untoldFailure(f.n)
}

// StreamWaitEvent implements driver.Driver. The wait is for the event's record at the time of this call.
func (d *Driver) StreamWaitEvent(h driver.Stream, ev driver.Event) error {
	s, err := d.stream("hipStreamWaitEvent", h)
	if err != nil {
		return err
	}
	e := d.events.get(uintptr(ev))
	if e == nil {
		return noEvent("hipStreamWaitEvent", ev)
	}
	if f := e.fence(); f.s != nil && f.s != s && (!f.passed() || f.s.failing.Load()) {
		s.dev.submit(s, op{kind: opWait, after: [2]fence{f}}, false)
	}
	return nil
}

func noEvent(call string, h driver.Event) error {
	return invalidHandle.of(call, "no event has the handle %#x", uintptr(h))
}
