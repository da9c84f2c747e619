package streampool

import "sync/atomic"

// A driver's free waits for the device, so work that is submitted after it follows, on any
// stream, the work that was submitted before. A free that does not wait keeps that order:
//
//   - It notes on each stream with work pending up to which submission (freed), then counts
//     itself (Pool.frees), and its thread keeps the count.
//   - A submission compares its thread's count with the one that its stream has followed last. If
//     the stream's is less, it first waits for what is noted on other streams and not known to be
//     done.
//   - The wait is for an event behind the noted submission and, where possible, nothing else:
//     kernels of two streams may wait for each other. So a stream on which something is noted gets
//     the event before its own next submission, unless no other stream is open that could wait
//     for it. One that is opened later waits for all of the stream's work.
//
// A free orders its own thread's submissions. The driver's free holds up its own thread alone:
// others go on beside a kernel that a free waits for, and may have to, for the kernel to end.
// test/model/follow.pml is the model of it.
//
// Whoever makes the driver's calls is [Pool.Owed]'s caller. C finds that nothing is owed by
// itself: stream_follow in internal/fastpath.

// frees counts the frees that left work pending. It has a cache line of its own: every
// submission reads the count.
type frees struct {
	_     [64]byte
	count atomic.Uint64
	_     [56]byte
}

// noteFreed notes that a free leaves the submissions up to a number pending.
//
//mgpu:func entry_note_freed
func (e *Entry) noteFreed(number uint64) {
	old := e.freed.Load()
	for !covers(old, number) && !e.freed.CompareAndSwap(old, number) {
		old = e.freed.Load()
	}
}

// freedDone reports whether all that frees have left pending is known to be done.
//
//mgpu:func entry_freed_done
func (e *Entry) freedDone() bool {
	freed := e.freed.Load()
	return covers(e.synced.Load(), freed)
}

// open reports whether the program can submit to a stream now; of a queue without a handle, whether it
// ever did. The check-out counts as the first submission.
//
//mgpu:func entry_open
func (e *Entry) open() bool {
	word := e.word.Load()
	return word&stateMask == uint64(Live) && (e.source == OwnHandle || number(word) != oneMore)
}

// NoteFree notes a free that does not wait for a device's work. It returns the count of frees with
// this one, and whether the free leaves work pending.
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

// PassFreed has a queue without a handle stand for what frees have left pending on a stream that
// is about to be destroyed. The caller has counted a submission on the queue.
func (p *Pool) PassFreed(e, to *Entry) {
	if !e.freedDone() {
		to.noteFreed(number(to.word.Load()))
		p.frees.count.Add(1)
	}
}

// Freed returns the number up to which frees have left submissions pending.
func (e *Entry) Freed() uint64 { return e.freed.Load() }

// Frees returns how many frees have left work pending.
func (p *Pool) Frees() uint64 { return p.frees.count.Load() }

// Follows reports whether the submissions to a stream follow as many frees.
func (e *Entry) Follows(frees uint64) bool { return e.followed.Load() >= frees }

// Followed notes that the submissions to a stream follow so many frees.
func (e *Entry) Followed(frees uint64) { e.followed.Store(frees) }

// Owed returns the streams whose noted work the next submission to e (nil: to a stream that the
// pool does not know) has to follow. It returns e too if others may have to follow what is noted
// on e: that needs an event before the submission.
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
		owed = append(owed, e)
	}
	return owed
}
