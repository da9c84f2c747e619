package hsa

import (
	"sync"
	"time"
)

// Kinds of events, as HSA_EVENTTYPE has them.
const (
	SignalEvent = 0
	MemoryEvent = 8
)

const mostEvents = 4096

// events are HSA events. An id is an index from 1 on.
type events struct {
	mu      sync.Mutex
	boxes   uint64 // array of mailboxes, by id: eight bytes each; zero: there is none yet
	list    []*event
	highest uint32 // id that was ever given out
}

// event is one of them.
type event struct {
	id      uint32
	kind    uint32
	manual  bool // stays set when it has been waited for
	set     bool
	removed bool
	age     uint64 // how often it was set, from 1 on
	fault   MemoryFault
	waiters map[*waiter]struct{}
}

// MemoryFault is the data of a memory event. A zero GPU means that nothing has failed.
type MemoryFault struct {
	GPU     uint32 // its node
	Address uint64
}

// waiter is one thread that waits for some events.
type waiter struct {
	woken chan struct{}
	seen  map[*event]struct{} // set while the thread waited
}

func (e *events) mailbox(id uint32) uint64 { return e.boxes + uint64(id)*8 }

// raise sets x and wakes all waiters, as the kernel driver does: two threads may wait for
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
func (e *events) set(id uint32) bool {
	return e.with(id, func(x *event) { x.raise() })
}

// with calls do for the event with that id, and returns false if there is none.
func (e *events) with(id uint32, do func(*event)) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if id >= mostEvents || e.list[id] == nil {
		return false
	}
	do(e.list[id])
	return true
}

// NewEvent makes an event. It returns 0 if there are too many.
func (sys *System) NewEvent(kind uint32, manual bool) (id uint32) {
	e := &sys.events
	e.mu.Lock()
	defer e.mu.Unlock()
	id = 1
	for id < mostEvents && e.list[id] != nil {
		id++
	}
	if id == mostEvents {
		return 0
	}
	e.list[id] = &event{id: id, kind: kind, manual: manual, age: 1, waiters: map[*waiter]struct{}{}}
	e.highest = max(e.highest, id)
	if e.boxes != 0 {
		store64(e.mailbox(id), 0)
	}
	return id
}

// RemoveEvent ends an event, and wakes its waiters.
func (sys *System) RemoveEvent(id uint32) bool {
	return sys.events.with(id, func(x *event) {
		sys.events.list[id] = nil
		x.removed = true
		x.raise()
	})
}

// RaiseEvent sets an event, until ClearEvent. It returns false if there is no such event.
func (sys *System) RaiseEvent(id uint32) bool { return sys.events.set(id) }

// ClearEvent resets an event.
func (sys *System) ClearEvent(id uint32) bool {
	return sys.events.with(id, func(x *event) { x.set = false })
}

// EventKind returns the kind with which an event was made; all ones if there is no such event.
func (sys *System) EventKind(id uint32) uint32 {
	kind := ^uint32(0)
	sys.events.with(id, func(x *event) { kind = x.kind })
	return kind
}

// Waiters returns the number of threads that wait for an event.
func (sys *System) Waiters(id uint32) (n int) {
	sys.events.with(id, func(x *event) { n = len(x.waiters) })
	return n
}

// SetMailboxes sets the address to which kernels write for events: eight bytes for each event's number. Zero: none.
func (sys *System) SetMailboxes(address uint64) {
	sys.events.mu.Lock()
	defer sys.events.mu.Unlock()
	sys.events.boxes = address
}

// Awaited is the result of a wait.
type Awaited int

// Results of waits.
const (
	Happened Awaited = iota
	Overdue          // the time is over
	Vanished         // an event was removed
	NoEvent          // unknown number of an event
)

// Await waits at most ms milliseconds for events, any of them or all; ages are as in the kernel driver's
// WAIT_EVENTS: those that the caller knows are replaced by the current ones. faults gets the data of memory events.
func (sys *System) Await(ids []uint32, all bool, ms uint32, ages []uint64) (faults []MemoryFault, _ Awaited) {
	e := &sys.events
	e.mu.Lock()
	defer e.mu.Unlock()
	xs := make([]*event, len(ids))
	for i, id := range ids {
		if id >= mostEvents || e.list[id] == nil {
			return nil, NoEvent
		}
		xs[i] = e.list[id]
	}
	faults = make([]MemoryFault, len(ids))
	happened := e.wait(&sys.poller, xs, all, ms, ages)
	for i, x := range xs {
		if x.removed {
			return faults, Vanished
		}
		faults[i] = x.fault
	}
	if !happened {
		return faults, Overdue
	}
	return faults, Happened
}

// serveMailboxes sets the events whose mailboxes kernels have written to, as the hardware's
// interrupts do.
func (e *events) serveMailboxes() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.boxes == 0 {
		return
	}
	for id := uint32(1); id <= e.highest; id++ {
		if x := e.list[id]; x != nil && load64(e.mailbox(id)) != 0 && swap64(e.mailbox(id), 0) != 0 {
			x.raise()
		}
	}
}

// forever are the times that mean no end.
const forever = 0xfffffffe

// wait waits for all of some events, or for any. ages, if there are any, hold the age that
// each event had when the caller looked last, zero where it did not; the events' ages then
// are stored there. It returns false once the time is over. mu is held.
func (e *events) wait(p *poller, xs []*event, all bool, ms uint32, ages []uint64) bool {
	w := &waiter{woken: make(chan struct{}, 1), seen: map[*event]struct{}{}}
	if w.satisfied(xs, all, ages) {
		return true
	}
	if ms == 0 {
		return false
	}
	p.kick()
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
			return true
		}
		if over {
			return false
		}
	}
}

// satisfied reports whether a wait is over. If so, it resets the events that were set, but
// for manual ones, and stores the ages of all.
func (w *waiter) satisfied(xs []*event, all bool, ages []uint64) bool {
	count := 0
	for i, x := range xs {
		_, due := w.seen[x]
		due = due || x.set
		if ages != nil {
			due = due || ages[i] != 0 && ages[i] != x.age
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
		if ages != nil {
			ages[i] = x.age
		}
	}
	return true
}
