package addrmap

import "github.com/mgpu-runtime/mgpu/internal/locks"

// Retired bounds the number of values of destroyed objects in a Map. The latest 1024 stay, so that uses of a destroyed
// object can be recognized; older ones are deleted. The zero value is empty and ready.
type Retired[V any] struct {
	mu   locks.Mutex[locks.Retired]
	ring [1024]retiredKey[V]
	next int
}

type retiredKey[V any] struct {
	key   uintptr
	value *V
}

// Retire notes that the object of value, which m has under key, is about to be destroyed. Call it before the
// destruction: afterwards another thread may get the same key for a new object. It returns the older value that it
// deleted from m; nil if none.
func (g *Retired[V]) Retire(m *Map[V], key uintptr, value *V) (deleted *V) {
	g.mu.Lock()
	old := g.ring[g.next]
	g.ring[g.next] = retiredKey[V]{key, value}
	g.next = (g.next + 1) % len(g.ring)
	g.mu.Unlock()
	if old.key != 0 {
		m.Delete(old.key, old.value)
	}
	return old.value
}
