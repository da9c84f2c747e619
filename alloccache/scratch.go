package alloccache

import "sync"

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

// Get returns the address of the buffer of a key on the request's device and stream, of
// at least as many bytes as requested; 0 if none is requested, and there is none. A
// buffer that is too small is replaced by one of at least twice its size, and freed as
// programs free: not reused before its work is done. Where there is no memory for the
// larger one the old one stays. Users of one key, device and stream come one after the
// other.
func (s *Scratch) Get(d Driver, key uintptr, r Request) (ptr uintptr, o Outcome, err error) {
	k := scratchKey{key, r.Stream, r.Device}
	ptr, bytes := s.find(k)
	if bytes >= r.Bytes {
		return ptr, Reused, nil
	}
	r.Session = nil
	wanted := r.Bytes
	r.Bytes = max(wanted, 2*bytes)
	b, o, err := s.c.Alloc(d, r)
	if err != nil && r.Bytes > wanted {
		r.Bytes = wanted
		b, o, err = s.c.Alloc(d, r)
	}
	if err != nil {
		return 0, Failed, err
	}
	ptr, old := s.replace(k, b)
	if old != nil && old.move(Live, Held) {
		if m, how := s.c.Settle(d, old, r.Stream); how == Given {
			s.c.free(d, m)
		}
	}
	return ptr, o, nil
}

func (s *Scratch) find(k scratchKey) (ptr uintptr, bytes uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.by[k]; b != nil {
		return b.ptr, b.bytes
	}
	return 0, 0
}

// replace gives a key the larger one of its buffer, which another thread may have
// replaced meanwhile, and b; the other one is to be freed.
func (s *Scratch) replace(k scratchKey, b *Block) (ptr uintptr, old *Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old = s.by[k]; old != nil && old.bytes >= b.bytes {
		return old.ptr, b
	}
	s.by[k] = b
	return b.ptr, old
}
