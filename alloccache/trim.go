package alloccache

// Flush releases all free and waiting blocks of a device. The driver waits for their work. It returns the number of
// bytes released: zero while the program captures a stream.
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

// ReturnListed moves a block from a thread's free list to a list of its class.
func (c *Cache) ReturnListed(ptr uintptr) {
	if b, _ := c.holdListed(ptr); b != nil {
		c.bins[b.kind][b.dev].insert(b)
	}
}

// holdListed makes a block of a thread's free list held. If the block waited there, it gets the marks of a free that
// happens now, which include the work that it waited for.
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
