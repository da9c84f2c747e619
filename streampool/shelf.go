package streampool

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// shelf holds what is not checked out, of one kind, on one device.
type shelf struct {
	hands [hands]hand
	idle  stack

	created       atomic.Uint64
	drained       atomic.Uint64 // handed out from the queue
	discarded     atomic.Uint64 // popped and not handed out
	trimmed       atomic.Uint64 // handed out to be destroyed
	fromHands     atomic.Uint64 // handed out from a hand, by entries that are gone
	destroyed     atomic.Uint64
	failedQueries atomic.Uint64
	draining      queue

	_ [64]byte // the next device's shelf is used by other threads
}

// hands is how many hands a shelf has: threads that come at once share few.
const (
	handBits = 4
	hands    = 1 << handBits
)

// hand is the place in front of the stack that a thread tries first: what it
// gave back last. Threads then take and give without touching what others use.
type hand struct {
	atomic.Pointer[Entry]
	_ [56]byte
}

// hasRoom reports whether one more idle entry may be kept. The hands are only
// counted where they could make the difference.
func (s *shelf) hasRoom() bool {
	n := s.idle.count()
	return n+hands < s.idle.limit || n+s.inHands() < s.idle.limit
}

// inHands counts the idle entries in front of the stack.
func (s *shelf) inHands() (n uint64) {
	for i := range s.hands {
		if s.hands[i].Load() != nil {
			n++
		}
	}
	return n
}

// keep puts an idle entry where the calling thread will look first; what was
// there goes onto the stack.
func (p *Pool) keep(s *shelf, e *Entry) {
	if before := s.hands[myHand()].Swap(e); before != nil {
		p.push(&s.idle, before)
	}
}

// take checks out an idle entry: the calling thread's own, the top of the stack,
// or another thread's. It returns nil if there is none.
func (p *Pool) take(s *shelf) *Entry {
	mine := myHand()
	if e := p.takeFrom(s, mine); e != nil {
		return e
	}
	if e := p.pop(s); e != nil {
		return e
	}
	for i := range uint(hands) {
		if e := p.takeFrom(s, i); e != nil {
			return e
		}
	}
	return nil
}

func (p *Pool) takeFrom(s *shelf, i uint) *Entry {
	h := &s.hands[i]
	e := h.Load()
	if e == nil || !h.CompareAndSwap(e, nil) {
		return nil
	}
	if !e.checkOut(Idle) {
		p.forget(s, e) // disowned while it lay there
		return nil
	}
	e.fromHand.Store(e.fromHand.Load() + 1) // whoever holds an entry is the only writer
	return e
}

// forget takes an entry that is gone out of the directory.
func (p *Pool) forget(s *shelf, e *Entry) {
	if e.kind == Stream {
		if e.Pending() {
			p.abandoned(e)
		}
		p.roster.remove(e)
	}
	s.fromHands.Add(e.fromHand.Load())
	p.directory.remove(e)
}

// drain checks out the longest waiting entry that turns out to be idle. What is
// still busy goes to the end of the queue, so that one that never finishes does
// not hide the others. The number of queries is bounded.
func (p *Pool) drain(d Driver, s *shelf) *Entry {
	if p.quiet.Load() {
		return nil
	}
	for range min(p.queries, int(s.draining.length.Load())) {
		e := s.draining.take()
		if e == nil {
			return nil
		}
		w := e.word.Load()
		if State(w&stateMask) != Draining {
			p.forget(s, e) // disowned while it waited
			continue
		}
		if w&callsMask != 0 { // the driver may not have all of its work yet
			s.draining.add(e)
			continue
		}
		done, err := e.done(d)
		switch {
		case err != nil:
			// Its next holder must not be blamed, so nobody gets it.
			s.failedQueries.Add(1)
			p.failed(err)
			if e.move(Draining, Gone) {
				p.retire(d, s, e)
			}
		case done:
			e.Synchronized(number(w))
			if e.checkOutUnchanged(w) {
				return e
			}
			fallthrough // disowned, or submitted to, while the driver was asked
		default:
			s.draining.add(e)
		}
	}
	return nil
}

// destroyLive really destroys an entry that is being given back.
func (p *Pool) destroyLive(d Driver, s *shelf, e *Entry) (Outcome, error) {
	if p.quiet.Load() {
		if !e.move(Live, Draining) {
			return WasStale, p.Misuse(e, e.kind.destroyer())
		}
		s.draining.add(e)
		return Deferred, nil
	}
	if !e.move(Live, Gone) {
		return WasStale, p.Misuse(e, e.kind.destroyer())
	}
	return Destroyed, p.retire(d, s, e)
}

// retire destroys an entry that the caller has made Gone and took from where it
// was.
func (p *Pool) retire(d Driver, s *shelf, e *Entry) error {
	s.destroyed.Add(1)
	p.forget(s, e)
	if p.buried.Bury(&p.table, e.handle, e) {
		p.changed()
	}
	return e.destroy(d)
}

// disown takes an entry whose handle the driver has given to a new object out
// of circulation. One that lies on a stack or in a queue is dropped where it is met.
func (p *Pool) disown(e *Entry) {
	if e.move(Live, Gone) {
		p.forget(&p.shelves[e.kind][e.device], e)
	} else if !e.move(Idle, Gone) {
		e.move(Draining, Gone)
	}
}

// Trim really destroys the idle streams and events of a device, which is
// current, and returns how many and the first error. It does nothing while the
// pool is quiet.
func (p *Pool) Trim(d Driver, device int) (n int, err error) {
	for k := range p.shelves {
		if p.quiet.Load() || uint(device) >= uint(len(p.shelves[k])) {
			return n, err
		}
		s := &p.shelves[k][device]
		for e := p.take(s); e != nil; e = p.take(s) {
			s.trimmed.Add(1)
			e.Synchronized(e.Submissions()) // it was idle
			if !e.move(Live, Gone) {
				continue
			}
			n++
			if failed := p.retire(d, s, e); err == nil {
				err = failed
			}
		}
	}
	return n, err
}

var _ Driver = driver.Driver(nil)
