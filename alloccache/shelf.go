package alloccache

import (
	"sync"
	"sync/atomic"
)

// shelf holds the free blocks of one kind on one device.
type shelf struct {
	mu      sync.Mutex
	free    [classes]list
	waiting [classes]list
	low     uint32 // no list below this class, and none from high on, has blocks
	high    uint32
	cached  uint64 // bytes on the lists

	reserved atomic.Uint64 // bytes that the driver gave
	scoped   atomic.Uint64 // of those, bytes that lie free in scopes
	peak     atomic.Uint64
	counts   counts

	_ [64]byte // the next device's shelf is used by other threads
}

// counts are what happened on a shelf.
type counts struct {
	reused, covered, allocated, deferred, released, flushes, queries, scopeWaits atomic.Uint64
}

// list is where a block belongs: blocks without marks are ready for good.
func (s *shelf) list(b *Block) *list {
	if len(b.marks) == 0 {
		return &s.free[b.class]
	}
	return &s.waiting[b.class]
}

// put puts a block that the caller holds on its list.
func (s *shelf) put(b *Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to := Free
	if len(b.marks) != 0 {
		to = Waiting
	}
	s.cached += b.bytes
	if s.high == 0 {
		s.low = b.class
	}
	s.low, s.high = min(s.low, b.class), max(s.high, b.class+1)
	s.list(b).push(b)
	b.move(Held, to)
}

// drop takes a block off its list. The shelf is locked; the caller holds the block
// afterwards.
func (s *shelf) drop(b *Block) {
	s.list(b).remove(b)
	s.cached -= b.bytes
	b.move(b.State(), Held)
}

// wanted says which block stands in for which.
type wanted struct {
	class   uint32
	size    uint64
	exact   bool // not one of another size of the class
	stream  uintptr
	ordered bool // blocks that only work of the same stream uses are ready
}

func (w wanted) fits(b *Block) bool { return !w.exact || b.bytes == w.size }

// oldest is how many blocks of a list are looked at.
const oldest = 8

// take takes a ready block of a class, or one that only the stream's own work may
// still use. If all blocks wait, it appends the marks of the one that waits
// longest which are not covered.
func (s *shelf) take(w wanted, open []Mark) (b *Block, waited bool, missing []Mark) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for b = s.free[w.class].head; b != nil && n < oldest; b, n = b.next, n+1 {
		if w.fits(b) {
			s.drop(b)
			return b, false, open
		}
	}
	n = 0
	for b = s.waiting[w.class].tail; b != nil && n < oldest; b, n = b.prev, n+1 {
		if !w.fits(b) {
			continue
		}
		if b.ready() || w.ordered && b.stream == w.stream {
			s.drop(b)
			return b, true, open
		}
		if len(open) != 0 {
			continue
		}
		for _, m := range b.marks {
			if !m.covered() && len(open) < cap(open) {
				open = append(open, m)
			}
		}
	}
	return nil, false, open
}

// least takes the block that was freed first, before a time; nil: there is none.
// Lists are in the order of freeing, but for those of waiting blocks it makes no
// difference: what waits is not idle unless all is.
func (s *shelf) least(before int64) *Block {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found *Block
	for class := s.low; class < s.high; class++ {
		for _, l := range [...]*list{&s.free[class], &s.waiting[class]} {
			if b := l.tail; b != nil && b.stamp.Load() < before && (found == nil || b.stamp.Load() < found.stamp.Load()) {
				found = b
			}
		}
	}
	if found != nil {
		s.drop(found)
	}
	return found
}

// bytes is how many lie on the lists.
func (s *shelf) bytes() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cached
}

// used notes that blocks were given out. What lies in freeLists counts as used.
func (s *shelf) used() {
	s.mu.Lock()
	now := s.reserved.Load() - min(s.reserved.Load(), s.cached+s.scoped.Load())
	s.mu.Unlock()
	for {
		peak := s.peak.Load()
		if now <= peak || s.peak.CompareAndSwap(peak, now) {
			return
		}
	}
}
