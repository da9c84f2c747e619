package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// staged is a download in steps that C executes (FastPath.StagedCopy, which takes the record's
// address): wait for the stream if it has earlier work, DMA to the page-locked block, wait,
// memcpy to the destination. The first wait saves time: a copy engine that has to wait polls
// every few microseconds, the host at once.
//
//mgpu:struct staged Copy Wait Dst Pinned Bytes Behind
type staged struct {
	Copy, Wait  driver.Blocking
	Dst, Pinned uintptr
	Bytes       uint64
	Behind      uint64 // 1: the stream has earlier work

	block *alloccache.Block
	mode  captureMode // to be restored: the stock copy ends no capture, a wait for a stream may
	inUse bool
}

// beginDownload begins a staged download, which is complete when the mgpu call returns.
func (f *frame) beginDownload(dst, src uintptr, bytes uint64, stream uintptr, s *streampool.Entry) (w Wait, ok bool) {
	c := &f.k.memory.downloads
	b := f.allocPinnedFor(s, bytes)
	if b == nil {
		f.destinationPlace(dst)
		return Wait{}, false
	}
	if !f.writablePageable(dst, bytes) {
		f.freePinned(b)
		return Wait{}, false
	}
	number, r := c.acquireRecord()
	r.block, r.Behind = b, 0
	w = Wait{Handle: stream, Record: uintptr(number), Effect: copyArrived}
	r.Copy = f.k.waiter.WaitCopy(driver.Ptr(b.Ptr()), driver.Ptr(src), bytes, driver.Stream(stream))
	if s.Pending() {
		r.Behind = 1
	}
	f.counters.driverCalls.Add(1 + r.Behind) // startedInC counts one
	r.Wait = f.k.waiter.WaitCopied(driver.Stream(stream))
	r.Dst, r.Pinned, r.Bytes = dst, b.Ptr(), bytes
	if by, ok := f.k.drv.(driver.Capturer); ok {
		r.mode = relaxCaptureMode(by)
	}
	c.counts[s.Device()].Add(1)
	w.Count = s.Submissions()
	w.Submission = f.k.cSubmissions.start(s)
	w.Blocking = driver.Blocking{Fn: f.r.cfg.FastPath.StagedCopy(), Arg: [5]uintptr{r.address()}}
	return f.startedInC(w), true
}

// endDownload frees the record and the block of a staged download; done: without an error.
func (f *frame) endDownload(w Wait, s submission, done bool) {
	c := &f.k.memory.downloads
	c.mu.Lock()
	r := c.records[w.Record-1]
	b, mode := r.block, r.mode
	r.block, r.mode, r.inUse = nil, captureMode{}, false
	c.mu.Unlock()
	mode.restore()
	if done {
		s.entry.EndDone(s.token, w.Count)
		f.freePinned(b)
		return
	}
	s.entry.End(s.token)
	f.freePinned(b, f.k.pendingMarks(nil)...)
}

// acquireRecord returns an unused record and its number, from 1 on.
func (c *downloads) acquireRecord() (int, *staged) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, r := range c.records {
		if !r.inUse {
			r.inUse = true
			return i + 1, r
		}
	}
	r := &staged{inUse: true}
	c.records = append(c.records, r)
	return len(c.records), r
}
