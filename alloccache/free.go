package alloccache

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Memory is what the driver has to free.
type Memory struct {
	Kind   Kind
	Device int
	Ptr    driver.Ptr
}

// Free takes back what Alloc gave. stream is the one that the program frees on: only
// Stream looks at it. With Given and Passed the caller frees the memory.
func (c *Cache) Free(d Driver, ptr uintptr, stream uintptr) (Memory, Outcome, error) {
	b, o, err := c.Hold(ptr, "mgpuMemFree")
	if b == nil {
		return Memory{Ptr: driver.Ptr(ptr)}, o, err
	}
	m, o := c.Settle(d, b, stream)
	return m, o, nil
}

// Hold takes a live block out of the program's freeLists, as the first half of a Free
// made by call. The block is nil if it is not the cache's, or not live: that is an
// error the first time that it happens to a block after it was given out.
func (c *Cache) Hold(ptr uintptr, call string) (*Block, Outcome, error) {
	b := c.table.Find(ptr)
	if b == nil {
		around := c.Containing(ptr)
		if around == nil {
			return nil, Passed, nil
		}
		return nil, Stale, around.misuse(call, ptr, fmt.Sprintf("%#x lies inside the block of %d bytes at %#x", ptr, around.asked.Load(), around.ptr))
	}
	if !b.move(Live, Held) {
		return nil, Stale, b.misuse(call, ptr, fmt.Sprintf("the block at %#x was freed before", ptr))
	}
	return b, Kept, nil
}

// Mark takes the marks of a block that Hold gave, and reports whether there are
// any. Settle takes them anew.
func (c *Cache) Mark(b *Block) bool {
	b.marks = c.cfg.Pending(b.marks[:0])
	return len(b.marks) != 0
}

// GiveUp ends what Hold began otherwise: the block's memory is the caller's to free.
func (c *Cache) GiveUp(b *Block) (Memory, Outcome) { return c.forget(b), Given }

// Settle is the second half of a Free.
func (c *Cache) Settle(d Driver, b *Block, stream uintptr) (Memory, Outcome) {
	b.stamp.Store(c.cfg.Now())
	b.stream = stream
	if c.cfg.Level == Stream && stream != 0 {
		b.marks = c.cfg.PendingOn(b.marks[:0], stream)
	} else {
		b.marks = c.cfg.Pending(b.marks[:0])
	}
	return c.keep(d, b)
}

// SettleAfter is Settle for a block that only the work up to marks used.
func (c *Cache) SettleAfter(d Driver, b *Block, marks ...Mark) (Memory, Outcome) {
	b.stamp.Store(c.cfg.Now())
	b.marks = append(b.marks[:0], marks...)
	return c.keep(d, b)
}

// keep puts a block that is held where it is found again.
func (c *Cache) keep(d Driver, b *Block) (Memory, Outcome) {
	if b.ready() {
		b.marks = b.marks[:0]
	}
	o := Kept
	if len(b.marks) != 0 {
		o = Deferred
	}
	s := &c.shelves[b.kind][b.dev]
	if home := b.home.Load(); home != nil && home.put(b) {
		return Memory{}, o
	}
	if !c.makeRoom(d, s, b) && !d.Quiet() {
		return c.forget(b), Given
	}
	if o == Deferred {
		s.counts.deferred.Add(1)
	}
	s.put(b)
	return Memory{}, o
}

// makeRoom gives blocks back, the oldest first, until there is room for one more below the
// limit. It reports whether there is.
func (c *Cache) makeRoom(d Driver, s *shelf, b *Block) bool {
	limit := c.cfg.Limit(int(b.dev))
	if b.exact || b.bytes > limit {
		return false
	}
	for s.bytes()+b.bytes > limit {
		if d.Quiet() {
			return false
		}
		old := s.least(never)
		if old == nil {
			return false
		}
		c.release(d, old)
	}
	return true
}

// forget takes a block that is held out of the cache: its memory is about to be
// the driver's.
func (c *Cache) forget(b *Block) Memory {
	m := Memory{b.kind, int(b.dev), driver.Ptr(b.ptr)}
	if home := b.home.Load(); home != nil {
		home.lose(b)
	}
	s := &c.shelves[b.kind][b.dev]
	s.counts.released.Add(1)
	s.reserved.Add(-b.bytes)
	c.cfg.FreeLists.Withdraw(b)
	c.table.Delete(b.ptr, b)
	b.move(Held, Gone)
	c.strike(b)
	return m
}

// release gives a block that is held back to the driver.
func (c *Cache) release(d Driver, b *Block) {
	c.free(d, c.forget(b))
}

// free has the driver free memory.
func (c *Cache) free(d Driver, m Memory) {
	if err := d.Release(m.Kind, m.Device, m.Ptr); err != nil {
		c.cfg.Failed(err)
	}
}

// misuse is an error the first time since the block was given out, then nil.
func (b *Block) misuse(call string, ptr uintptr, what string) error {
	if b.told.Load() || b.told.Swap(true) {
		return nil
	}
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", call, ptr), Name: "InvalidValue", Code: driver.InvalidValue, Detail: what}
}
