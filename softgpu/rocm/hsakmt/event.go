package hsakmt

import (
	"sync"
	"time"
)

// HSA_EVENTTYPE values that matter here.
const (
	signalEvent = 0
	memoryEvent = 8
)

const (
	mostEvents = 4096
	eventSlot  = 64 // bytes for one HsaEvent
)

// events are HSA events. An id is an index from 1 on.
type events struct {
	mu      sync.Mutex
	slots   uint64 // array of HsaEvent, by id
	boxes   uint64 // array of mailboxes, by id: eight bytes each
	list    []*event
	highest uint32 // id that was ever given out
}

// event is one of them.
type event struct {
	id      uint32
	kind    uint32
	manual  bool // stays set when it has been waited for
	set     bool
	age     uint64 // how often it was set, from 1 on
	waiters map[*waiter]struct{}
}

// waiter is one thread that waits for some events.
type waiter struct {
	woken chan struct{}
	seen  map[*event]struct{} // set while the thread waited
}

func (e *events) open(a *arena) {
	e.slots, e.boxes = a.alloc(mostEvents*eventSlot), a.alloc(mostEvents*8)
	e.list = make([]*event, mostEvents)
}

// at finds the event of an HsaEvent. mu is held.
func (e *events) at(address uint64) *event {
	off := address - e.slots
	if address < e.slots || off%eventSlot != 0 || off/eventSlot >= mostEvents {
		return nil
	}
	return e.list[off/eventSlot]
}

func (e *events) slot(id uint32) uint64    { return e.slots + uint64(id)*eventSlot }
func (e *events) mailbox(id uint32) uint64 { return e.boxes + uint64(id)*8 }

// raise sets x and wakes all who wait, as the kernel driver does: two threads may wait for
// one event that resets itself, the runtime's own and one of the host's. mu is held.
func (x *event) raise() {
	x.set = x.manual || len(x.waiters) == 0
	x.age++
	for w := range x.waiters {
		w.seen[x] = struct{}{}
		select {
		case w.woken <- struct{}{}:
		default:
		}
	}
}

// set sets the event with that id, if there is one.
func (e *events) set(id uint32) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if id < mostEvents && e.list[id] != nil {
		e.list[id].raise()
	}
}

// CreateEvent makes an event as the descriptor says, and stores where its HsaEvent is.
func (t *Thunk) CreateEvent(descriptor uint64, manual, set bool, out uint64) Status {
	if descriptor == 0 || out == 0 {
		return InvalidParameter
	}
	d := recordAt(descriptor, 0, eventDescriptor, t.release())
	kind := uint32(d.get("EventType"))
	e := &t.events
	e.mu.Lock()
	defer e.mu.Unlock()
	id := uint32(1)
	for id < mostEvents && e.list[id] != nil {
		id++
	}
	if id == mostEvents {
		return OutOfResources
	}
	e.list[id] = &event{id: id, kind: kind, manual: manual, set: set, age: 1, waiters: map[*waiter]struct{}{}}
	e.highest = max(e.highest, id)
	store64(e.mailbox(id), 0)
	r := newRecord(e.slot(id), 0, hsaEvent, t.release())
	r.setAll(values{
		"EventId":             uint64(id),
		"EventData.EventType": uint64(kind),
		"EventData.HWData2":   e.mailbox(id),
		"EventData.HWData3":   uint64(id),
	})
	store64(out, e.slot(id))
	return Success
}

// DestroyEvent ends an event. Who waits for it goes on waiting until its time is over.
func (t *Thunk) DestroyEvent(address uint64) Status {
	e := &t.events
	e.mu.Lock()
	defer e.mu.Unlock()
	x := e.at(address)
	if x == nil {
		return InvalidHandle
	}
	e.list[x.id] = nil
	return Success
}

// SetEvent sets an event.
func (t *Thunk) SetEvent(address uint64) Status {
	return t.withEvent(address, func(x *event) Status { x.raise(); return Success })
}

// ResetEvent takes that back.
func (t *Thunk) ResetEvent(address uint64) Status {
	return t.withEvent(address, func(x *event) Status { x.set = false; return Success })
}

// QueryEventState returns Success for an event that is set.
func (t *Thunk) QueryEventState(address uint64) Status {
	return t.withEvent(address, func(x *event) Status {
		if !x.set {
			return WaitTimeout
		}
		x.set = x.manual
		return Success
	})
}

func (t *Thunk) withEvent(address uint64, do func(*event) Status) Status {
	t.events.mu.Lock()
	defer t.events.mu.Unlock()
	x := t.events.at(address)
	if x == nil {
		return InvalidHandle
	}
	return do(x)
}

// serveMailboxes sets the events whose mailboxes kernels have written to, which is
// what the hardware's interrupts lead to.
func (e *events) serveMailboxes() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id := uint32(1); id <= e.highest; id++ {
		if x := e.list[id]; x != nil && load64(e.mailbox(id)) != 0 && swap64(e.mailbox(id), 0) != 0 {
			x.raise()
		}
	}
}

// forever are the times that mean no end.
const forever = 0xfffffffe

// WaitOnEvent waits for one event.
func (t *Thunk) WaitOnEvent(address uint64, ms uint32) Status {
	return t.wait([]uint64{address}, true, ms, 0)
}

// WaitOnEventExt is WaitOnEvent for what happened since the event had the age that
// *age says. It stores the age that the event has then.
func (t *Thunk) WaitOnEventExt(address uint64, ms uint32, age uint64) Status {
	return t.wait([]uint64{address}, true, ms, age)
}

// WaitOnMultipleEvents waits for all of an array of events, or for any.
func (t *Thunk) WaitOnMultipleEvents(array uint64, count uint32, all bool, ms uint32) Status {
	return t.WaitOnMultipleEventsExt(array, count, all, ms, 0)
}

// WaitOnMultipleEventsExt is WaitOnMultipleEvents with an array of ages.
func (t *Thunk) WaitOnMultipleEventsExt(array uint64, count uint32, all bool, ms uint32, ages uint64) Status {
	if array == 0 || count == 0 || count > mostEvents {
		return InvalidHandle
	}
	list := make([]uint64, count)
	for i := range list {
		list[i] = load64(array + uint64(8*i))
	}
	return t.wait(list, all, ms, ages)
}

func (t *Thunk) wait(list []uint64, all bool, ms uint32, ages uint64) Status {
	e := &t.events
	e.mu.Lock()
	defer e.mu.Unlock()
	xs := make([]*event, len(list))
	for i, address := range list {
		if xs[i] = e.at(address); xs[i] == nil {
			return InvalidHandle
		}
	}
	w := &waiter{woken: make(chan struct{}, 1), seen: map[*event]struct{}{}}
	if w.satisfied(xs, all, ages) {
		return Success
	}
	if ms == 0 {
		return WaitTimeout
	}
	t.poller.kick()
	for _, x := range xs {
		x.waiters[w] = struct{}{}
	}
	defer func() {
		for _, x := range xs {
			delete(x.waiters, w)
		}
	}()
	var end <-chan time.Time
	if ms < forever {
		timer := time.NewTimer(time.Duration(ms) * time.Millisecond)
		defer timer.Stop()
		end = timer.C
	}
	for {
		e.mu.Unlock()
		over := false
		select {
		case <-w.woken:
		case <-end:
			over = true
		}
		e.mu.Lock()
		if w.satisfied(xs, all, ages) {
			return Success
		}
		if over {
			return WaitTimeout
		}
	}
}

// satisfied tells whether a wait is over. If so, it resets the events that were set, but
// for manual ones, and stores the ages of all.
func (w *waiter) satisfied(xs []*event, all bool, ages uint64) bool {
	count := 0
	for i, x := range xs {
		_, due := w.seen[x]
		due = due || x.set
		if ages != 0 {
			known := load64(ages + uint64(8*i))
			due = due || known != 0 && known != x.age
		}
		if due {
			count++
		}
	}
	if count == 0 || all && count < len(xs) {
		return false
	}
	for i, x := range xs {
		x.set = x.set && x.manual
		if ages != 0 {
			store64(ages+uint64(8*i), x.age)
		}
	}
	return true
}
