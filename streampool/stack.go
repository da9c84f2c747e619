package streampool

import "sync/atomic"

// stack is a lock-free stack of entries, linked by id. Its head is one word:
//
//	tag 28 bits | count 16 bits | id of the top entry 20 bits
//
// The tag changes with every operation. A thread that was delayed between reading the head and replacing it therefore
// fails, and does not install an old link. The tag also counts operations, which saves a counter of reuses.
type stack struct {
	head  atomic.Uint64
	wraps atomic.Uint64 // times that the tag overflowed
	limit uint64
}

const (
	idBits    = 20
	idMask    = 1<<idBits - 1
	countBits = 16
	countOne  = 1 << idBits
	countMask = 4095 // the largest limit; threads that push at once may exceed it a little
	tagOne    = 1 << (idBits + countBits)
)

func (s *stack) count() uint64 { return s.head.Load() >> idBits & (1<<countBits - 1) }

// pops returns how many entries have been popped. The tag is the number of pushes and pops, and the count is their
// difference.
func (s *stack) pops() uint64 {
	h := s.head.Load()
	return ((s.wraps.Load()<<(64-idBits-countBits) | h/tagOne) - h>>idBits&(1<<countBits-1)) / 2
}

// replace replaces the head old by next, with the tag increased.
func (s *stack) replace(old, next uint64) bool {
	next += tagOne
	if !s.head.CompareAndSwap(old, next) {
		return false
	}
	if next < tagOne {
		s.wraps.Add(1)
	}
	return true
}

func (p *Pool) push(s *stack, e *Entry) {
	for {
		h := s.head.Load()
		if below := uint32(h & idMask); e.below.Load() != below {
			e.below.Store(below)
		}
		if s.replace(h, (h&^idMask+countOne)|uint64(e.id)) {
			return
		}
	}
}

// pop checks out the top entry; nil if the stack is empty.
func (p *Pool) pop(s *freeList) *Entry {
	for {
		h := s.idle.head.Load()
		id := uint32(h & idMask)
		if id == 0 {
			return nil
		}
		e := p.directory.at(id)
		if e == nil {
			continue // popped and unlisted since the head was read
		}
		if !s.idle.replace(h, (h&^idMask-countOne)|uint64(e.below.Load())) {
			continue
		}
		if e.move(Idle, Live) {
			return e
		}
		s.discarded.Add(1)
		p.unlist(s, e) // disowned while it was on the stack
	}
}
