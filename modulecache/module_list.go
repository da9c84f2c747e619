package modulecache

import (
	"slices"
	"sync/atomic"
)

// moduleList is the modules of a content. Readers take no lock; Cache.mu is held for changes.
type moduleList struct {
	list atomic.Pointer[[]*loaded]
}

func (ml *moduleList) all() []*loaded {
	if list := ml.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (ml *moduleList) set(list []*loaded) { ml.list.Store(&list) }

// addModule has a content give out one module more.
func (c *Cache) addModule(l *loaded) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := l.of
	was := t.weight()
	t.modules.set(append(slices.Clone(t.modules.all()), l))
	c.weigh(t, t.weight()-was)
}

// removeModule takes a module that is gone out of its content. Cache.mu is held.
func (c *Cache) removeModule(l *loaded) {
	c.mu.AssertHeld()
	t := l.of
	was := t.weight()
	list := slices.DeleteFunc(slices.Clone(t.modules.all()), func(other *loaded) bool { return other == l })
	if len(list) == len(t.modules.all()) {
		return
	}
	t.modules.set(list)
	c.weigh(t, t.weight()-was)
	c.count.verified.Add(l.verified.Load())
}

// weight is what a content counts against the limits: once for each module, or for its image.
func (t *content) weight() int64 { return max(1, int64(len(t.modules.all()))) }

// weigh adds n times a content to the totals, if it is in the index. Cache.mu is held.
func (c *Cache) weigh(t *content, n int64) {
	if n != 0 && c.indexed(t) {
		c.bytes.Add(n * int64(len(t.image)))
		c.contents.Add(n)
	}
}
