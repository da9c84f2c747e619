package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// submit makes a driver call that submits the program's work to a stream, or records or waits for
// event e there; s and e are entries in the pool, nil for foreign ones. The work follows what frees
// have left pending.
func (f *frame) submit(stream driver.Stream, s, e *streampool.Entry, call func() error) error {
	f.followFrees(stream, s)
	return streampool.Submit(s, e, call)
}

// noteFree notes a free of the calling thread that does not wait for a device's work.
func (k *core) noteFree(device int) {
	if frees, left := k.pool.NoteFree(device); left && k.path != nil {
		k.path.NoteFreed(frees)
	}
}

// ownFrees returns how many frees were counted at the calling thread's latest. Where nothing tells
// threads apart, all frees are its own.
func (k *core) ownFrees(all uint64) uint64 {
	if k.path == nil {
		return all
	}
	return k.path.Freed()
}

// followFrees makes the next submission to a stream follow what the thread's frees have left
// pending on others.
// Nothing is done for a stream that the program captures: its work runs when the vendor's library
// launches the graph.
func (f *frame) followFrees(stream driver.Stream, s *streampool.Entry) {
	frees := f.k.pool.Frees()
	if frees == 0 || s != nil && s.Follows(frees) {
		return
	}
	if own := f.k.ownFrees(frees); own == 0 || s != nil && s.Follows(own) {
		return
	}
	all := true
	if owed := f.k.pool.Owed(s); len(owed) > 0 {
		if f.capturesStream(stream) {
			return
		}
		defer f.relaxCapture()()
		for _, other := range owed {
			if f.k.orderedByDriver(s, other) {
				continue
			}
			all = f.follow(stream, s, other, frees) && all
		}
	}
	if s != nil && all {
		s.Followed(frees)
	}
}

// orderedByDriver reports whether the driver orders a stream with another one by itself, as the
// default stream. An event on that would be behind later work of other streams.
func (k *core) orderedByDriver(s, other *streampool.Entry) bool {
	return k.ordered && s != nil && (s.Handle() == 0 || other.Handle() == 0) && s.Device() == other.Device() && other.Source().Told()
}

// follow makes a stream wait for what so many frees have left pending on another one; for s itself it
// makes the event that others wait for. It returns false where an event can't be recorded because
// the program captures. Failures are not the program's: its own calls fail too.
func (f *frame) follow(stream driver.Stream, s, other *streampool.Entry, frees uint64) bool {
	if !other.Source().Told() {
		return f.followDevice(other)
	}
	if !other.Pin() { // it was destroyed meanwhile, and another queue stands for its work
		return true
	}
	defer other.Unpin()
	b, many := f.k.behindFrees.get(other)
	if many {
		f.dropBehindFrees(false)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.event == 0 || b.frees < frees && int64(b.count-other.Freed()) < 0 {
		switch f.conditionOf(other) {
		case streampool.Captured:
			return false
		case streampool.Unknown:
			return f.followDevice(other)
		}
		if f.turnsOutIdle(other) {
			return true // without an event, by which the stream would seem busy to the program
		}
		if f.renew(b, other, frees) != nil {
			return f.followDevice(other)
		}
	}
	switch {
	case other == s:
		return true
	case s == nil: // what the program does there without the library follows too
		if f.EventSynchronize(b.event) != nil {
			return false
		}
		other.Synchronized(b.count)
		return true
	}
	if f.waitForEvent(stream, s, b.event, f.k.pool.Find(uintptr(b.event))) != nil {
		return f.followDevice(other)
	}
	return true
}

// conditionOf returns whether an event can be recorded on a stream. While the program captures any
// stream, none can be on a default one.
func (f *frame) conditionOf(e *streampool.Entry) streampool.Condition {
	switch {
	case e.Source() == streampool.OwnHandle:
		return f.StreamCondition(driver.Stream(e.Handle()))
	case f.k.capturesAny(f.meter):
		return streampool.Captured
	}
	return streampool.Usable
}

// turnsOutIdle asks the driver whether a stream's work is done that no wait covers: the program may
// have waited by the vendor's library, or never have used the stream.
func (f *frame) turnsOutIdle(e *streampool.Entry) bool {
	before, err := f.switchTo(e.Device())
	if err != nil {
		return false
	}
	defer f.switchBack(before, e.Device())
	count := e.Submissions()
	idle, err := f.StreamIdle(driver.Stream(e.Handle()))
	if err != nil || !idle {
		return false
	}
	e.Synchronized(count)
	return e.Covers(e.Freed())
}

// renew records a new event behind what is noted on a stream. b.mu is held.
func (f *frame) renew(b *behindFree, of *streampool.Entry, frees uint64) error {
	f.drop(b)
	count := of.Submissions() // what has not returned may come to the driver after the event
	event, err := f.eventBehind(driver.Stream(of.Handle()), of.Device())
	if err == nil {
		b.event, b.count, b.frees = event, count, frees
	}
	return err
}

// drop returns an event to the pool. b.mu is held.
func (f *frame) drop(b *behindFree) {
	if b.event != 0 {
		_, _ = f.k.pool.PutEvent(f.meter, b.event)
		b.event = 0
	}
}

// followDevice waits for the device of a stream, where the stream itself can't be asked.
func (f *frame) followDevice(e *streampool.Entry) bool {
	d, ok := f.k.drv.(driver.DeviceSynchronizer)
	if !ok || f.k.capturesAny(f.meter) {
		return false
	}
	count := e.Submissions()
	if f.synchronizeDevice(d, e.Device()) == nil {
		e.Synchronized(count)
	}
	return true
}

// dropBehindFrees returns the events of streams that are gone, or all. Who needs another stream's
// makes a new one, behind later work.
func (f *frame) dropBehindFrees(all bool) {
	a := &f.k.behindFrees
	var gone []*behindFree
	a.mu.Lock()
	for e, b := range a.of {
		lost := e.Lost()
		if lost {
			delete(a.of, e)
		}
		if lost || all {
			gone = append(gone, b)
		}
	}
	a.mu.Unlock()
	for _, b := range gone {
		b.mu.Lock()
		f.drop(b)
		b.mu.Unlock()
	}
}
