package mgpu

import (
	"runtime"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// An unchecked driver is asked only about streams that the program's call names, or has given back. Of other streams
// the library learns the progress from an event that each submission records: see streampool/submission_progress.go.

// mayAsk reports whether the driver may be asked about a stream that the program's call does not name.
func (k *core) mayAsk(e *streampool.Entry) bool {
	return !k.unchecked || e.Source() != streampool.OwnHandle
}

// anyStuck reports whether work is pending on a stream of a device whose progress stays unknown. Frees then wait for the
// device, as stock's do.
func (k *core) anyStuck(device int) (found bool) {
	if !k.unchecked {
		return false
	}
	k.pool.Streams(func(e *streampool.Entry) bool {
		found = e.Device() == device && e.Pending() && e.Stuck()
		return !found
	})
	return found
}

// progressReached reports whether a stream's submissions up to count are done. If nothing follows them that the driver
// can be asked about, the stream's later submissions record its progress.
func (f *frame) progressReached(e *streampool.Entry, count uint64) (bool, error) {
	if e.Lost() {
		return false, nil
	}
	if covers, x := f.progressAfter(e, count); x != nil {
		defer x.Unpin()
		done, err := f.EventDone(driver.Event(x.Handle()))
		if err == nil && done {
			e.Synchronized(covers)
		}
		return done, err
	}
	if query, covers := e.BeginQuery(); query != 0 {
		defer e.End(query)
		idle, err := f.givenBackIdle(e)
		if idle {
			e.Synchronized(covers)
		}
		return idle, err
	}
	f.trackProgress(e)
	if _, soon := e.Recorded(count); !soon {
		e.Unanswered()
	}
	return false, nil
}

// givenBackIdle asks whether a stream that the program has given back is idle.
func (f *frame) givenBackIdle(e *streampool.Entry) (bool, error) {
	before, err := f.switchTo(e.Device())
	if err != nil {
		return false, err
	}
	defer f.switchBack(before, e.Device())
	if f.StreamCondition(driver.Stream(e.Handle())) != streampool.Usable {
		return false, nil
	}
	return f.StreamIdle(driver.Stream(e.Handle()))
}

// progressAfter returns the entry of a stream's progress event if the event follows the submissions up to count; nil if
// there is no such event. covers is the number that the event covers. The caller unpins the entry.
func (f *frame) progressAfter(e *streampool.Entry, count uint64) (covers uint64, event *streampool.Entry) {
	if recorded, _ := e.Recorded(count); !recorded {
		return 0, nil
	}
	covers, handle := e.Progress()
	if handle == 0 {
		return 0, nil
	}
	e.Asked()
	x := f.k.pool.Find(uintptr(handle))
	if x == nil || !x.Pin() {
		return 0, nil
	}
	return covers, x
}

// trackProgress makes later submissions to a stream record its progress.
func (f *frame) trackProgress(e *streampool.Entry) {
	if e.Asked() || e.Lost() {
		return
	}
	before, err := f.switchTo(e.Device())
	if err != nil {
		return
	}
	defer f.switchBack(before, e.Device())
	event, _, err := f.k.pool.GetEvent(f.meter, e.Device())
	if err == nil && !e.Track(event) {
		_, _ = f.k.pool.PutEvent(f.meter, event)
	}
}

// awaitProgress waits for a stream's submissions up to count.
func (f *frame) awaitProgress(e *streampool.Entry, count uint64) error {
	covers, x := f.progressAfter(e, count)
	if x == nil {
		return f.awaitDevice(e, count)
	}
	defer x.Unpin()
	err := f.EventSynchronize(driver.Event(x.Handle()))
	if err == nil {
		e.Synchronized(covers)
	}
	return err
}

// recordPatience is how often awaitRecord looks at a stream whose progress a call will record: for a tenth of a
// millisecond. firstPatience is how often it looks at another stream: for some twenty microseconds, in which a stream that
// was just checked out usually gets its first submission.
const (
	recordPatience = 20_000
	firstPatience  = 4_000
)

// awaitRecord waits a moment for another thread to record a stream's progress after the work that frees left pending, or
// to learn that the work is done. It returns true if the work is done. It seldom yields: threads of C are slow to get a
// processor of Go's back.
func (k *core) awaitRecord(e *streampool.Entry) (done bool) {
	if k.mayAsk(e) {
		return false
	}
	for i := range recordPatience {
		if e.Covers(e.Freed()) {
			return true
		}
		if recorded, soon := e.Recorded(e.Freed()); recorded || !soon && (i >= firstPatience || !e.Tracked()) {
			return false
		}
		if i%1000 == 999 {
			runtime.Gosched()
		}
	}
	return false
}

// followProgress is follow for a stream that can't be asked about. The caller has locked b.mu and relaxed the capture
// mode.
func (f *frame) followProgress(stream driver.Stream, s, other *streampool.Entry, b *followEvent) followed {
	covers, x := f.progressAfter(other, other.Freed())
	if x == nil {
		f.trackProgress(other)
		return needsDevice
	}
	defer x.Unpin()
	event := driver.Event(x.Handle())
	done := false
	if b.asked != covers { // once for each record: later streams wait for the event
		b.asked = covers
		done, _ = f.EventDoneRelaxed(event)
	}
	switch {
	case done:
	case s != nil:
		if f.waitBeforeSubmission(stream, event, x) != nil {
			return needsDevice
		}
		return follows
	case f.EventSynchronize(event) != nil:
		return notFollowed
	}
	other.Synchronized(covers)
	return follows
}
