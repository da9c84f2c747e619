package hsakmt

const eventSlot = 64 // bytes for one HsaEvent

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

func (e *events) slot(id uint32) uint64 { return e.slots + uint64(id)*eventSlot }

// CreateEvent makes an event as the descriptor says, and stores where its HsaEvent is.
func (t *Thunk) CreateEvent(descriptor uint64, manual, set bool, out uint64) Status {
	if descriptor == 0 || out == 0 {
		return InvalidParameter
	}
	d := recordAt(descriptor, 0, eventDescriptor, t.release())
	e := &t.events
	e.mu.Lock()
	defer e.mu.Unlock()
	x := e.create(uint32(d.get("EventType")), manual, set)
	if x == nil {
		return OutOfResources
	}
	r := newRecord(e.slot(x.id), 0, hsaEvent, t.release())
	r.setAll(values{
		"EventId":             uint64(x.id),
		"EventData.EventType": uint64(x.kind),
		"EventData.HWData2":   e.mailbox(x.id),
		"EventData.HWData3":   uint64(x.id),
	})
	store64(out, e.slot(x.id))
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
	var known []uint64
	if ages != 0 {
		known = make([]uint64, len(list))
		for i := range known {
			known[i] = load64(ages + uint64(8*i))
		}
	}
	if !e.wait(&t.poller, xs, all, ms, known) {
		return WaitTimeout
	}
	for i, x := range xs {
		if ages != 0 {
			store64(ages+uint64(8*i), known[i])
		}
		if x.kind == memoryEvent {
			t.writeFault(x)
		}
	}
	return Success
}

// Values in HsaMemoryAccessFault.
const (
	notPresent   = 1
	fatalProcess = 1
)

// writeFault stores what a memory event tells in its HsaEvent.
func (t *Thunk) writeFault(x *event) {
	if x.fault.GPU == hostNode {
		return
	}
	const data = "EventData.EventData.MemoryAccessFault."
	recordAt(t.events.slot(x.id), 0, hsaEvent, t.release()).setAll(values{
		data + "NodeId":         uint64(x.fault.GPU),
		data + "VirtualAddress": x.fault.Address,
		data + "Failure":        notPresent,
		data + "Flags":          fatalProcess,
	})
}
