package modulecache

import "github.com/mgpu-runtime/mgpu/internal/codeobj"

// alive asks the driver whether a module is still loaded. The program holds a reference to the module, but may have
// unloaded it through the driver's own library.
func (c *Cache) alive(l *loaded) bool {
	if c.cfg.Has == nil {
		return true
	}
	name := l.functions.any()
	if name == "" {
		name = codeobj.AnyKernel(l.of.id.kind, l.of.image)
	}
	return c.cfg.Has(l.module, name, int(l.of.id.device))
}

// loseUnloaded loses the modules of a content that the program holds and the driver no longer has.
func (c *Cache) loseUnloaded(d Driver, t *content) {
	for _, l := range t.modules.all() {
		if l.refs.Load() > 0 && !c.alive(l) {
			c.lose(d, l)
		}
	}
}

// givenBackBefore reports whether the driver no longer has a module that the program gives back, and loses it then. It
// asks at the module's first unload only: a program that unloads modules by both libraries does so from the first on.
func (c *Cache) givenBackBefore(d Driver, l *loaded) bool {
	if l.of.reason != "" || l.asked.Load() || l.refs.Load() <= 0 || l.asked.Swap(true) || c.alive(l) {
		return false
	}
	c.lose(d, l)
	return true
}

// lose makes a module gone that the driver no longer has loaded. The handles that the program got are invalid, and the
// cache does not give the module out again.
func (c *Cache) lose(d Driver, l *loaded) {
	if l.refs.Swap(goneRefs) < 0 {
		return
	}
	l.functions.close()
	if c.cfg.Lost(l.module) {
		l.of.pins.Add(1) // never dropped: a thread in C may be reading the image, and nothing tells when it has finished
	}
	c.mu.Lock()
	c.removeModule(l)
	c.mu.Unlock()
	c.retired.Retire(&c.modules, uintptr(l.module), l)
	_ = c.unloadCopies(d, l) // an error would concern other modules
}

// Lose forgets the shared modules of a device that was reset. The driver may or may not have unloaded them, so their
// images stay. The program's handles mean whatever the driver makes of them; the next load makes a new module.
func (c *Cache) Lose(device int) {
	for _, t := range c.loadedOn(device) {
		for _, l := range t.modules.all() {
			for c.cfg.Take(l.module) {
				l.release()
			}
			c.cfg.Lost(l.module)
			if l.retire() {
				c.modules.Delete(uintptr(l.module), l)
			}
		}
		t.passPin() // the driver may still use the image
	}
}

// loadedOn removes the contents that are loaded on a device from the index, and returns them with their images pinned.
func (c *Cache) loadedOn(device int) (all []*content) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, chain := range c.index {
		for t := chain; t != nil; t = t.next {
			select {
			case <-t.ready:
				if int(t.id.device) == device && len(t.modules.all()) > 0 {
					all = append(all, t)
				}
			default: // the content is being loaded
			}
		}
	}
	for _, t := range all {
		t.pinIndexed()
		c.drop(t)
	}
	return all
}
