package modulecache

import "sync"

// remember notes that t was seen at a site, and forgets the site at which t
// was seen the longest ago when there are too many.
func (c *Cache) remember(t *content, key uintptr, compared uint64) {
	if key == 0 {
		return
	}
	s := &site{key: key, of: t}
	s.compared.Store(compared)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.indexed(t) {
		if old := t.sites[t.nextSite]; old != nil {
			c.sites.Delete(old.key, old)
		}
		t.sites[t.nextSite] = s
		t.nextSite = (t.nextSite + 1) % len(t.sites)
		c.sites.Store(key, s)
	}
}

func (c *Cache) indexed(t *content) bool {
	for o := c.index[t.id]; o != nil; o = o.next {
		if o == t {
			return true
		}
	}
	return false
}

// drop takes a content out of the index, and its sites with it. Cache.mu is held.
func (c *Cache) drop(t *content) {
	if !c.indexed(t) {
		return
	}
	if first := c.index[t.id]; first != t {
		for first.next != t {
			first = first.next
		}
		first.next = t.next
	} else if t.next != nil {
		c.index[t.id] = t.next
	} else {
		delete(c.index, t.id)
	}
	for i, s := range t.sites {
		if s != nil {
			c.sites.Delete(s.key, s)
			t.sites[i] = nil
		}
	}
	if t.shared != nil {
		c.count.stable.Add(t.shared.stable.Load())
	}
	c.bytes.Add(-int64(len(t.image)))
	t.unpin()
}

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
			c.bury(l)
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

// graveyard remembers the modules that were really unloaded last, so that their
// use is reported, and lets the cache forget the older ones.
type graveyard struct {
	mu   sync.Mutex
	ring [256]*loaded
	next int
}

// bury is called before the driver unloads: afterwards another thread may be
// given the same handle for a new module.
func (c *Cache) bury(l *loaded) {
	g := &c.buried
	g.mu.Lock()
	old := g.ring[g.next]
	g.ring[g.next] = l
	g.next = (g.next + 1) % len(g.ring)
	g.mu.Unlock()
	if old != nil {
		c.modules.Delete(uintptr(old.module), old)
	}
}
