package modulecache

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// request is one call of Load or LoadJIT.
type request struct {
	d      Driver
	jit    JITDriver
	device int
	addr   uintptr
	opt    int16

	prepared driver.PreparedModule // of the first load of a content, if the driver prepares images
}

// call returns the name of the mgpu function that loads.
func (q *request) call() string {
	if q.opt != notText {
		return "mgpuModuleLoadJIT"
	}
	return "mgpuModuleLoad"
}

func (q *request) run(image []byte) (driver.Module, error) {
	if q.opt != notText {
		return q.jit.ModuleLoadJIT(image, int(q.opt))
	}
	if q.prepared.Load != nil {
		return q.d.ModuleLoadPrepared(q.prepared)
	}
	return q.d.ModuleLoad(image)
}

func (c *Cache) load(q request) (driver.Module, Outcome, error) {
	if q.addr == 0 {
		return 0, Outcome{}, invalidImage(&q, "the image pointer is null")
	}
	key := siteKey(q.device, q.addr)
	var w *window
	if s := c.sites.Find(key); s != nil && s.of.id.opt == q.opt {
		m, o, err, ok := c.loadKnown(&q, s, &w)
		if ok {
			w.close()
			return m, o, err
		}
	}
	if w == nil {
		w = c.window(q.addr)
	}
	return c.loadNew(q, key, w)
}

// loadKnown serves a request from the content that was last seen at the address, if the content is still there. *w is
// what it had to read for that.
func (c *Cache) loadKnown(q *request, s *site, w **window) (m driver.Module, o Outcome, err error, ok bool) {
	t := s.of
	if !t.pin() {
		return 0, Outcome{}, nil, false
	}
	defer t.unpin()
	same, known := c.cfg.Holds(q.addr, t.image)
	if !known {
		*w = c.window(q.addr)
		same = (*w).equals(t.image)
	}
	if !same {
		return 0, Outcome{}, nil, false
	}
	if t.reason != "" {
		m, o, err = c.loadRefused(q, t)
		return m, o, err, true
	}
	l, hit, err := c.checkOut(q, t)
	switch {
	case l == nil:
		return 0, Outcome{}, err, err != nil
	case !hit:
		return l.module, Outcome{Result: Miss}, nil, true
	}
	l.verified.Add(1)
	return l.module, Outcome{Result: HitVerified, Image: t.image}, nil, true
}

// checkOut takes a module of a content without a holder, or loads one more: hit is false then. The caller holds a pin of
// the content. checkOut returns nil without an error if the content is leaving the cache.
func (c *Cache) checkOut(q *request, t *content) (l *loaded, hit bool, err error) {
	if l = c.unused(t); l != nil {
		c.touch(t)
		return l, true, nil
	}
	if !c.beginLoad(t) {
		return nil, false, nil
	}
	defer c.endLoad(t)
	c.loseUnloaded(q.d, t)
	m, err := q.run(t.image)
	if err != nil {
		return nil, false, err
	}
	return c.publish(q.d, t, m), false, nil
}

// unused checks out a module of a content, one that a thread only keeps if need be. Nil: the program
// holds all.
func (c *Cache) unused(t *content) *loaded {
	for _, l := range t.modules.all() {
		if l.checkOut() {
			return l
		}
	}
	for _, l := range t.modules.all() {
		// Checked afterwards, too: a handle that was lost may be another module's.
		if l.refs.Load() > 0 && c.cfg.Take(l.module) && l.refs.Load() > 0 {
			return l
		}
	}
	return nil
}

// beginLoad keeps a content in the cache until endLoad. It fails if the content has left.
func (c *Cache) beginLoad(t *content) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.indexed(t) {
		return false
	}
	t.instances++
	return true
}

func (c *Cache) endLoad(t *content) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.instances--
}

// loadNew serves a request at an address without a usable site. It closes w.
func (c *Cache) loadNew(q request, key uintptr, w *window) (driver.Module, Outcome, error) {
	kind, copied, err := w.copy()
	if w.close(); err != nil {
		return 0, Outcome{}, invalidImage(&q, err.Error())
	}
	id := identity{hash: c.sum(copied.image), length: uint64(len(copied.image)), device: int32(q.device), opt: q.opt, kind: kind}
	for {
		t, first := c.claim(id, copied)
		if first {
			return c.loadFirst(&q, t, key)
		}
		m, o, err, ok := c.loadAgain(&q, t, key)
		t.unpin()
		if ok {
			copied.free()
			return m, o, err
		}
	}
}

// loadFirst makes the first load of a content that the caller has claimed.
func (c *Cache) loadFirst(q *request, t *content, key uintptr) (driver.Module, Outcome, error) {
	defer t.unpin()
	over := false
	defer func() {
		if !over { // a panic passes through: release the waiting threads
			c.fail(t, invalidImage(q, "its first load was interrupted"))
		}
	}()
	if c.examine(q, t); t.reason != "" {
		over = true
		close(t.ready)
		c.remember(t, key)
		return c.loadRefused(q, t)
	}
	m, err := q.run(t.image)
	over = true
	if err != nil {
		c.fail(t, err)
		return 0, Outcome{}, err
	}
	c.publish(q.d, t, m)
	close(t.ready)
	c.remember(t, key)
	if c.full(c.cfg.Bytes) {
		// If a module can't be unloaded, it stays and is tried again later. This load does not fail.
		_, _ = c.evict(q.d, c.cfg.Bytes)
	}
	return m, Outcome{Result: Miss}, nil
}

// examine finds out whether a content is shared, and prepares its first load.
func (c *Cache) examine(q *request, t *content) {
	if c.cfg.Prepare == nil || q.opt != notText {
		traits := c.cfg.Traits(t.id.kind, t.image)
		t.reason, t.silent = traits.Unshareable, traits.Silent
		return
	}
	q.prepared = c.cfg.Prepare(t.image)
	t.reason, t.silent = q.prepared.Unshareable, q.prepared.Silent
}

// publish makes m a module of a content, with one reference for the load that made it.
func (c *Cache) publish(d Driver, t *content, m driver.Module) *loaded {
	l := &loaded{module: m, of: t}
	l.refs.Store(1)
	c.enter(d, l)
	c.addModule(l)
	c.touch(t)
	c.count.misses.Add(1)
	return l
}

// fail ends the first load of a content with an error and removes the content from the cache.
func (c *Cache) fail(t *content, err error) {
	t.failed = err
	c.mu.Lock()
	c.drop(t)
	c.mu.Unlock()
	close(t.ready)
}

// loadAgain serves a request from a content. The caller holds a pin of the content. ok is false if the content has left
// the cache meanwhile.
func (c *Cache) loadAgain(q *request, t *content, key uintptr) (m driver.Module, o Outcome, err error, ok bool) {
	<-t.ready
	switch {
	case t.failed != nil:
		return 0, Outcome{}, t.failed, true
	case t.reason != "":
		c.remember(t, key)
		m, o, err = c.loadRefused(q, t)
		return m, o, err, true
	}
	l, hit, err := c.checkOut(q, t)
	if l == nil {
		return 0, Outcome{}, err, err != nil
	}
	c.remember(t, key)
	if !hit {
		return l.module, Outcome{Result: Miss}, nil, true
	}
	c.count.contents.Add(1)
	return l.module, Outcome{Result: HitContent}, nil, true
}

// loadRefused makes one more module of a content that is not shared. The caller holds a pin of the content.
func (c *Cache) loadRefused(q *request, t *content) (driver.Module, Outcome, error) {
	if !t.pin() { // for the new module
		return 0, Outcome{}, invalidImage(q, "the image left the cache while it was loaded")
	}
	m, err := q.run(t.image)
	if err != nil {
		t.unpin()
		return 0, Outcome{}, err
	}
	c.mu.Lock()
	t.instances++
	c.mu.Unlock()
	// The driver may return one handle for several loads and count them. Or the program has unloaded the older module
	// through the driver's own library; then the functions are invalid too.
	if l := c.modules.Find(uintptr(m)); l != nil && l.of == t && l.acquire() {
		l.functions.forget()
	} else {
		l = &loaded{module: m, of: t}
		l.refs.Store(1)
		c.enter(q.d, l)
	}
	t.passPin()
	c.touch(t)
	c.count.refused(t.reason)
	return m, Outcome{Result: Refused, Reason: t.reason}, nil
}

// unloadRefused unloads a module of a content that is not shared, after a reference was dropped. last reports whether
// it was the last one.
func (c *Cache) unloadRefused(d Driver, l *loaded, last bool) error {
	if last && l.retire() {
		c.retired.Retire(&c.modules, uintptr(l.module), l)
	}
	err := d.ModuleUnload(l.module)
	c.mu.Lock()
	l.of.instances--
	c.mu.Unlock()
	if err == nil {
		l.of.dropPin()
	} // otherwise the driver may still use the image, which stays
	return err
}
