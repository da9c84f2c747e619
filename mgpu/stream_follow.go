package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// submit makes a driver call that submits the program's work to a stream, or that records or waits for event e on the
// stream. s and e are entries in the pool, nil for foreign handles. The work runs after the work that frees left
// pending: see streampool/submission_frees.go.
func (f *frame) submit(stream driver.Stream, s, e *streampool.Entry, call func() error) error {
	f.followFrees(stream, s)
	return streampool.Submit(f.meter, s, e, call)
}

// noteFree notes a free of the calling thread that does not wait for a device's work.
func (k *core) noteFree(device int) {
	if frees, left := k.pool.NoteFree(device); left && k.path != nil {
		k.path.NoteFreed(frees)
	}
}

// ownFrees returns the pool's count of frees at the calling thread's latest free. If nothing distinguishes threads,
// that is all frees.
func (k *core) ownFrees(all uint64) uint64 {
	if k.path == nil {
		return all
	}
	return k.path.Freed()
}

// followFrees makes the next submission to a stream wait for the work that the thread's frees left pending on other
// streams. It does nothing for a stream that the program captures, since its work runs only when the program launches
// the graph.
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
		var unknown []*streampool.Entry
		for _, other := range owed {
			if f.k.orderedByDriver(s, other) {
				continue
			}
			switch f.follow(stream, s, other, frees) {
			case notFollowed:
				all = false
			case needsDevice:
				unknown = append(unknown, other)
			}
		}
		all = f.followDevices(unknown) && all
	}
	if s != nil && all {
		s.Followed(frees)
	}
}

// orderedByDriver reports whether the driver orders two streams itself, because one is the default stream. An event
// recorded on the default stream would come after later work of other streams.
func (k *core) orderedByDriver(s, other *streampool.Entry) bool {
	return k.ordered && s != nil && (s.Handle() == 0 || other.Handle() == 0) && s.Device() == other.Device() && other.Source().Told()
}

// follow makes a stream wait for the work that frees, up to the count frees, left pending on other. If other is s
// itself, follow records the event that others wait for. Failures are not reported, since the program's own calls fail
// too.
func (f *frame) follow(stream driver.Stream, s, other *streampool.Entry, frees uint64) followed {
	if !other.Source().Told() {
		return needsDevice
	}
	if !other.Pin() { // other is being destroyed, and the queue for its work may have no note yet
		return needsDevice
	}
	defer other.Unpin()
	if other != s && f.k.awaitRecord(other) {
		return follows
	}
	b, many := f.k.followEvents.get(other)
	if many {
		f.dropFollowEvents(false)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.event == 0 || b.frees < frees && int64(b.count-other.Freed()) < 0 {
		if other != s && !f.k.mayAsk(other) {
			return f.followProgress(stream, s, other, b)
		}
		switch f.conditionOf(other) {
		case streampool.Captured:
			return notFollowed
		case streampool.Unknown:
			return needsDevice
		}
		if f.turnsOutIdle(other) {
			return follows // no event is needed, which would make the stream look busy to the program
		}
		if f.recordFollowEvent(b, other, frees) != nil {
			return needsDevice
		}
	}
	switch {
	case other == s:
		return follows
	case s == nil: // the stream is foreign: also work that the program submits without the library has to follow
		if f.EventSynchronize(b.event) != nil {
			return notFollowed
		}
		other.Synchronized(b.count)
		return follows
	}
	if f.waitBeforeSubmission(stream, b.event, f.k.pool.Find(uintptr(b.event))) != nil {
		return needsDevice
	}
	return follows
}

// conditionOf returns whether an event can be recorded on a stream. While the program captures any stream, no event can
// be recorded on a default stream.
func (f *frame) conditionOf(e *streampool.Entry) streampool.Condition {
	switch {
	case e.Source() == streampool.OwnHandle:
		return f.StreamCondition(driver.Stream(e.Handle()))
	case f.k.capturesAny(f.meter):
		return streampool.Captured
	}
	return streampool.Usable
}

// turnsOutIdle asks the driver whether a stream is idle although no wait covers its work: the program may have waited
// through the driver's own library, or never have used the stream.
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

// recordFollowEvent records a new follow event on a stream. The caller has locked b.mu.
func (f *frame) recordFollowEvent(b *followEvent, of *streampool.Entry, frees uint64) error {
	f.putFollowEvent(b)
	count := of.Submissions() // calls that have not returned may reach the driver after the event
	event, err := f.recordPooledEvent(driver.Stream(of.Handle()), of.Device())
	if err == nil {
		b.event, b.count, b.frees = event, count, frees
	}
	return err
}

// putFollowEvent returns a stream's follow event to the pool. The caller has locked b.mu.
func (f *frame) putFollowEvent(b *followEvent) {
	if b.event != 0 {
		_, _ = f.k.pool.PutEvent(f.meter, b.event)
		b.event = 0
	}
}

// dropFollowEvents returns the follow events of streams that are gone, or all of them, to the pool. A thread that
// needs one of another stream records it again, after later work.
func (f *frame) dropFollowEvents(all bool) {
	a := &f.k.followEvents
	var gone []*followEvent
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
		f.putFollowEvent(b)
		b.mu.Unlock()
	}
}
