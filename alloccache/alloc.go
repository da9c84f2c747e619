package alloccache

import (
	"errors"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Alloc gives a block that nothing submitted before may still use. Where the driver
// has no memory left, everything that is free is released, and it is asked once more.
func (c *Cache) Alloc(d Driver, r Request) (b *Block, o Outcome, err error) {
	if !c.known(r.Device) {
		return nil, Failed, &driver.Error{Call: "MemAlloc", Name: "invalid device", Code: driver.InvalidDevice}
	}
	s := &c.shelves[r.Kind][r.Device]
	if r.Bytes > largest {
		return nil, Failed, c.tooMuch(d, s, r)
	}
	class, size := classOf(r.Bytes)
	if c.cfg.Exact {
		size = r.Bytes
	}
	if r.Session != nil && r.Kind != Pinned {
		return c.allocScoped(d, s, r, class, size)
	}
	if !r.Kept {
		c.tidy(d)
	}
	if b, o = c.take(d, s, r, class, size); b == nil {
		if r.Kept {
			return nil, Failed, errNoneKept
		}
		if b, err = c.grow(d, s, r, class, size); err != nil {
			return nil, Failed, err
		}
		o = Allocated
		s.counts.allocated.Add(1)
	}
	c.give(s, b, r)
	return b, o, nil
}

var errNoneKept = errors.New("no such block is kept")

// tooMuch lets the driver say what it thinks of more bytes than there are.
func (c *Cache) tooMuch(d Driver, s *shelf, r Request) error {
	p, err := d.Allocate(r.Kind, r.Bytes)
	if err == nil {
		_ = d.Release(r.Kind, r.Device, p)
		err = &driver.Error{Call: "MemAlloc", Name: "out of memory", Code: driver.OutOfMemory}
	}
	return c.explain(s, r, err)
}

// take finds a block that is there: free, in another thread's hand, or waiting for
// work that is done.
func (c *Cache) take(d Driver, s *shelf, r Request, class uint32, size uint64) (*Block, Outcome) {
	var room [4]Mark
	w := wanted{class, size, c.cfg.Exact, r.Stream, c.cfg.Level == Stream}
	b, waited, open := s.take(w, room[:0])
	if b == nil && r.Kind == Device && c.cfg.Quick {
		b = c.fromHand(class)
	}
	if b == nil && len(open) != 0 && c.ask(d, s, open) {
		b, waited, _ = s.take(w, room[:0])
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

// fromHand takes a block out of any thread's hand.
func (c *Cache) fromHand(class uint32) *Block {
	b := c.table.Find(c.cfg.FreeLists.Take(class))
	if b == nil || !b.move(Listed, Held) {
		return nil
	}
	b.marks = b.marks[:0]
	return b
}

// ask asks the driver about marks; it reports whether all are reached.
func (c *Cache) ask(d Driver, s *shelf, open []Mark) bool {
	if d.Quiet() {
		return false
	}
	all := true
	for _, m := range open {
		s.counts.queries.Add(1)
		done, err := d.Reached(m)
		if err != nil {
			c.cfg.Failed(err)
		}
		all = all && done && err == nil
	}
	return all
}

// grow asks the driver for a new block.
func (c *Cache) grow(d Driver, s *shelf, r Request, class uint32, size uint64) (*Block, error) {
	p, err := d.Allocate(r.Kind, size)
	exact := false
	if errors.Is(err, driver.OutOfMemory) {
		s.counts.flushes.Add(1)
		c.Flush(d, r.Device)
		// What is left may be enough without rounding.
		p, err = d.Allocate(r.Kind, r.Bytes)
		exact, size = r.Bytes != size, r.Bytes
	}
	if err != nil {
		return nil, c.explain(s, r, err)
	}
	b := c.enter(uintptr(p), r, class, size, exact)
	s.reserved.Add(size)
	return b, nil
}

// give freeLists a block that is held to the program.
func (c *Cache) give(s *shelf, b *Block, r Request) {
	b.asked.Store(r.Bytes)
	b.site.Store(r.Site)
	b.row.Store(int32(r.Row))
	b.stamp.Store(c.cfg.Now())
	if b.told.Load() {
		b.told.Store(false)
	}
	b.marks = b.marks[:0]
	s.used()
	b.move(Held, Live)
}

// enter makes a block of what the driver gave.
func (c *Cache) enter(ptr uintptr, r Request, class uint32, size uint64, exact bool) *Block {
	c.mu.Lock()
	var b *Block
	if n := len(c.spare); n > 0 {
		b, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		b = new(Block)
	}
	b.ptr, b.class, b.bytes, b.kind, b.dev = ptr, class, size, r.Kind, uint16(r.Device)
	b.exact = exact
	b.index = len(c.blocks)
	c.blocks = append(c.blocks, b)
	quick := uint64(0)
	if c.cfg.Quick && r.Kind == Device && r.Session == nil && !exact {
		quick = quickBit
	}
	b.word.Store((b.word.Load()&^(stateMask|quickBit) + oneMore) | quick | uint64(Held))
	c.mu.Unlock()
	if old := c.table.Store(ptr, b); old != nil {
		c.lost(old)
	}
	c.cfg.FreeLists.Publish(b)
	return b
}

// lost forgets a block whose memory was freed behind the cache's back: the driver
// has given its address out again. Only one that is the program's can have been.
func (c *Cache) lost(b *Block) {
	if b.move(Live, Gone) {
		c.shelves[b.kind][b.dev].reserved.Add(-b.bytes)
		c.strike(b)
	}
}

// strike takes a block that is gone off the register.
func (c *Cache) strike(b *Block) {
	if home := b.home.Load(); home != nil {
		home.lose(b)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.blocks[len(c.blocks)-1]
	c.blocks[b.index] = last
	last.index = b.index
	c.blocks = c.blocks[:len(c.blocks)-1]
	b.marks, b.exact = b.marks[:0], false
	b.home.Store(nil)
	c.spare = append(c.spare, b)
}

// explain adds to an error of the driver's what there is of memory.
func (c *Cache) explain(s *shelf, r Request, err error) error {
	var e *driver.Error
	if !errors.Is(err, driver.OutOfMemory) || !errors.As(err, &e) {
		return err
	}
	u := c.Usage(r.Kind, r.Device)
	told := *e
	told.Detail = shortage(r.Bytes, u)
	if e.Detail != "" {
		told.Detail += "; " + e.Detail
	}
	return &told
}
