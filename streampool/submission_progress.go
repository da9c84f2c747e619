package streampool

import (
	"github.com/mgpu-runtime/mgpu/internal/invariants"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Some drivers can't be asked about a stream that the program may have destroyed by the driver's own library
// (Config.Unchecked). Other threads then learn the progress of a stream from an event of the library's own:
//
//   - Once a question came up that could not be asked, the stream gets a progress event (Track). From then on each
//     submission records that event on the stream, after its driver call and before End. The program's call names the
//     stream, so these driver calls are safe. A captured stream is left alone.
//   - After recordsPerQuestion records without a question, submissions stop recording: each record takes a tenth of the
//     time of a launch. The next question makes them record again (Asked).
//   - If no other call is in progress, the driver has all submissions up to the latest number, and the record
//     comes after them. The entry's progress becomes that number, after the record.
//   - A query reads progress first, then asks the event. The event's records only move forward in the stream's order. So
//     if the event is done, all submissions up to progress are done, also if the event was recorded again meanwhile.
//
// C does the same in stream_record_progress. test/model/progress.pml models it.

// lostEvent is the progress event of a stream that is gone.
const lostEvent = ^uintptr(0)

// Track makes submissions to a stream record an event of the pool. It returns false if the stream has a progress event
// already, or is gone.
func (e *Entry) Track(event driver.Event) bool {
	if !e.progressEvent.CompareAndSwap(0, uintptr(event)) {
		return false
	}
	e.progress.Store(e.synced.Load()) // an event that was not recorded is done
	e.records.Store(recordsPerQuestion)
	e.tracked.Store(true) // last: who finds it set finds the event
	return true
}

// recordsPerQuestion is how many submissions record a stream's progress after a question about the stream.
const recordsPerQuestion = 64

// Asked notes a question about a stream's progress. It returns false if the stream has no progress event yet.
func (e *Entry) Asked() bool {
	if event := e.progressEvent.Load(); event == 0 || event == lostEvent {
		return event == lostEvent
	}
	e.records.Store(recordsPerQuestion)
	if !e.tracked.Load() {
		e.tracked.Store(true)
	}
	return true
}

// Tracked reports whether the submissions to a stream record its progress.
func (e *Entry) Tracked() bool { return e.tracked.Load() }

// Progress returns a stream's progress event, zero if it has none, and the number of a submission before the event.
func (e *Entry) Progress() (count uint64, event driver.Event) {
	count = e.progress.Load() // before the event is asked
	if event = driver.Event(e.progressEvent.Load()); uintptr(event) == lostEvent {
		event = 0
	}
	return count, event
}

// RecordProgress records a stream's progress. The caller's driver call on the stream has returned, and the caller has
// not called End.
func (e *Entry) RecordProgress(d Driver) {
	if e == nil || !e.tracked.Load() {
		return
	}
	_, event := e.Progress()
	s := driver.Stream(e.handle)
	if event == 0 || d.StreamCondition(s) != Usable {
		return
	}
	word := e.word.Load() // before the record
	if d.EventRecord(event, s) == nil {
		e.noteProgress(word)
	}
}

// oneInProgress reports whether exactly one call is in progress.
//
//mgpu:func one_call_in_progress
func oneInProgress(word uint64) bool {
	calls := word & callsMask
	return calls == 1<<callShift || calls == 1<<(callShift+roundBit)
}

// noteProgress notes that the progress event was recorded. word is the entry's word before the record.
//
//mgpu:func entry_note_progress
func (e *Entry) noteProgress(word uint64) {
	if e.records.Add(-1) <= 0 {
		e.tracked.Store(false)
	}
	if !oneInProgress(word) {
		return
	}
	recorded := number(word)
	e.unanswered.Store(0)
	old := e.progress.Load()
	for !covers(old, recorded) && !e.progress.CompareAndSwap(old, recorded) {
		old = e.progress.Load()
	}
}

// mostUnanswered is the number of questions about a stream that no record answers before frees wait for the device. More
// memory would be allocated for each of them.
const mostUnanswered = 32

// Unanswered notes that a question about a live stream has no answer.
func (e *Entry) Unanswered() { e.unanswered.Add(1) }

// Stuck reports whether the progress of a live stream stays unknown: the program no longer submits to it, or captures
// it, or has destroyed it.
//
//mgpu:func entry_stuck
func (e *Entry) Stuck() bool {
	word := e.word.Load()
	return e.unanswered.Load() >= mostUnanswered && word&stateMask == uint64(Live)
}

// Recorded reports whether a stream's progress event follows the submissions up to count. soon: if it does not, a call
// in progress will record it.
func (e *Entry) Recorded(count uint64) (recorded, soon bool) {
	soon = e.tracked.Load() && !allReturned(e.word.Load())
	return covers(e.progress.Load(), count), soon
}

// BeginQuery counts a query as a submission on a stream that the program has given back, so that the pool neither hands
// the stream out nor destroys it until End. If the query finds the stream idle, all submissions up to covers are done. s
// is zero in any other state, and while a call is in progress.
func (e *Entry) BeginQuery() (s Submission, covers uint64) {
	for {
		word := e.word.Load()
		if State(word&stateMask) != Draining || !allReturned(word) {
			return 0, 0
		}
		if s = e.beginFrom(word); s != 0 {
			if invariants.Enabled {
				invariants.Took(invariants.Submission, e)
			}
			return s, number(uint64(s))
		}
	}
}

// dropProgress gives back the progress event of a stream that is gone.
func (p *Pool) dropProgress(e *Entry) {
	e.tracked.Store(false)
	event := e.progressEvent.Swap(lostEvent)
	if event == 0 || event == lostEvent {
		return
	}
	if x := p.table.Find(event); x != nil && x.kind == Event && x.move(Live, Draining) {
		p.freeLists[Event][x.device].draining.pushBack(x) // also above its limit: no driver call may be made here
	}
}
