package hsakmt

import "sync"

// arena is memory outside the Go heap that is never freed: what the host keeps
// addresses of. A block of the space makes it visible to GPUs.
type arena struct {
	mu       sync.Mutex
	next, hi uint64
}

const arenaSize = 1 << 20

// alloc returns zeroed bytes that begin at a multiple of 64, 0 if there are none left.
func (a *arena) alloc(size uint64) uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	size = (size + 63) &^ 63
	if size > a.hi-a.next {
		return 0
	}
	at := a.next
	a.next += size
	return at
}
