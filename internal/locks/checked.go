//go:build invariants

package locks

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/invariants"
)

// Wait is called while another goroutine holds a mutex, until the mutex is free. If it is nil, as it is unless a test
// chooses which goroutine goes on, sync waits.
var Wait func()

func wait(mu interface {
	TryLock() bool
	Lock()
}) {
	for Wait != nil {
		if mu.TryLock() {
			return
		}
		Wait()
	}
	mu.Lock()
}

// Mutex is a mutex of a class.
type Mutex[Class any] struct{ mu sync.Mutex }

// Lock locks the mutex.
func (m *Mutex[Class]) Lock() {
	c := rank[Class]()
	expect(c)
	wait(&m.mu)
	note(c, true)
}

// TryLock locks the mutex if no thread holds it. It does not wait, so it may be called against the order.
func (m *Mutex[Class]) TryLock() bool {
	if !m.mu.TryLock() {
		return false
	}
	note(rank[Class](), true)
	return true
}

// Unlock unlocks the mutex.
func (m *Mutex[Class]) Unlock() {
	note(rank[Class](), false)
	m.mu.Unlock()
}

// AssertHeld ends a test if the caller does not hold the mutex.
func (m *Mutex[Class]) AssertHeld() {
	if c := rank[Class](); heldBy(invariants.Goroutine())>>c&1 == 0 {
		panic(fmt.Sprintf("locks: %T is not held", order[c].is))
	}
}

// RWMutex is a sync.RWMutex of a class.
type RWMutex[Class any] struct{ mu sync.RWMutex }

// Lock locks the mutex for writing.
func (m *RWMutex[Class]) Lock() {
	c := rank[Class]()
	expect(c)
	wait(&m.mu)
	note(c, true)
}

// Unlock ends a Lock.
func (m *RWMutex[Class]) Unlock() {
	note(rank[Class](), false)
	m.mu.Unlock()
}

// RLock locks the mutex for reading.
func (m *RWMutex[Class]) RLock() {
	c := rank[Class]()
	expect(c)
	m.mu.RLock()
	note(c, true)
}

// RUnlock ends an RLock.
func (m *RWMutex[Class]) RUnlock() {
	note(rank[Class](), false)
	m.mu.RUnlock()
}

// rank returns the place of a class in the order.
func rank[Class any]() int {
	var c any = *new(Class)
	for i := range order {
		if order[i].is == c {
			return i
		}
	}
	panic(fmt.Sprintf("locks: %T has no place in the order", c))
}

// holder has the classes that a goroutine has locked.
type holder struct {
	goroutine atomic.Uintptr // zero: unused
	classes   atomic.Uint64  // a bit for each class
}

var holders [1 << 12]holder

// holderOf returns the holder of a goroutine; nil if the goroutine has locked nothing.
func holderOf(goroutine uintptr) *holder {
	for i := range uintptr(len(holders)) {
		h := &holders[(goroutine>>6+i)%uintptr(len(holders))]
		if h.goroutine.Load() == goroutine {
			return h
		}
		if i == window {
			break
		}
	}
	return nil
}

// window is how far from its hash place a goroutine's holder may be.
const window = 64

// heldBy returns the classes that a goroutine has locked.
func heldBy(goroutine uintptr) uint64 {
	invariants.Quiet()
	defer invariants.Loud()
	if h := holderOf(goroutine); h != nil {
		return h.classes.Load()
	}
	return 0
}

// expect ends the test if the order forbids the goroutine to lock a class now.
func expect(c int) {
	if later := heldBy(invariants.Goroutine()) >> c; later != 0 {
		panic(fmt.Sprintf("locks: %T is locked by a thread that holds %T", order[c].is, order[c+bits.TrailingZeros64(later)].is))
	}
}

// note notes that the goroutine has locked a class, or is about to unlock it.
func note(c int, locked bool) {
	invariants.Quiet()
	defer invariants.Loud()
	me := invariants.Goroutine()
	h := holderOf(me)
	for i := uintptr(0); h == nil; i++ {
		if i > window {
			panic("locks: too many threads")
		}
		if free := &holders[(me>>6+i)%uintptr(len(holders))]; free.goroutine.CompareAndSwap(0, me) {
			h = free
		}
	}
	now := h.classes.Load() &^ (1 << c)
	if locked {
		now |= 1 << c
	}
	h.classes.Store(now)
	if now == 0 {
		h.goroutine.Store(0)
	}
}

// CallsDriver ends a test if the caller holds a lock that is not held across driver calls.
func CallsDriver() {
	for held := heldBy(invariants.Goroutine()); held != 0; held &= held - 1 {
		if c := order[bits.TrailingZeros64(held)]; c.calls == alone {
			panic(fmt.Sprintf("locks: a driver call is made by a thread that holds %T", c.is))
		}
	}
}
