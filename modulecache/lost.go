package modulecache

import (
	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

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
	return c.cfg.Has(l.module, name)
}

// lose makes a shared module gone that the driver no longer has loaded. The handles that the program got are invalid,
// and the next load of the content makes a new module.
func (c *Cache) lose(d Driver, l *loaded) {
	if l.lost.Swap(true) {
		return
	}
	l.refs.Store(goneRefs)
	l.functions.close()
	if c.cfg.Lost(l.module) {
		l.of.pins.Add(1) // never dropped: a thread in C may be reading the image, and nothing tells when it has finished
	}
	c.retired.Retire(&c.modules, uintptr(l.module), l)
	_ = c.unloadCopies(d, l) // an error would concern other modules
}

// shareAgain loads the module of a content again if gone is lost, unless another thread has done so. It returns what
// share returns.
func (c *Cache) shareAgain(q *request, t *content, gone *loaded) (l *loaded, hit bool, err error) {
	if !gone.lost.Load() {
		return nil, false, nil
	}
	t.again.Lock()
	defer t.again.Unlock()
	if l = t.shared.Load(); l != gone {
		if l.acquire() == 0 {
			return nil, false, nil
		}
		return l, true, nil
	}
	c.mu.Lock()
	leaving := !c.indexed(t)
	c.mu.Unlock()
	if leaving {
		return nil, false, nil
	}
	m, err := q.run(t.image)
	if err != nil {
		return nil, false, err
	}
	c.count.verified.Add(gone.verified.Load())
	return c.publish(q.d, t, m), false, nil
}

// Lose forgets the shared modules of a device that was reset. The driver may or may not have unloaded them, so their
// images stay. The program's handles mean whatever the driver makes of them; the next load makes a new module. release
// drops a reference that a thread keeps.
func (c *Cache) Lose(device int, release func(driver.Module) bool) {
	for _, t := range c.loadedOn(device) {
		l := t.shared.Load()
		for release(l.module) {
			l.release()
		}
		c.cfg.Lost(l.module)
		t.passPin() // the driver may still use the image
		if l.retire() {
			c.modules.Delete(uintptr(l.module), l)
		}
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
				if int(t.id.device) == device && t.shared.Load() != nil {
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
