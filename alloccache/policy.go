package alloccache

import "math"

// Policy says which free blocks the cache releases to the driver. This file has all rules:
//
//	limit  free blocks of a device and kind stay below Limit; a block that does not fit is not cached
//	order  the block that was freed first is released first, of all classes
//	age    a block that was free for Lifetime is released
//
// Blocks of scopes are not counted. They are released when the driver lacks memory, or when the program asks for it.
// Threads' free lists get a share of the limit, which C code divides.
type Policy struct {
	// Limit returns the most bytes of free blocks of each kind to cache for a device. Nil: no limit.
	Limit func(device int) uint64
}

// Lifetime is how long a block stays free before it is released, in nanoseconds.
const Lifetime = 300e9

const (
	trimInterval = 10e9 // nanoseconds between two looks of trimStale for such blocks
	trimMost     = 32   // blocks of a kind and device that trimStale releases at once, at most
)

// Shares of the limit. Threads' free lists together get 1/ListedShare of the limit, and may hold
// some more while threads start. Of these bytes C code keeps 1/OwnShare for small blocks, divides
// another 1/OwnShare among the threads, and gives 1/CommonShare to any thread that needs it.
//
//mgpu:enum policy OwnShare CommonShare
const (
	ListedShare = 16
	OwnShare    = 4
	CommonShare = 2
)

// allTime is a time before which all blocks were freed.
const allTime = math.MaxInt64

// takeOldest takes the block that was freed first, if that was before a time; else it returns nil. It looks only at the
// tail of each list, which is the block of that list that was freed first.
func (s *bins) takeOldest(before int64) *Block {
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
		s.unlist(found)
	}
	return found
}

// fits releases blocks until b fits below the limit, and reports whether to cache b. While the program captures a
// stream it always reports true, since nothing may be released then.
func (c *Cache) fits(d Driver, s *bins, b *Block) bool {
	return !b.exact && c.trimBelowLimit(d, s, int(b.dev), b.bytes) || d.Quiet()
}

// trimBelowLimit releases blocks of a device, the oldest first, until more bytes fit below the limit. It reports
// whether they fit.
func (c *Cache) trimBelowLimit(d Driver, s *bins, device int, more uint64) bool {
	limit := c.cfg.Limit(device)
	if more > limit {
		return false
	}
	for s.bytes()+more > limit {
		if d.Quiet() {
			return false
		}
		old := s.takeOldest(allTime)
		if old == nil {
			return false
		}
		c.releaseBlock(d, old)
	}
	return true
}

// trimStale releases blocks that were free for Lifetime, every trimInterval. It runs only within the program's calls: a
// thread of the library would call the driver when the program does not expect it.
func (c *Cache) trimStale(d Driver) {
	now, last := c.cfg.Now(), c.lastTrim.Load()
	if now-last < trimInterval || !c.lastTrim.CompareAndSwap(last, now) || d.Quiet() {
		return
	}
	c.TrimIdle(d, now-Lifetime, trimMost)
}

// TrimIdle releases blocks that were freed before a time, at most most blocks of each kind and device. It returns the
// number of bytes released.
func (c *Cache) TrimIdle(d Driver, before int64, most int) (bytes uint64) {
	c.collectListed()
	for k := range kinds {
		for i := range c.bins[k] {
			s := &c.bins[k][i]
			for n := 0; n < most; n++ {
				b := s.takeOldest(before)
				if b == nil {
					break
				}
				bytes += b.bytes
				c.releaseBlock(d, b)
			}
			if c.cfg.Quick { // blocks of free lists were added
				c.trimBelowLimit(d, s, i, 0)
			}
		}
	}
	return bytes
}
