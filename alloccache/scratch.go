package alloccache

import (
	"sync"
)

// Scratch keeps one buffer per key, device and stream: the next user on the same
// stream finds it as large as the last one needed it.
type Scratch struct {
	c  *Cache
	mu sync.Mutex
	by map[scratchKey]*Block
}

type scratchKey struct {
	key, stream uintptr
	device      int
}

// NewScratch makes a Scratch of a cache's blocks.
func (c *Cache) NewScratch() *Scratch { return &Scratch{c: c, by: map[scratchKey]*Block{}} }

// Get returns the buffer of a key on the request's device and stream, of at least
// as many bytes as requested. One that is too small is replaced by one of at least
// twice its size, and freed as programs free: not reused before its work is done.
// Where there is no memory for the larger one the old one stays. Users of one key,
// device and stream come one after the other.
func (s *Scratch) Get(d Driver, key uintptr, r Request) (b *Block, o Outcome, err error) {
	k := scratchKey{key, r.Stream, r.Device}
	s.mu.Lock()
	old := s.by[k]
	s.mu.Unlock()
	if old != nil && old.bytes >= r.Bytes || r.Bytes == 0 {
		return old, Reused, nil
	}
	r.Session = nil
	wanted := r.Bytes
	if old != nil {
		r.Bytes = max(wanted, 2*old.bytes)
	}
	b, o, err = s.c.Alloc(d, r)
	if err != nil && r.Bytes > wanted {
		r.Bytes = wanted
		b, o, err = s.c.Alloc(d, r)
	}
	if err != nil {
		return nil, Failed, err
	}
	s.mu.Lock()
	s.by[k] = b
	s.mu.Unlock()
	if old != nil && old.move(Live, Held) {
		if m, how := s.c.Settle(d, old, r.Stream); how == Given {
			s.c.free(d, m)
		}
	}
	return b, o, nil
}
