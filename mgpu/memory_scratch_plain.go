package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// plainScratch holds the buffers if device memory is not cached. Each is one driver allocation of exactly the requested
// size. With MGPU_CACHE=off a buffer lives until its stream is destroyed.
type plainScratch struct {
	mu locks.Mutex[locks.PlainScratch]
	by map[scratchKey]plainBuffer
}

type scratchKey struct {
	key, stream uintptr
	device      int
}

type plainBuffer struct {
	at    driver.Ptr
	bytes uint64
}

func (s *plainScratch) find(key scratchKey) plainBuffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[key]
}

// replace stores the larger one of a key's existing buffer and b, and returns both. The caller frees the unused one.
// Another thread may have replaced the buffer meanwhile.
func (s *plainScratch) replace(key scratchKey, b plainBuffer) (current, unused plainBuffer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.by[key]; old.bytes >= b.bytes {
		return old, b
	} else if unused = old; s.by == nil {
		s.by = map[scratchKey]plainBuffer{}
	}
	s.by[key] = b
	return b, unused
}
