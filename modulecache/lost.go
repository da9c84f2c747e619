package modulecache

import (
	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// alive asks the driver whether it still has a module, of which the program holds a reference
// that it may have given back by the driver's own function.
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

// lose makes a shared module gone that the driver does not have any more: handles that the
// program got are void, and the next load of the content makes a new module.
func (c *Cache) lose(d Driver, l *loaded) {
	if l.lost.Swap(true) {
		return
	}
	l.refs.Store(goneRefs)
	l.functions.close()
	if c.cfg.Lost(l.module) {
		l.of.pins.Add(1) // for good: a thread in C reads the image for a moment, and nobody says when it is done
	}
	c.retired.Retire(&c.modules, uintptr(l.module), l)
	_ = c.unloadCopies(d, l) // an error would be of other modules
}

// shareAgain loads the module of a content again if gone is lost, unless another thread has
// done so. Returns: see share.
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

// Lose forgets the shared modules of a device that was reset: the driver may have unloaded them,
// or may not, so their images stay. A module that the program holds is as the driver has it;
// the next load makes a new one. release takes a reference from a thread that keeps one.
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

// loadedOn takes the contents that are loaded on a device out of the index, and returns them with
// their images pinned.
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
			default: // being loaded now
			}
		}
	}
	for _, t := range all {
		t.pinIndexed()
		c.drop(t)
	}
	return all
}
