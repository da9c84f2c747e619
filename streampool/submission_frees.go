package streampool

import (
	"slices"
	"sync/atomic"
)

// A driver's free waits for the device. So work that is submitted after the free runs, on any stream, after the work
// that was submitted before. A free that does not wait keeps that order:
//
//   - The free notes, on each stream with work pending, the number of the latest submission
//     (Entry.freed). Then it increments Pool.frees, and its thread stores the new count.
//   - A submission compares its thread's count with the count that its stream already follows
//     (Entry.followed). If the stream's count is less, the submission first waits for the submissions that are
//     noted on other streams and not known to be done.
//   - The wait is for an event recorded right after the noted submission. A wait for later work could
//     deadlock, since kernels of two streams may wait for each other. So the event is recorded before the
//     stream's next submission, unless no other stream is open that could wait for the event. A stream that
//     is opened later waits for all of the noted stream's work.
//
// A free orders only the submissions of its own thread, since a driver's free blocks only the calling thread. Other
// threads go on while a kernel runs that the free waits for, and may have to, for the kernel to end.
// test/model/follow.pml models this. A stream that is destroyed with work pending passes its note on to a
// queue without a handle (PassFreed): test/model/destroyed.pml models that.
//
// The caller of [Pool.Owed] makes the driver calls. C itself finds out when there is nothing to wait for: stream_follow
// in internal/fastpath/stream.h.

// frees counts the frees that left work pending. It has its own cache line, since every submission reads the count.
type frees struct {
	_     [64]byte
	count atomic.Uint64
	_     [56]byte
}

// noteFreed notes that a free leaves the submissions up to number pending.
//
//mgpu:func entry_note_freed
func (e *Entry) noteFreed(number uint64) {
	old := e.freed.Load()
	for !covers(old, number) && !e.freed.CompareAndSwap(old, number) {
		old = e.freed.Load()
	}
}

// freedDone reports whether all submissions that frees left pending are known to be done.
//
//mgpu:func entry_freed_done
func (e *Entry) freedDone() bool {
	freed := e.freed.Load()
	return covers(e.synced.Load(), freed)
}

// open reports whether the program can submit to a stream now. For a queue without a handle it reports whether the
// program ever did; the check-out counts as the first submission.
//
//mgpu:func entry_open
func (e *Entry) open() bool {
	word := e.word.Load()
	return word&stateMask == uint64(Live) && (e.source == OwnHandle || number(word) != oneMore)
}

// NoteFree notes a free that does not wait for the device's work. left reports whether work is pending; frees is then
// the count of frees including this one.
func (p *Pool) NoteFree(device int) (frees uint64, left bool) {
	p.Streams(func(e *Entry) bool {
		if e.Pending() && e.source.counted() && (e.Device() == device || e.Device() < 0) {
			e.noteFreed(number(e.word.Load()))
			left = true
		}
		return true
	})
	if left {
		frees = p.frees.count.Add(1)
	}
	return frees, left
}

// PassFreed moves the submissions that frees left pending on a stream that is about to be destroyed to a queue without
// a handle. The caller has counted a submission on the queue.
func (p *Pool) PassFreed(e, to *Entry) {
	if !e.freedDone() {
		to.noteFreed(number(to.word.Load()))
		p.frees.count.Add(1)
	}
}

// Freed returns the number up to which frees left submissions pending.
func (e *Entry) Freed() uint64 { return e.freed.Load() }

// Frees returns the number of frees that left work pending.
func (p *Pool) Frees() uint64 { return p.frees.count.Load() }

// Follows reports whether the submissions to a stream already follow that many frees.
func (e *Entry) Follows(frees uint64) bool { return e.followed.Load() >= frees }

// Followed notes that the submissions to a stream follow that many frees.
func (e *Entry) Followed(frees uint64) { e.followed.Store(frees) }

// Owed returns the streams for whose noted work the next submission to e has to wait. A nil e stands for a stream that
// the pool does not know. Owed includes e itself if other streams may have to wait for the work noted on e: then an
// event has to be recorded on e before the submission. e comes first: until its work is known to be done, threads that
// can't ask about it wait for the device.
func (p *Pool) Owed(e *Entry) (owed []*Entry) {
	others := false
	p.Streams(func(other *Entry) bool {
		switch {
		case other == e || !other.source.counted():
		case !other.freedDone():
			owed = append(owed, other)
			others = true
		case other.open():
			others = true
		}
		return true
	})
	if e != nil && others && !e.freedDone() {
		owed = slices.Insert(owed, 0, e)
	}
	return owed
}
