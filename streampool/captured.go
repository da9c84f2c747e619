package streampool

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// captured holds the events that were recorded on a stream while the program captured it. A stream that waits for such
// an event joins the capture in HIP, and a query of the event ends the capture in libcuda. So the pool neither reuses
// nor queries these events.
type captured struct {
	some atomic.Bool
	mu   locks.Mutex[locks.Captured]
	on   map[*Entry]uintptr // event to stream
}

// NoteCaptured notes that an event is about to be recorded on a captured stream. e may be nil.
func (p *Pool) NoteCaptured(e *Entry, s driver.Stream) {
	if e == nil {
		return
	}
	c := &p.captured
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.on == nil {
		c.on = map[*Entry]uintptr{}
	}
	c.on[e] = uintptr(s)
	c.some.Store(true)
}

// stream returns the captured stream on which an event was recorded; zero if there is none.
func (c *captured) stream(e *Entry) uintptr {
	if e.kind != Event || !c.some.Load() {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.on[e]
}

// forget removes an event that is gone.
func (c *captured) forget(e *Entry) {
	if !c.some.Load() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.on, e)
}

// capturing reports whether the capture of a stream of the pool is still active. It returns false for another library's
// stream, and for every stream if the driver is unchecked: the program may have destroyed it.
func (p *Pool) capturing(d Driver, stream uintptr) bool {
	e := p.table.Find(stream)
	if e == nil || e.kind != Stream || p.unchecked || e.Lost() || !e.Pin() {
		return false
	}
	defer e.Unpin()
	return d.StreamCondition(driver.Stream(stream)) == Captured
}
