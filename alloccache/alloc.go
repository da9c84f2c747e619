package alloccache

import (
	"errors"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Alloc returns a block that no earlier work may still use. If the driver is out of memory, Alloc releases all free
// blocks of the device and tries once more.
func (c *Cache) Alloc(d Driver, r Request) (b *Block, o Outcome, err error) {
	if !c.validDevice(r.Device) {
		return nil, Failed, &driver.Error{Call: "mgpuMemAlloc", Code: driver.InvalidDevice}
	}
	s := &c.bins[r.Kind][r.Device]
	if r.Bytes > largest {
		return nil, Failed, c.refuseSize(d, s, r)
	}
	class := sizeClass(r.Bytes)
	size := classSize(class)
	if c.cfg.Exact {
		size = r.Bytes
	}
	if r.Session != nil {
		return c.allocScoped(d, s, r, class, size)
	}
	c.trimStale(d)
	if b, o = c.takeCached(d, s, r, class, size); b == nil {
		if b, err = c.allocate(d, s, r, class, size); err != nil {
			return nil, Failed, err
		}
		o = Allocated
		s.counts.allocated.Add(1)
	}
	c.makeLive(s, b, r)
	return b, o, nil
}

// refuseSize returns the driver's own error for a size beyond the largest class.
func (c *Cache) refuseSize(d Driver, s *bins, r Request) error {
	p, err := d.Allocate(r.Kind, r.Bytes)
	if err == nil {
		_ = d.Release(r.Kind, r.Device, p)
		err = &driver.Error{Call: "mgpuMemAlloc", Code: driver.OutOfMemory}
	}
	return c.withUsage(r, err)
}

// takeCached takes a block that is free, or whose pending work turns out to be done, from the cache's lists or a
// thread's free list. It returns nil if there is none.
func (c *Cache) takeCached(d Driver, s *bins, r Request, class uint32, size uint64) (*Block, Outcome) {
	var unreached [4]Mark
	b, waited, open := s.takeReady(class, size, unreached[:0])
	if b == nil && r.Kind == Device && c.cfg.Quick {
		b, waited, open = c.takeListed(d, s, class, open)
	}
	if b == nil && len(open) != 0 && c.queryMarks(d, s, open) {
		b, waited, _ = s.takeReady(class, size, unreached[:0])
	}
	switch {
	case b == nil:
		return nil, Failed
	case waited:
		s.counts.covered.Add(1)
		return b, Covered
	}
	s.counts.reused.Add(1)
	return b, Reused
}

// takeListed takes a ready block from any thread's free list. Blocks that still wait go to the waiting list of their
// class if they fit below the limit. If open is empty, takeListed appends the first such block's marks.
func (c *Cache) takeListed(d Driver, s *bins, class uint32, open []Mark) (b *Block, waited bool, missing []Mark) {
	for range probeLimit {
		if b, waited = c.holdListed(c.cfg.FreeLists.Take(class)); b == nil {
			break
		}
		if b.ready() {
			b.marks = b.marks[:0]
			return b, waited, open
		}
		if len(open) == 0 {
			open = b.uncovered(open)
		}
		if c.fits(d, s, b) {
			s.insert(b)
		} else {
			c.releaseBlock(d, b)
		}
	}
	return nil, false, open
}

// queryMarks queries the driver about the marks and reports whether all are reached.
func (c *Cache) queryMarks(d Driver, s *bins, open []Mark) bool {
	if d.Quiet() {
		return false
	}
	all := true
	for _, m := range open {
		s.counts.queries.Add(1)
		// The program's call does not fail if a query fails: the block goes on waiting.
		done, err := d.Reached(m)
		all = all && done && err == nil
	}
	return all
}

// allocate makes a new block of memory from the driver.
func (c *Cache) allocate(d Driver, s *bins, r Request, class uint32, size uint64) (*Block, error) {
	p, err := d.Allocate(r.Kind, size)
	exact := false
	if errors.Is(err, driver.OutOfMemory) {
		s.counts.flushes.Add(1)
		c.cfg.Flushed(r.Device, r.Bytes, c.Flush(d, r.Device))
		// The memory left may suffice without rounding up.
		p, err = d.Allocate(r.Kind, r.Bytes)
		exact, size = r.Bytes != size, r.Bytes
	}
	if err != nil {
		return nil, c.withUsage(r, err)
	}
	b := c.addBlock(uintptr(p), r, class, size, exact)
	s.reserved.Add(size)
	return b, nil
}

// makeLive makes a held block live, and notes the request in it.
func (c *Cache) makeLive(s *bins, b *Block, r Request) {
	b.asked.Store(r.Bytes)
	b.site.Store(r.Site)
	b.call.Store(int32(r.Call))
	b.stamp.Store(c.cfg.Now())
	if b.reported.Load() != 0 {
		b.reported.Store(0)
	}
	b.marks = b.marks[:0]
	s.used()
	b.leave(Live)
}

// addBlock makes a held block of memory that the driver has just allocated.
func (c *Cache) addBlock(ptr uintptr, r Request, class uint32, size uint64, exact bool) *Block {
	c.mu.Lock()
	var b *Block
	if n := len(c.spare); n > 0 {
		b, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		b = new(Block)
	}
	atomic.StoreUint32(&b.class, class) // a thread of C that found the block on a list before may look at the class now
	b.ptr, b.bytes, b.kind, b.dev = ptr, size, r.Kind, uint16(r.Device)
	b.exact = exact
	b.index = len(c.blocks)
	c.blocks = append(c.blocks, b)
	word := b.word.Load() &^ (quickBit | trustedBit)
	if c.cfg.Trusts && r.Session == nil {
		word |= c.trust(b)
	}
	b.word.Store(word)
	b.move(Gone, Held)
	c.mu.Unlock()
	if old := c.table.Store(ptr, b); old != nil {
		c.dropReplaced(old)
	}
	c.cfg.FreeLists.Publish(b)
	return b
}

// Trust notes that at the program's first free of the block, its memory was still the driver's allocation of that size:
// the program had not freed it by a call of the driver. From now on C code may put the block on a thread's free list.
func (c *Cache) Trust(b *Block) {
	bits := c.trust(b)
	for w := b.word.Load(); State(stateOf(w)) == Live && !b.word.CompareAndSwap(w, w|bits); {
		w = b.word.Load()
	}
}

// trust returns the bits of a trusted block's word.
func (c *Cache) trust(b *Block) uint64 {
	if c.cfg.Quick && b.kind == Device && !b.exact && b.scope.Load() == nil {
		return trustedBit | quickBit
	}
	return trustedBit
}

// dropReplaced drops a live block whose address the driver has allocated again: the program freed the memory without
// the cache. Only live blocks can be freed that way.
func (c *Cache) dropReplaced(b *Block) {
	if b.move(Live, Gone) {
		c.bins[b.kind][b.dev].reserved.Add(-b.bytes)
		c.unregister(b)
		c.cfg.Replaced()
	}
}

// Forget drops a live block whose memory the program has freed without the cache. It returns false if the block is no
// longer live.
func (c *Cache) Forget(b *Block) bool {
	if !b.move(Live, Gone) {
		return false
	}
	c.bins[b.kind][b.dev].reserved.Add(-b.bytes)
	c.cfg.FreeLists.Withdraw(b)
	c.table.Delete(b.ptr, b)
	c.unregister(b)
	return true
}

// unregister removes a block that is gone from Cache.blocks and stores the Block for reuse.
func (c *Cache) unregister(b *Block) {
	if scope := b.scope.Load(); scope != nil {
		scope.dropBlock(b)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.blocks[len(c.blocks)-1]
	c.blocks[b.index] = last
	last.index = b.index
	c.blocks = c.blocks[:len(c.blocks)-1]
	b.marks, b.exact = b.marks[:0], false
	b.scope.Store(nil)
	c.spare = append(c.spare, b)
}

// withUsage adds the memory in use to a driver's out-of-memory error.
func (c *Cache) withUsage(r Request, err error) error {
	var e *driver.Error
	if !errors.Is(err, driver.OutOfMemory) || !errors.As(err, &e) {
		return err
	}
	u := c.Usage(r.Kind, r.Device)
	detailed := *e
	detailed.Detail = shortage(r.Bytes, u)
	if e.Detail != "" {
		detailed.Detail += "; " + e.Detail
	}
	return &detailed
}
