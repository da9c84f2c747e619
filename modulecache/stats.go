package modulecache

import (
	"maps"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// Stats counts what the cache did.
type Stats struct {
	Verified  uint64 // hits on a known address, bytes compared
	Contents  uint64 // hits on known content at a new address
	Misses    uint64 // modules loaded to be shared
	Refused   uint64 // loads of what is not shared
	Evictions uint64 // contents evicted to keep the byte limit
	Functions uint64 // names resolved by the driver

	Modules int            // contents known now
	Bytes   int64          // their images
	Reasons map[string]int // refused loads by reason; nil if none
}

// counters has in verified the counts of modules that are gone.
type counters struct {
	verified, contents, misses, evictions, functions atomic.Uint64

	mu      locks.Mutex[locks.Counters]
	reasons map[string]int
}

func (n *counters) refused(reason string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.reasons == nil {
		n.reasons = map[string]int{}
	}
	n.reasons[reason]++
}

// Stats returns the counts so far.
func (c *Cache) Stats() Stats {
	n := &c.count
	s := Stats{
		Verified: n.verified.Load(), Contents: n.contents.Load(), Misses: n.misses.Load(),
		Evictions: n.evictions.Load(), Functions: n.functions.Load(), Bytes: c.bytes.Load(),
	}
	c.mu.Lock()
	for _, t := range c.index {
		for ; t != nil; t = t.next {
			s.Modules++
			select {
			case <-t.ready:
				if l := t.shared.Load(); l != nil {
					s.Verified += l.verified.Load()
				}
			default: // still being loaded
			}
		}
	}
	c.mu.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	s.Reasons = maps.Clone(n.reasons)
	for _, k := range s.Reasons {
		s.Refused += uint64(k)
	}
	return s
}
