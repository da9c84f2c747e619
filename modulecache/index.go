package modulecache

// claim returns the content with the bytes of a copy, pinned. If there is none, claim makes one, which owns the copy, and
// the caller has to make its first load.
func (c *Cache) claim(id identity, of imageCopy) (t *content, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for t := c.index[id]; t != nil; t = t.next {
		if string(t.image) == string(of.image) {
			t.pinIndexed()
			return t, false
		}
	}
	t = &content{id: id, imageCopy: of, next: c.index[id], ready: make(chan struct{})}
	t.pins.Store(1) // the index's pin
	t.pinIndexed()
	c.index[id] = t
	c.weigh(t, t.weight())
	return t, true
}

// remember notes that t was seen at a site. If there are too many sites, it forgets the oldest.
func (c *Cache) remember(t *content, key uintptr) {
	if key == 0 {
		return
	}
	s := &site{key: key, of: t}
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

// drop removes a content and its sites from the index. The caller has locked Cache.mu.
func (c *Cache) drop(t *content) {
	c.mu.AssertHeld()
	if !c.indexed(t) {
		return
	}
	c.weigh(t, -t.weight())
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
	for _, l := range t.modules.all() {
		c.count.verified.Add(l.verified.Load())
	}
	t.dropPin()
}

// enter adds a module by its handle. If the handle already has a module, the program has unloaded that module through
// the driver's own library.
func (c *Cache) enter(d Driver, l *loaded) {
	if old := c.modules.Find(uintptr(l.module)); old != nil && old.of.reason == "" {
		c.lose(d, old)
	}
	old := c.modules.Store(uintptr(l.module), l)
	if old == nil {
		return
	}
	refs := old.refs.Swap(goneRefs)
	if refs < 0 {
		return
	}
	old.functions.close()
	c.mu.Lock()
	defer c.mu.Unlock()
	for range refs {
		old.of.instances--
		old.of.dropPin()
	}
}
