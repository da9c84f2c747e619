package streampool

import (
	"runtime"
	"sync/atomic"
)

// freeList holds one device's idle and draining entries of one kind.
type freeList struct {
	slots [slotCount]slot
	idle  stack

	created       atomic.Uint64
	drained       atomic.Uint64 // checked out from draining
	discarded     atomic.Uint64 // popped and not checked out
	slotReuses    atomic.Uint64 // slotReuses of entries that are gone
	destroyed     atomic.Uint64
	failedQueries atomic.Uint64
	draining      queue

	_ [64]byte // padding: other threads use the next device's freeList
}

// slotCount is the number of slots of a freeList: enough that few threads share one.
const (
	slotBits  = 4
	slotCount = 1 << slotBits
)

// slot holds the entry that a thread gave back last. The thread reuses that entry first, so threads with different
// slots write to no common memory.
type slot struct {
	atomic.Pointer[Entry]
	_ [56]byte
}

// belowLimit reports whether one more idle entry may be pooled. It counts the slots only near the limit.
func (s *freeList) belowLimit() bool {
	n := s.idle.count()
	return n+slotCount < s.idle.limit || n+s.inSlots() < s.idle.limit
}

// inSlots counts the idle entries in slots.
func (s *freeList) inSlots() (n uint64) {
	for i := range s.slots {
		if s.slots[i].Load() != nil {
			n++
		}
	}
	return n
}

// putIdle puts an idle entry into the calling thread's slot. The entry that was there goes onto the stack.
func (p *Pool) putIdle(s *freeList, e *Entry) {
	if before := s.slots[threadSlot()].Swap(e); before != nil {
		p.push(&s.idle, before)
	}
}

// takeIdle checks out an idle entry: from the calling thread's slot, else from the stack,
// else from another slot. It returns nil if there is none.
func (p *Pool) takeIdle(s *freeList) *Entry {
	if e := p.takeSlot(s, threadSlot()); e != nil {
		return e
	}
	if e := p.pop(s); e != nil {
		return e
	}
	for i := range uint(slotCount) {
		if e := p.takeSlot(s, i); e != nil {
			return e
		}
	}
	return nil
}

func (p *Pool) takeSlot(s *freeList, i uint) *Entry {
	h := &s.slots[i]
	e := h.Load()
	if e == nil || !h.CompareAndSwap(e, nil) {
		return nil
	}
	if !e.move(Idle, Live) {
		p.unlist(s, e) // disowned while it was in the slot
		return nil
	}
	e.slotReuses.Store(e.slotReuses.Load() + 1) // its owner is the only writer
	return e
}

// unlist removes an entry that is gone from the directory and the roster.
func (p *Pool) unlist(s *freeList, e *Entry) {
	p.captured.forget(e)
	if e.kind == Stream {
		p.dropProgress(e)
		if e.Pending() {
			p.abandoned(e)
		}
		p.roster.remove(e)
	}
	s.slotReuses.Add(e.slotReuses.Load())
	p.directory.remove(e)
}

// takeDrained checks out the first draining entry that a query finds idle, after at most Config.Queries queries. Busy
// entries go to the end of the queue, so that one that never finishes does not hide the others.
func (p *Pool) takeDrained(d Driver, s *freeList) *Entry {
	for range min(p.queries, int(s.draining.length.Load())) {
		e := s.draining.popFront()
		if e == nil {
			return nil
		}
		w := e.word.Load()
		if State(w&stateMask) != Draining {
			p.unlist(s, e) // disowned while it waited
			continue
		}
		if w&callsMask != 0 { // a submission's call has not returned: the driver may not have the work yet
			s.draining.pushBack(e)
			continue
		}
		if on := p.captured.stream(e); on != 0 {
			if p.capturing(d, on) {
				s.draining.pushBack(e) // HIP before 6 reads the event when the capture ends: keep it until then
				continue
			}
			_, _ = p.retire(d, s, e, Draining)
			continue
		}
		done, err := e.done(d)
		switch {
		case err != nil:
			// Not reused: the failure would be reported to the next owner. The program did not ask for this query, so
			// only a failed destruction is reported.
			s.failedQueries.Add(1)
			if _, err = p.retire(d, s, e, Draining); err != nil {
				p.failed(err)
			}
		case done:
			e.Synchronized(number(w))
			if e.moveUnchanged(w, Draining, Live) {
				return e
			}
			fallthrough // disowned, or submitted to, during the query
		default:
			s.draining.pushBack(e)
		}
	}
	return nil
}

// destroyLive destroys an entry that the program is giving back.
func (p *Pool) destroyLive(d Driver, s *freeList, e *Entry) (Outcome, error) {
	o, err := p.retire(d, s, e, Live)
	if o == WasStale {
		err = p.Misuse(e, e.kind.destroyer())
	}
	return o, err
}

// retire destroys the object of an entry in state from. The caller has taken the entry from its slot, stack or queue.
// While another thread's driver call is using the object, the entry drains instead.
func (p *Pool) retire(d Driver, s *freeList, e *Entry, from State) (Outcome, error) {
	if !e.move(from, Ending) {
		return WasStale, nil
	}
	switch used := e.inUse(); {
	case used && e.move(Ending, Draining):
		s.draining.pushBack(e)
		return Deferred, nil
	case used || !e.move(Ending, Gone): // disowned meanwhile
		p.unlist(s, e)
		return WasStale, nil
	}
	s.destroyed.Add(1)
	p.unlist(s, e)
	if old := p.retired.Retire(&p.table, e.handle, e); old != nil {
		p.changed()
		runtime.KeepAlive(old) // C may read the old entry until changed returns
	}
	return Destroyed, e.destroy(d)
}

// disown makes an entry Gone because the driver has given its handle to a new object. An entry in a slot, stack or
// queue is dropped when it is taken from there.
func (p *Pool) disown(e *Entry) {
	if e.move(Live, Gone) {
		p.unlist(&p.freeLists[e.kind][e.device], e)
	} else if !e.move(Idle, Gone) && !e.move(Draining, Gone) {
		e.move(Ending, Gone)
	}
}
