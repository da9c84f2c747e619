package softgpu

import (
	"sync"
	"sync/atomic"
)

// A handle has its kind in the upper half, so that it is not a valid address, and a number that is never reused in the
// lower half. So a stale or invalid handle is not found, and is not mistaken for another object.
const (
	streamHandles   uintptr = 0x51d0 << 48
	eventHandles    uintptr = 0x51d1 << 48
	moduleHandles   uintptr = 0x51d2 << 48
	functionHandles uintptr = 0x51d3 << 48
	graphHandles    uintptr = 0x51d4 << 48
	execHandles     uintptr = 0x51d5 << 48
	nodeHandles     uintptr = 0x51d6 << 48
)

// table finds objects by handle.
type table[T any] struct {
	kind uintptr
	last atomic.Uint64

	mu sync.RWMutex
	at map[uintptr]*T
}

func newTable[T any](kind uintptr) *table[T] {
	return &table[T]{kind: kind, at: map[uintptr]*T{}}
}

// add returns a handle for v.
func (t *table[T]) add(v *T) uintptr {
	h := t.kind | uintptr(t.last.Add(1))<<4
	t.mu.Lock()
	t.at[h] = v
	t.mu.Unlock()
	return h
}

// get returns the object with handle h; nil if there is none.
func (t *table[T]) get(h uintptr) *T {
	t.mu.RLock()
	v := t.at[h]
	t.mu.RUnlock()
	return v
}

// remove removes h and returns its object; nil if there was none.
func (t *table[T]) remove(h uintptr) *T {
	t.mu.Lock()
	v := t.at[h]
	delete(t.at, h)
	t.mu.Unlock()
	return v
}
