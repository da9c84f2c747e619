package addrmap

import "sync"

// Graveyard remembers for a Map which of its values stand for what is gone, so that
// using it can be told for what it is, and lets the Map forget the older ones. Its
// zero value is empty and ready.
type Graveyard[V any] struct {
	mu   sync.Mutex
	ring [1024]grave[V]
	next int
}

type grave[V any] struct {
	key   uintptr
	value *V
}

// Bury notes that what value stands for, under key, goes. Call it before it does:
// afterwards another thread may be given the same key for something new. It reports
// whether it has let go of another one, which m does not hold any more.
func (g *Graveyard[V]) Bury(m *Map[V], key uintptr, value *V) (forgot bool) {
	g.mu.Lock()
	old := g.ring[g.next]
	g.ring[g.next] = grave[V]{key, value}
	g.next = (g.next + 1) % len(g.ring)
	g.mu.Unlock()
	if old.key == 0 {
		return false
	}
	m.Delete(old.key, old.value)
	return true
}
