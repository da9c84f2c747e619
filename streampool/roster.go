package streampool

import (
	"sync"
	"sync/atomic"
)

// roster lists the streams that are not gone, and queues without a handle, for
// those who ask where work may be pending. It is read without a lock, by C code too.
type roster struct {
	at [rosterSize]atomic.Pointer[Entry]
	n  atomic.Uint64 // places that were ever taken

	mu   sync.Mutex
	free []int
	over *Entry // stands for streams that found no place
}

const rosterSize = 1024

// add gives e a place. Where all are taken, one entry that always has work pending
// stands for all further ones.
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
	case r.over == nil:
		r.over = &Entry{kind: Stream, device: -1, endless: true}
		r.over.checkOut(Foreign)
		r.at[n].Store(r.over)
		r.n.Store(rosterSize)
	}
}

// remove gives e's place to the next.
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

// AddQueue makes an entry for a queue of a device, of any device if that is negative,
// that has no handle, such as its null stream. It is live for good. An endless queue
// has more work than is noted: from the first submission on it is always pending.
func (p *Pool) AddQueue(device int, endless bool) *Entry {
	e := &Entry{kind: Stream, device: int32(device), endless: endless}
	e.move(Foreign, Live)
	p.roster.add(e)
	return e
}

// Streams calls f for every stream that is not gone and every queue, the queues that
// were added before all streams last, until it returns false. A stream that another
// thread destroys meanwhile is listed, or Abandoned was called for it before such
// queues are.
func (p *Pool) Streams(f func(*Entry) bool) {
	for i := p.roster.n.Load(); i > 0; i-- {
		if e := p.roster.at[i-1].Load(); e != nil && !f(e) {
			return
		}
	}
}
