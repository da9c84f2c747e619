package modulecache

import (
	"cmp"
	"slices"
)

// full reports whether evict may find something to unload, given that the images of unused contents may take limit
// bytes.
func (c *Cache) full(limit int64) bool {
	return (c.bytes.Load() > limit || c.contents.Load() > c.evictAbove.Load()) && !c.quiet.Load()
}

// evict unloads unused modules, the least recently used first, until the images of unused contents take at most limit
// bytes and their number is below the limit. It returns the number of evicted contents and the first error.
func (c *Cache) evict(d Driver, limit int64) (n int, err error) {
	for _, t := range c.evictable(limit) {
		n++
		c.count.evictions.Add(1)
		l := t.shared.Load()
		if l == nil || l.lost.Load() {
			t.unpin()
			continue
		}
		failed := d.ModuleUnload(l.module)
		if failed == nil {
			t.unpin()
			continue
		}
		t.passPin() // the driver may still use the image
		if err == nil {
			err = failed
		}
	}
	return n, err
}

// evictable removes the unused contents that have to be evicted from the index and returns them pinned. If there are
// too many contents, it evicts a quarter, so that not every load has to search the index.
func (c *Cache) evictable(limit int64) (gone []*content) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var unused []*content
	bytes := int64(0)
	for _, chain := range c.index {
		for t := chain; t != nil; t = t.next {
			if t.unused() {
				unused, bytes = append(unused, t), bytes+int64(len(t.image))
			}
		}
	}
	keep := len(unused)
	if keep > c.cfg.Modules {
		keep = c.cfg.Modules * 3 / 4
	}
	slices.SortFunc(unused, func(a, b *content) int { return cmp.Compare(a.used.Load(), b.used.Load()) })
	left := len(unused)
	for _, t := range unused {
		if limit >= 0 && bytes <= limit && left <= keep {
			break
		}
		if !c.release(t) {
			continue // loaded again meanwhile
		}
		t.pinIndexed()
		c.drop(t)
		gone = append(gone, t)
		left, bytes = left-1, bytes-int64(len(t.image))
	}
	c.evictAbove.Store(max(int64(c.cfg.Modules), c.contents.Load()+int64(c.cfg.Modules)/4))
	return gone
}

// release makes the shared module of an unused content gone. It returns false if the content is in use again. The
// caller has locked Cache.mu.
func (c *Cache) release(t *content) bool {
	c.mu.AssertHeld()
	l := t.shared.Load()
	switch {
	case l == nil:
		return true
	case l.lost.Load():
		if !t.again.TryLock() {
			return false // it is being loaded again
		}
		defer t.again.Unlock()
		return t.shared.Load() == l
	case !l.retire():
		return false
	}
	c.retired.Retire(&c.modules, uintptr(l.module), l)
	return true
}

// unused reports whether a content's modules have no references. The caller has locked Cache.mu.
func (t *content) unused() bool {
	select {
	case <-t.ready:
	default:
		return false
	}
	l := t.shared.Load()
	if l == nil {
		return t.instances == 0
	}
	return l.refs.Load() == 0 || l.lost.Load()
}
