package modulecache

// evict unloads unused modules, the least recently used first, until the images
// of the unused ones take at most limit bytes. It returns how many contents
// went and the first error.
func (c *Cache) evict(d Driver, limit int64) (n int, err error) {
	for {
		t := c.evictOne(limit)
		if t == nil {
			return n, err
		}
		n++
		c.count.evictions.Add(1)
		if t.shared == nil {
			t.unpin()
			continue
		}
		failed := d.ModuleUnload(t.shared.module)
		if failed == nil {
			t.unpin()
		} else if err == nil { // the driver may still use the image: it stays
			err = failed
		}
	}
}

// evictOne takes the least recently used of the unused contents out of the
// cache, if they exceed the limit together, and returns it pinned.
func (c *Cache) evictOne(limit int64) *content {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		var unused int64
		var oldest *content
		for _, chain := range c.index {
			for t := chain; t != nil; t = t.next {
				if !t.unused() {
					continue
				}
				unused += int64(len(t.image))
				if oldest == nil || t.used.Load() < oldest.used.Load() {
					oldest = t
				}
			}
		}
		if oldest == nil || unused <= max(limit, 0) && limit >= 0 {
			return nil
		}
		if l := oldest.shared; l != nil {
			if !l.retire() {
				continue // referenced since it was looked at
			}
			c.retired.Retire(&c.modules, uintptr(l.module), l)
		}
		oldest.pins.Add(1)
		c.drop(oldest)
		return oldest
	}
}

// unused reports whether nobody references a content's modules. Cache.mu is held.
func (t *content) unused() bool {
	select {
	case <-t.ready:
	default:
		return false
	}
	if t.shared == nil {
		return t.instances == 0
	}
	return t.shared.refs.Load() == 0
}
