package softgpu

import (
	"sync"
	"syscall"
)

// ThreadLocal is one number for each thread of the system, zero until that
// thread stores another.
type ThreadLocal interface {
	Load() int
	Store(int)
}

// byThreadID is a ThreadLocal in plain Go. It does not notice when a thread ends: a later thread with the same ID gets
// its number.
type byThreadID struct {
	mu sync.RWMutex
	of map[int]int
}

func (b *byThreadID) Load() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.of[syscall.Gettid()]
}

func (b *byThreadID) Store(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n == 0 {
		delete(b.of, syscall.Gettid())
		return
	}
	if b.of == nil {
		b.of = map[int]int{}
	}
	b.of[syscall.Gettid()] = n
}
