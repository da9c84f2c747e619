package alloccache

import "github.com/mgpu-runtime/mgpu/internal/locks"

// Scratch holds one buffer for each key, device and stream, as large as the largest request so far.
type Scratch struct {
	c  *Cache
	mu locks.Mutex[locks.Scratch]
	by map[scratchKey]*Block
}

type scratchKey struct {
	key, stream uintptr
	device      int
}

// NewScratch makes a Scratch that allocates from the cache.
func (c *Cache) NewScratch() *Scratch { return &Scratch{c: c, by: map[scratchKey]*Block{}} }

// Get returns the address of the buffer of a key, the request's device and a stream, with at least r.Bytes bytes; 0 if
// r.Bytes is 0 and there is no buffer. A buffer that is too small is freed and replaced by one at least twice as large;
// if memory for that is lacking, the old buffer stays. Callers must not use the buffer of one key, device and stream at
// the same time.
func (s *Scratch) Get(d Driver, key, stream uintptr, r Request) (ptr uintptr, o Outcome, err error) {
	k := scratchKey{key, stream, r.Device}
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
		if m, how := s.c.Settle(d, old); how == Given {
			s.c.releaseMemory(d, m)
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

// replace stores b as the key's buffer, unless another thread has meanwhile stored one that is at least as large. It
// returns the buffer's address and the block to free.
func (s *Scratch) replace(k scratchKey, b *Block) (ptr uintptr, old *Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old = s.by[k]; old != nil && old.bytes >= b.bytes {
		return old.ptr, b
	}
	s.by[k] = b
	return b.ptr, old
}
