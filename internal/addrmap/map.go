package addrmap

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

const (
	smallest = 64
	// spread is 2^64 divided by the golden ratio: it moves the low bits of addresses to the high bits, which select the
	// slot.
	spread = 0x9E3779B97F4A7C15
)

// Map maps non-zero keys to values. Its zero value is empty and ready.
type Map[V any] struct {
	slots atomic.Pointer[slots[V]]

	mu   locks.Mutex[locks.Addresses] // serializes changes
	used int                          // slots that are not nil, including tombstones
	live int
}

type slots[V any] struct {
	at    []atomic.Pointer[node[V]]
	shift uint8
}

type node[V any] struct {
	key   uintptr // zero in a tombstone: a slot whose key was deleted
	value *V
}

// Find returns the value stored under key, nil if there is none.
func (m *Map[V]) Find(key uintptr) *V {
	s := m.slots.Load()
	if s == nil || key == 0 {
		return nil
	}
	mask := uint64(len(s.at) - 1)
	for i := uint64(key) * spread >> (s.shift & 63); ; i++ {
		n := s.at[i&mask].Load()
		if n == nil {
			return nil
		}
		if n.key == key {
			return n.value
		}
	}
}

// Store puts value under key and returns the value that it replaces. A zero key stores
// nothing.
func (m *Map[V]) Store(key uintptr, value *V) (old *V) {
	if key == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.growIfFull()
	at, found := s.place(key)
	if found {
		old = at.Load().value
	} else {
		m.used++
		m.live++
	}
	at.Store(&node[V]{key: key, value: value})
	return old
}

// Delete removes key if it maps to value, and reports whether it did.
func (m *Map[V]) Delete(key uintptr, value *V) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.slots.Load()
	if s == nil || key == 0 {
		return false
	}
	at, found := s.place(key)
	if !found || at.Load().value != value {
		return false
	}
	at.Store(&node[V]{})
	m.live--
	return true
}

// Len returns the number of keys.
func (m *Map[V]) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.live
}

// growIfFull returns slots with space for one more key. When three quarters are used, it moves all keys to new slots
// and drops the tombstones.
func (m *Map[V]) growIfFull() *slots[V] {
	s := m.slots.Load()
	if s != nil && (m.used+1)*4 <= len(s.at)*3 {
		return s
	}
	size, shift := smallest, uint8(64-6)
	for (m.live+1)*2 > size {
		size, shift = size*2, shift-1
	}
	fresh := &slots[V]{at: make([]atomic.Pointer[node[V]], size), shift: shift}
	if s != nil {
		for i := range s.at {
			if n := s.at[i].Load(); n != nil && n.key != 0 {
				at, _ := fresh.place(n.key)
				at.Store(n)
			}
		}
	}
	m.used = m.live
	m.slots.Store(fresh)
	return fresh
}

// place returns the slot that holds key, or the slot in which it would be stored.
func (s *slots[V]) place(key uintptr) (at *atomic.Pointer[node[V]], found bool) {
	mask := uint64(len(s.at) - 1)
	for i := uint64(key) * spread >> s.shift; ; i++ {
		at = &s.at[i&mask]
		n := at.Load()
		if n == nil {
			return at, false
		}
		if n.key == key {
			return at, true
		}
	}
}
