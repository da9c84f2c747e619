package alloccache

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// bins holds the free blocks of one kind on one device, in two lists for each size class: ready and waiting.
type bins struct {
	mu      locks.Mutex[locks.Bins]
	free    [classes]list
	waiting [classes]list
	low     uint32 // lists below this class are empty
	high    uint32 // lists of this class and above are empty
	cached  uint64 // bytes on the lists

	reserved atomic.Uint64 // bytes allocated by the driver and not released
	scoped   atomic.Uint64 // of those, bytes free in scopes
	peak     atomic.Uint64
	counts   counts

	_ [64]byte // padding: other threads use the next device's bins
}

// counts counts events of one kind and device; see [Usage].
type counts struct {
	reused, covered, allocated, deferred, released, flushes, queries, scopeWaits atomic.Uint64
}

// list returns the list for a block: free if the block has no marks, else waiting.
func (s *bins) list(b *Block) *list {
	if len(b.marks) == 0 {
		return &s.free[b.class]
	}
	return &s.waiting[b.class]
}

// insert puts a held block on its list.
func (s *bins) insert(b *Block) {
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
	b.leave(to)
}

// unlist takes a block off its list and makes it held. The caller has locked mu.
func (s *bins) unlist(b *Block) {
	s.mu.AssertHeld()
	s.list(b).remove(b)
	s.cached -= b.bytes
	b.move(b.State(), Held)
}

// probeLimit bounds how many blocks of a list takeReady looks at.
const probeLimit = 8

// takeReady takes a ready block of the class and of exactly size bytes. waited reports that the block was on the
// waiting list. If all blocks wait, takeReady appends the marks of the block that was freed first to open.
func (s *bins) takeReady(class uint32, size uint64, open []Mark) (b *Block, waited bool, missing []Mark) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for b = s.free[class].head; b != nil && n < probeLimit; b, n = b.next, n+1 {
		if b.bytes == size {
			s.unlist(b)
			return b, false, open
		}
	}
	n = 0
	for b = s.waiting[class].tail; b != nil && n < probeLimit; b, n = b.prev, n+1 {
		if b.bytes != size {
			continue
		}
		if b.ready() {
			s.unlist(b)
			return b, true, open
		}
		if len(open) == 0 {
			open = b.uncovered(open)
		}
	}
	return nil, false, open
}

// bytes returns the bytes on the lists.
func (s *bins) bytes() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cached
}

// used updates the peak after an allocation. Blocks in threads' free lists count as in use.
func (s *bins) used() {
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
