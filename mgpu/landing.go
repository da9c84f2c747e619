package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// landing is a copy from the device that is still to be written to where the
// program wants it.
type landing struct {
	dst   uintptr
	from  *alloccache.Block
	bytes uint64
	after alloccache.Mark
	event driver.Event // recorded behind it, where another stream may be waited for instead; zero: none
}

// awaits reports whether there are copies that have not arrived.
func (f *frame) awaits() bool { return f.k.memory != nil && f.k.memory.copies.outstanding.Load() != 0 }

// deliver writes all that has arrived to where the program wants it: a stream or an
// event was waited for. The lock is held while that is asked for, so that another
// thread that waits for the same finds all of it there.
func (f *frame) deliver() {
	if !f.awaits() {
		return
	}
	f.forget(func(l *landing) bool {
		done := l.after.Of.Covers(l.after.Count)
		if !done && l.event != 0 {
			was, err := f.EventDone(l.event)
			done = was && err == nil
		}
		if done {
			f.write(l)
		}
		return done
	})
}

// deliverAt writes what is still to arrive where a copy is about to read or write. What
// can't be waited for never arrives.
func (f *frame) deliverAt(dst, src uintptr, bytes uint64) {
	f.forget(func(l *landing) bool {
		if !l.overlaps(dst, bytes) && !l.overlaps(src, bytes) {
			return false
		}
		if l.after.Of.Covers(l.after.Count) || !f.failed(f.memory().Await(l.after)) {
			f.write(l)
		}
		return true
	})
}

func (l *landing) overlaps(at uintptr, bytes uint64) bool {
	return l.dst < at+uintptr(bytes) && at < l.dst+uintptr(l.bytes)
}

func (f *frame) write(l *landing) {
	copyHost(l.dst, l.from.Ptr(), l.bytes)
	f.k.memory.copies.delivered.Add(1)
}

// forget takes those off the queue for which over reports that nothing more happens.
func (f *frame) forget(over func(*landing) bool) {
	c := &f.k.memory.copies
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.queue[:0]
	for i := range c.queue {
		l := &c.queue[i]
		if !over(l) {
			kept = append(kept, *l)
			continue
		}
		if l.event != 0 {
			f.failed(f.dropCheckpoint(checkpoint{event: l.event}, nil))
		}
		f.unpin(l.from, l.after)
	}
	clear(c.queue[len(kept):])
	c.queue = kept
	c.outstanding.Store(uint64(len(kept)))
}

// drop forgets the copies on a stream whose wait has failed: they never arrive.
func (f *frame) drop(e *streampool.Entry) {
	if e != nil && f.awaits() {
		f.forget(func(l *landing) bool { return l.after.Of == alloccache.Work(e) })
	}
}

// tag records an event behind the copies of a stream, of all streams if it is nil,
// that have none: from here on the program may wait for them by waiting for
// something else.
func (f *frame) tag(e *streampool.Entry) {
	if !f.awaits() {
		return
	}
	c := &f.k.memory.copies
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.queue {
		l := &c.queue[i]
		of := l.after.Of.(*streampool.Entry)
		if l.event != 0 || e != nil && of != e {
			continue
		}
		event, err := f.recordBehind(of)
		if err != nil {
			f.failed(err)
			continue
		}
		l.event = event
	}
}

// recordBehind records an event behind all that was submitted to a stream.
func (f *frame) recordBehind(e *streampool.Entry) (driver.Event, error) {
	before, err := f.switchTo(e.Device())
	if err != nil {
		return 0, err
	}
	defer f.switchBack(before, e.Device())
	event, _, err := f.k.pool.GetEvent(f.meter, e.Device())
	if err != nil {
		return 0, err
	}
	err = f.EventRecord(event, driver.Stream(e.Handle()))
	f.k.pool.Find(uintptr(event)).Submitted()
	if err != nil {
		return 0, f.dropCheckpoint(checkpoint{event: event}, err)
	}
	return event, nil
}

// Delivered is told by C that it has waited for a stream while copies were
// outstanding.
func (r *Runtime) Delivered() {
	k := r.core.Load()
	f := frame{meter: &k.views[streamSynchronize], k: k, r: r, c: r.stats.cell(streamSynchronize)}
	f.deliver()
}
