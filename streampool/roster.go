package streampool

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// roster lists all entries that may have work pending: streams that are not gone, and queues without a handle. Go and C
// read it without a lock.
type roster struct {
	at [rosterSize]atomic.Pointer[Entry]
	n  atomic.Uint64 // places used so far, freed ones included

	mu       locks.Mutex[locks.Roster]
	free     []int
	overflow *Entry // stands for all streams that did not get a place
}

// rosterSize is more streams than programs have at once. Further streams share one entry that always has work pending,
// so that each allocation must ask the driver.
const rosterSize = 1 << 14

// add gives e a place. If no place is left, one entry that always has work pending stands for e.
func (r *roster) add(e *Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := int(r.n.Load())
	switch {
	case len(r.free) > 0:
		i := r.free[len(r.free)-1]
		r.free = r.free[:len(r.free)-1]
		r.at[i].Store(e)
	case n < rosterSize-1:
		r.at[n].Store(e)
		r.n.Store(uint64(n + 1))
	case r.overflow == nil:
		r.overflow = &Entry{kind: Stream, device: -1, source: UnlistedStreams}
		r.overflow.move(Foreign, Live)
		r.at[n].Store(r.overflow)
		r.n.Store(rosterSize)
	}
}

// remove frees e's place.
func (r *roster) remove(e *Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range int(r.n.Load()) {
		if r.at[i].Load() == e {
			r.at[i].Store(nil)
			r.free = append(r.free, i)
			return
		}
	}
}

// AddQueue adds an entry for work that belongs to no stream of the pool. A negative device stands for any device. The
// entry stays live.
func (p *Pool) AddQueue(device int, source Source) *Entry {
	e := &Entry{kind: Stream, device: int32(device), source: source}
	e.move(Foreign, Live)
	e.Synchronized(number(e.word.Load())) // nothing was submitted yet
	p.roster.add(e)
	return e
}

// Streams calls f for every queue and for every stream that is not gone, until f returns false. Queues that were added
// before all streams come last. So a stream that another thread destroys meanwhile is either listed, or Abandoned was
// called for it before f sees those queues.
func (p *Pool) Streams(f func(*Entry) bool) {
	for i := p.roster.n.Load(); i > 0; i-- {
		if e := p.roster.at[i-1].Load(); e != nil && !f(e) {
			return
		}
	}
}
