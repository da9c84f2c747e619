package modulecache

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// Lose forgets the shared modules of a device that was reset: the driver may have unloaded them,
// or may not, so their images stay. A module that the program holds is as the driver has it;
// the next load makes a new one. release takes a reference from a thread that keeps one.
func (c *Cache) Lose(device int, release func(driver.Module) bool) {
	for _, t := range c.loadedOn(device) {
		l := t.shared
		for release(l.module) {
			l.release()
		}
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
				if int(t.id.device) == device && t.shared != nil {
					all = append(all, t)
				}
			default: // being loaded now
			}
		}
	}
	for _, t := range all {
		t.pins.Add(1)
		c.drop(t)
	}
	return all
}
