package alloccache

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Memory is memory that the caller has the driver free.
type Memory struct {
	Kind   Kind
	Device int
	Ptr    driver.Ptr
}

// Free takes a block back. After Given and Passed the caller has the driver free the memory.
func (c *Cache) Free(d Driver, ptr uintptr) (Memory, Outcome, error) {
	b, o, err := c.Hold(ptr, "mgpuMemFree")
	if b == nil {
		return Memory{Ptr: driver.Ptr(ptr)}, o, err
	}
	m, o := c.Settle(d, b)
	return m, o, nil
}

// Hold is the first half of a Free, on behalf of the mgpu function call: it makes a live block held. It returns nil if
// the cache does not know ptr, or if the block is not live. The latter is an error the first time since the block was
// allocated.
func (c *Cache) Hold(ptr uintptr, call string) (*Block, Outcome, error) {
	b := c.table.Find(ptr)
	if b == nil {
		around := c.Containing(ptr)
		if around == nil {
			return nil, Passed, nil
		}
		return nil, Stale, around.misuse(freedInside, call, ptr, fmt.Sprintf("%#x lies inside the block of %s at %#x", ptr, count.Of(around.asked.Load(), "byte"), around.ptr))
	}
	if !b.move(Live, Held) {
		return nil, Stale, b.misuse(freedTwice, call, ptr, fmt.Sprintf("the block at %#x was freed before", ptr))
	}
	return b, Cached, nil
}

// Mark takes the marks of a block that Hold returned, and reports whether there are any. Settle takes the marks again.
func (c *Cache) Mark(b *Block) bool {
	b.marks = c.cfg.Pending(b.marks[:0])
	return len(b.marks) != 0
}

// GiveUp removes a block that Hold returned from the cache. The caller has the driver free its memory.
func (c *Cache) GiveUp(b *Block) (Memory, Outcome) { return c.dropBlock(b), Given }

// Settle is the second half of a Free: it caches a block that Hold returned.
func (c *Cache) Settle(d Driver, b *Block) (Memory, Outcome) {
	b.stamp.Store(c.cfg.Now())
	b.marks = c.cfg.Pending(b.marks[:0])
	return c.cacheBlock(d, b)
}

// SettleAfter is Settle for a block that is used only by the work up to marks.
func (c *Cache) SettleAfter(d Driver, b *Block, marks ...Mark) (Memory, Outcome) {
	b.stamp.Store(c.cfg.Now())
	b.marks = append(b.marks[:0], marks...)
	return c.cacheBlock(d, b)
}

// cacheBlock puts a held block on the list of its scope or class.
func (c *Cache) cacheBlock(d Driver, b *Block) (Memory, Outcome) {
	if b.ready() {
		b.marks = b.marks[:0]
	}
	o := Cached
	if len(b.marks) != 0 {
		o = Deferred
	}
	s := &c.bins[b.kind][b.dev]
	if scope := b.scope.Load(); scope != nil && scope.insert(b) {
		return Memory{}, o
	}
	if !c.fits(d, s, b) {
		return c.dropBlock(b), Given
	}
	if o == Deferred {
		s.counts.deferred.Add(1)
	}
	s.insert(b)
	return Memory{}, o
}

// dropBlock removes a held block from the cache and returns its memory. The caller has the driver free it.
func (c *Cache) dropBlock(b *Block) Memory {
	m := Memory{b.kind, int(b.dev), driver.Ptr(b.ptr)}
	if scope := b.scope.Load(); scope != nil {
		scope.dropBlock(b)
	}
	s := &c.bins[b.kind][b.dev]
	s.counts.released.Add(1)
	s.reserved.Add(-b.bytes)
	c.cfg.FreeLists.Withdraw(b)
	c.table.Delete(b.ptr, b)
	b.leave(Gone)
	c.unregister(b)
	return m
}

// releaseBlock releases a held block to the driver.
func (c *Cache) releaseBlock(d Driver, b *Block) {
	c.releaseMemory(d, c.dropBlock(b))
}

// releaseMemory has the driver free memory, and reports a failure to Config.Failed.
func (c *Cache) releaseMemory(d Driver, m Memory) {
	if err := d.Release(m.Kind, m.Device, m.Ptr); err != nil {
		c.cfg.Failed(err)
	}
}

// misuse returns an error the first time that a kind of misuse happens since the block was allocated, then nil.
func (b *Block) misuse(kind uint32, call string, ptr uintptr, what string) error {
	if b.reported.Load()&kind != 0 || b.reported.Or(kind)&kind != 0 {
		return nil
	}
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", call, ptr), Code: driver.InvalidValue, Detail: what}
}
