package streampool

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// queue holds draining entries, first in, first out.
type queue struct {
	length atomic.Int64
	limit  int

	mu   locks.Mutex[locks.Draining]
	ring []*Entry
	head int
}

func (q *queue) belowLimit() bool { return q.length.Load() < int64(q.limit) }

func (q *queue) pushBack(e *Entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := int(q.length.Load())
	if n == len(q.ring) {
		ring := make([]*Entry, max(2*n, 8))
		for i := range n {
			ring[i] = q.ring[(q.head+i)%n]
		}
		q.ring, q.head = ring, 0
	}
	q.ring[(q.head+n)%len(q.ring)] = e
	q.length.Store(int64(n + 1))
}

func (q *queue) popFront() *Entry {
	if q.length.Load() == 0 {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	n := int(q.length.Load())
	if n == 0 {
		return nil
	}
	e := q.ring[q.head]
	q.ring[q.head] = nil
	q.head = (q.head + 1) % len(q.ring)
	q.length.Store(int64(n - 1))
	return e
}
