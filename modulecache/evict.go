package modulecache

import (
	"cmp"
	"slices"
)

// full reports whether evict may find something to unload, given that the images of unused contents may take limit
// bytes.
func (c *Cache) full(limit int64) bool {
	return c.bytes.Load() > limit || c.contents.Load() > c.evictAbove.Load()
}

// evict unloads unused modules, those of the least recently used contents first, until the images of unused modules
// take at most limit bytes and their number is below the limit. It returns the number of evicted modules and the first
// error.
func (c *Cache) evict(d Driver, limit int64) (n int, err error) {
	for _, e := range c.evictable(limit) {
		n++
		c.count.evictions.Add(1)
		if e.module == nil {
			e.of.unpin()
			continue
		}
		failed := d.ModuleUnload(e.module.module)
		if failed == nil {
			e.of.unpin()
			continue
		}
		e.of.passPin() // the driver may still use the image
		if err == nil {
			err = failed
		}
	}
	return n, err
}

// evicted is a module that leaves the cache; module is nil for the image of a content without modules.
type evicted struct {
	of     *content
	module *loaded
}

// evictable removes the unused modules that have to be evicted from the cache and returns them with their contents
// pinned. If there are too many, it evicts a quarter, so that not every load has to search the index.
func (c *Cache) evictable(limit int64) (gone []evicted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var unused []evicted
	bytes := int64(0)
	for _, chain := range c.index {
		for t := chain; t != nil; t = t.next {
			for _, e := range t.unused() {
				unused, bytes = append(unused, e), bytes+int64(len(t.image))
			}
		}
	}
	keep := len(unused)
	if keep > c.cfg.Modules {
		keep = c.cfg.Modules * 3 / 4
	}
	slices.SortStableFunc(unused, func(a, b evicted) int { return cmp.Compare(a.of.used.Load(), b.of.used.Load()) })
	left := len(unused)
	for _, e := range unused {
		if limit >= 0 && bytes <= limit && left <= keep {
			break
		}
		if e.module != nil && !e.module.retire() {
			continue // loaded again meanwhile
		}
		e.of.pinIndexed()
		if e.module != nil {
			c.retired.Retire(&c.modules, uintptr(e.module.module), e.module)
			c.removeModule(e.module)
		}
		if len(e.of.modules.all()) == 0 && e.of.instances == 0 {
			c.drop(e.of)
		}
		gone = append(gone, e)
		left, bytes = left-1, bytes-int64(len(e.of.image))
	}
	c.evictAbove.Store(max(int64(c.cfg.Modules), c.contents.Load()+int64(c.cfg.Modules)/4))
	return gone
}

// unused returns what can be evicted of a content. The caller has locked Cache.mu.
func (t *content) unused() (all []evicted) {
	select {
	case <-t.ready:
	default:
		return nil
	}
	if len(t.modules.all()) == 0 && t.instances == 0 {
		return []evicted{{of: t}}
	}
	for _, l := range t.modules.all() {
		if l.refs.Load() == 0 {
			all = append(all, evicted{of: t, module: l})
		}
	}
	return all
}
