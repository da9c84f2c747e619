package alloccache

import "math"

// allTime is a time before which all blocks were freed.
const allTime = math.MaxInt64

// Flush releases all free and waiting blocks of a device; the driver waits for their work.
// It returns the bytes released: none while the program captures a stream.
func (c *Cache) Flush(d Driver, device int) uint64 {
	if !c.validDevice(device) || d.Quiet() {
		return 0
	}
	var bytes uint64
	c.collectListed()
	for k := range kinds {
		s := &c.bins[k][device]
		for b := s.takeOldest(allTime); b != nil; b = s.takeOldest(allTime) {
			bytes += b.bytes
			c.releaseBlock(d, b)
		}
	}
	for _, scope := range c.scopes.all() {
		bytes += scope.trim(d, device)
	}
	return bytes
}

// collectListed moves all blocks on threads' free lists to the cache's lists.
func (c *Cache) collectListed() {
	if !c.cfg.Quick {
		return
	}
	for ptr := c.cfg.FreeLists.Take(Any); ptr != 0; ptr = c.cfg.FreeLists.Take(Any) {
		c.ReturnListed(ptr)
	}
}

// ReturnListed puts a block that was on a thread's free list on a list of its class.
func (c *Cache) ReturnListed(ptr uintptr) {
	if b, _ := c.holdListed(ptr); b != nil {
		c.bins[b.kind][b.dev].insert(b)
	}
}

// holdListed makes a block held that was on a thread's free list. If it waited there it gets
// marks as if it were freed now: they cover the work that it waited for.
func (c *Cache) holdListed(ptr uintptr) (b *Block, waited bool) {
	b = c.table.Find(ptr)
	if b == nil || !b.move(Listed, Held) {
		return nil, false
	}
	b.marks = b.marks[:0]
	if waited = b.waitsFor.Swap(0) != 0; waited {
		b.marks = c.cfg.Pending(b.marks)
	}
	return b, waited
}

// Lifetime is how long a block stays free before trimStale releases it, and trimInterval
// how often trimStale looks for such blocks, in nanoseconds.
const (
	Lifetime     = 300e9
	trimInterval = 10e9
)

// trimStale releases blocks that were free for Lifetime, every trimInterval. Only calls of
// the program run it: a thread of ours would call the driver when the program does not
// expect that.
func (c *Cache) trimStale(d Driver) {
	now, last := c.cfg.Now(), c.lastTrim.Load()
	if now-last < trimInterval || !c.lastTrim.CompareAndSwap(last, now) || d.Quiet() {
		return
	}
	c.TrimIdle(d, now-Lifetime, 32)
}

// TrimIdle releases blocks that were freed before a time, at most most blocks of each kind
// and device. It returns the bytes released.
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
			if c.cfg.Quick { // blocks of free lists have come
				c.trimBelowLimit(d, s, i, 0)
			}
		}
	}
	return bytes
}
