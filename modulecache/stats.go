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
	Misses    uint64 // modules loaded to be given out again
	Refused   uint64 // loads of what is not shared
	Evictions uint64 // modules evicted to keep the limits
	Functions uint64 // names resolved by the driver

	Modules int            // known now, and images without any
	Bytes   int64          // their images, each as often as it is loaded
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
			s.Modules += int(t.weight())
			for _, l := range t.modules.all() {
				s.Verified += l.verified.Load()
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
