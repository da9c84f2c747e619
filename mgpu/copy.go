package mgpu

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// CopyStats counts copies that did not go straight to the driver.
type CopyStats struct {
	Staged    uint64 // through page-locked memory, and arrived when the call returned
	Deferred  uint64 // through page-locked memory, to arrive later
	Delivered uint64 // of those, arrived
}

// copies go between device memory and pageable host memory by way of page-locked
// memory, which the driver copies from and to without waiting.
type copies struct {
	enabled  bool // the driver can do what is needed
	deferred bool // MGPU_COPY=deferred

	// Outstanding is how many copies have not arrived; C code reads it.
	outstanding atomic.Uint64
	mu          sync.Mutex
	queue       []landing
	records     []*staged
	trials      [stagedBits]trial

	staged, delayed, delivered atomic.Uint64
}

// landing is a copy from the device that is still to be written to where the
// program wants it.
type landing struct {
	dst   uintptr
	from  *alloccache.Block
	bytes uint64
	after alloccache.Mark
	event driver.Event // recorded behind it, where another stream may be waited for instead; zero: none
}

func (c *copies) stats() CopyStats {
	return CopyStats{Staged: c.staged.Load(), Deferred: c.delayed.Load(), Delivered: c.delivered.Load()}
}

// Copies of fewer bytes are the driver's, unless they are deferred; so are those
// of more, always.
const (
	leastStaged    = 4 << 10
	mostStaged     = 4 << 20
	mostDeferred   = 256 << 20
	stagedBits     = 11 // the doublings from leastStaged to mostStaged
	leastStagedLog = 12
)

// openCopies looks at what the driver can do.
func (r *Runtime) openCopies(k *core) {
	c := &k.memory.copies
	_, pins := k.drv.(driver.Pinner)
	_, tells := k.drv.(driver.Placer)
	c.deferred = r.cfg.Memory.Copy == "deferred"
	c.enabled = pins && tells && r.cfg.Memory.Copy != "direct" && (c.deferred || k.waiter != nil && r.cfg.StagedCopy != 0)
	if c.deferred && c.enabled && r.cfg.Deferring != nil {
		r.cfg.Deferring(c.outstandingAddress())
	}
}

// direction says which way a copy goes.
type direction uint8

const (
	elsewhere direction = iota // between devices, or with host memory that the driver knows
	toDevice
	fromDevice
)

// directionOf asks what lies at both ends.
func (f *frame) directionOf(dst, src uintptr) direction {
	to, from := f.placeOf(dst), f.placeOf(src)
	switch {
	case to == driver.DeviceOnly && from == driver.Pageable:
		return toDevice
	case to == driver.Pageable && from == driver.DeviceOnly:
		return fromDevice
	}
	return elsewhere
}

// landsFrom reports whether a copy comes from the device to pageable memory, and is one
// that may be staged: what is known without the driver is looked at first.
func (f *frame) landsFrom(dst, src uintptr, bytes uint64) bool {
	t := &f.k.memory.copies.trials[trialOf(bytes)]
	return !t.lost() && f.placeOf(src) == driver.DeviceOnly && f.placeOf(dst) == driver.Pageable && isThere(dst, bytes)
}

// isThere reports whether host memory is mapped, at its ends at least: what is not is
// the driver's to refuse.
func isThere(p uintptr, bytes uint64) bool {
	b := probes.Get().(*[1]byte)
	defer probes.Put(b)
	return hostmem.Read(b[:], p) == nil && hostmem.Read(b[:], p+uintptr(bytes)-1) == nil
}

var probes = sync.Pool{New: func() any { return new([1]byte) }}

// capturesOn reports whether the program captures a stream.
func (f *frame) capturesOn(stream uintptr) bool {
	d, ok := f.k.drv.(driver.Capturer)
	if !ok || stream == 0 {
		return false
	}
	cell, t0 := f.in()
	on, err := d.Capturing(driver.Stream(stream))
	cell.out(t0)
	return on || err != nil
}

func (f *frame) placeOf(p uintptr) driver.Place {
	if b := f.k.memory.cache.Find(p); b != nil && b.State() == alloccache.Live {
		if b.Kind() == alloccache.Device {
			return driver.DeviceOnly
		}
		return driver.Shared
	}
	cell, t0 := f.in()
	place, err := f.k.drv.(driver.Placer).PlaceOf(driver.Ptr(p))
	cell.out(t0)
	if err != nil {
		return driver.Shared // the driver knows best
	}
	return place
}

// stage begins a copy by way of page-locked memory; ok is false where the driver
// has to make it as it is.
func (f *frame) stage(dst, src uintptr, bytes uint64, stream uintptr, s *streampool.Entry) (w Wait, ok bool) {
	if f.k.memory == nil {
		return Wait{}, false
	}
	c := &f.k.memory.copies
	if c.outstanding.Load() != 0 {
		f.deliverAt(dst, src, bytes)
	}
	switch {
	case !c.enabled || s == nil || bytes > mostDeferred:
		return Wait{}, false
	case !c.deferred:
		if bytes < leastStaged || bytes > mostStaged || !f.landsFrom(dst, src, bytes) || f.capturesOn(stream) {
			return Wait{}, false
		}
		return f.stageNow(dst, src, bytes, stream, s)
	}
	way := f.directionOf(dst, src)
	host := dst
	if way == toDevice {
		host = src
	}
	if way == elsewhere || !isThere(host, bytes) || f.capturesOn(stream) {
		return Wait{}, false
	}
	b := f.pinned(bytes)
	if b == nil {
		return Wait{}, false
	}
	if way == toDevice {
		f.upload(dst, src, bytes, stream, s, b)
	} else {
		f.download(dst, src, bytes, stream, s, b)
	}
	f.leave()
	return Wait{}, true
}

// pinned gives page-locked memory, nil if there is none.
func (f *frame) pinned(bytes uint64) *alloccache.Block {
	b, _, err := f.k.memory.cache.Alloc(f.memory(), alloccache.Request{Kind: alloccache.Pinned, Bytes: bytes, Row: f.row})
	if err != nil {
		return nil
	}
	return b
}

// unpin gives page-locked memory back that work up to marks uses.
func (f *frame) unpin(b *alloccache.Block, after ...alloccache.Mark) {
	cache := f.k.memory.cache
	if b, _, _ = cache.Hold(b.Ptr(), callNames[f.row]); b == nil {
		return
	}
	if m, o := cache.SettleAfter(f.memory(), b, after...); o == alloccache.Given {
		f.failed(f.memory().Release(m.Kind, m.Device, m.Ptr))
	}
}

// upload copies to the device what is at src now.
func (f *frame) upload(dst, src uintptr, bytes uint64, stream uintptr, s *streampool.Entry, b *alloccache.Block) {
	copyHost(b.Ptr(), src, bytes)
	err := f.Memcpy(driver.Ptr(dst), driver.Ptr(b.Ptr()), bytes, driver.Stream(stream))
	s.Submitted()
	f.unpin(b, alloccache.Mark{Of: s, Count: s.Submissions()})
	f.failed(err)
}

// download copies from the device; what arrives is written to dst when the program
// waits for it.
func (f *frame) download(dst, src uintptr, bytes uint64, stream uintptr, s *streampool.Entry, b *alloccache.Block) {
	err := f.Memcpy(driver.Ptr(b.Ptr()), driver.Ptr(src), bytes, driver.Stream(stream))
	s.Submitted()
	after := alloccache.Mark{Of: s, Count: s.Submissions()}
	if f.failed(err) {
		f.unpin(b, after)
		return
	}
	c := &f.k.memory.copies
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, landing{dst: dst, from: b, bytes: bytes, after: after})
	c.outstanding.Store(uint64(len(c.queue)))
	c.delayed.Add(1)
}

// deliver writes all that has arrived to where the program wants it: a stream or an
// event was waited for. The lock is held while that is asked for, so that another
// thread that waits for the same finds all of it there.
func (f *frame) deliver() {
	if f.k.memory == nil || f.k.memory.copies.outstanding.Load() == 0 {
		return
	}
	f.land(func(l *landing) bool {
		if l.after.Of.Covers(l.after.Count) {
			return true
		}
		if l.event == 0 {
			return false
		}
		done, err := f.EventDone(l.event)
		return done && err == nil
	})
}

// deliverAt writes what is still to arrive where a copy is about to read or write.
func (f *frame) deliverAt(dst, src uintptr, bytes uint64) {
	f.land(func(l *landing) bool {
		if !l.overlaps(dst, bytes) && !l.overlaps(src, bytes) {
			return false
		}
		if !l.after.Of.Covers(l.after.Count) {
			f.failed(f.memory().Await(l.after))
		}
		return true
	})
}

func (l *landing) overlaps(at uintptr, bytes uint64) bool {
	return l.dst < at+uintptr(bytes) && at < l.dst+uintptr(l.bytes)
}

// land delivers those for which ready reports that they have arrived.
func (f *frame) land(ready func(*landing) bool) {
	c := &f.k.memory.copies
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.queue[:0]
	for i := range c.queue {
		l := &c.queue[i]
		if !ready(l) {
			kept = append(kept, *l)
			continue
		}
		copyHost(l.dst, l.from.Ptr(), l.bytes)
		f.forgetLanding(l)
		c.delivered.Add(1)
	}
	clear(c.queue[len(kept):])
	c.queue = kept
	c.outstanding.Store(uint64(len(kept)))
}

func (f *frame) forgetLanding(l *landing) {
	if l.event != 0 {
		f.failed(f.dropCheckpoint(checkpoint{event: l.event}, nil))
	}
	f.unpin(l.from, l.after)
}

// drop forgets the copies on a stream whose wait has failed: they never arrive.
func (f *frame) drop(e *streampool.Entry) {
	if f.k.memory == nil || f.k.memory.copies.outstanding.Load() == 0 || e == nil {
		return
	}
	c := &f.k.memory.copies
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.queue[:0]
	for i := range c.queue {
		if l := &c.queue[i]; l.after.Of == alloccache.Work(e) {
			f.forgetLanding(l)
		} else {
			kept = append(kept, *l)
		}
	}
	clear(c.queue[len(kept):])
	c.queue = kept
	c.outstanding.Store(uint64(len(kept)))
}

// tag records an event behind the copies of a stream, of all streams if it is nil,
// that have none: from here on the program may wait for them by waiting for
// something else.
func (f *frame) tag(e *streampool.Entry) {
	if f.k.memory == nil || f.k.memory.copies.outstanding.Load() == 0 {
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
