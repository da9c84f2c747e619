package streampool

import (
	"runtime"

	"github.com/mgpu-runtime/mgpu/internal/invariants"
)

// Submission is a driver call in progress that puts work into a stream, records an event, or waits for an event.
//
// Counting protocol. The driver may execute work before the call that submits the work has returned, and another thread
// may see that. So a submission is counted before and after its driver call: [Entry.Begin] assigns the stream's next
// number to it and adds it to the calls in progress; [Entry.End] removes it from those. A stream has no work pending
// only if no call is in progress and its latest wait covers its latest number.
//
//   - A wait covers exactly the submissions whose calls had returned when the wait's driver call began:
//     [Entry.Submissions], read before that driver call. If no calls are in progress, these are all
//     submissions that have a number.
//   - A freed block has to outlast every submission that has a number ([Entry.Latest]). This includes
//     the calls in progress, whether or not the driver has their work yet.
//   - Calls return in any order. If some call is always in progress, rounds tell which numbers have
//     returned. Each call belongs to the round in which it began. The round changes when a wait begins and
//     all calls of the previous round have returned. Once all calls of a round have returned, so have all
//     calls up to the number at which the round changed.
//
// C follows the same protocol with functions that are generated from those here: see stream_begin_submission,
// stream_synchronize and find_waits in internal/fastpath. Both languages are modelled by
// test/model/submissions.pml, whose inlines have the names of these functions: begin, end_call, submissions,
// synchronized, wait, ask_idle, free_block.
type Submission uint64

// An Entry's word, from its lowest bit:
//
//	state 3 | round 1 | calls under way: of round zero 8, of round one 8 | number 44
//
// Numbers are multiples of oneMore, so that they are stored and compared in place. They may overflow: code compares
// their difference.
//
//mgpu:enum stream stateMask callShift callBits oneMore
const (
	stateMask = 1<<3 - 1
	roundBit  = 1 << 3
	callShift = 4 // for calls of round zero; those of round one are at callShift+roundBit
	callBits  = 8
	callMask  = 1<<callBits - 1
	callsMask = callMask<<callShift | callMask<<(callShift+roundBit)
	oneMore   = 1 << (callShift + 2*callBits)
)

// number returns the number of the latest submission in a word.
//
//mgpu:func latest_submission
func number(word uint64) uint64 { return word &^ (oneMore - 1) }

// oneCall returns the increment of a word for one call in progress of the word's round.
//
//mgpu:func one_call
func oneCall(word uint64) uint64 { return 1 << (callShift + word&roundBit) }

// allReturned reports whether no call is in progress. A wait that begins then covers all submissions.
//
//mgpu:func all_calls_returned
func allReturned(word uint64) bool { return word&callsMask == 0 }

// pending reports whether work may be pending on a stream, given its word and the number that its latest wait covers.
//
//mgpu:func submissions_pending
func pending(word, synced uint64) bool { return word&^(stateMask|roundBit) != synced }

// begun returns a stream's word with one more submission in progress.
//
//mgpu:func submission_begun
func begun(word uint64) uint64 { return word + oneMore + oneCall(word) }

// beginFrom counts a submission if the entry's word is still the given one. It returns zero if the word has changed.
//
//mgpu:func entry_begin_from
func (e *Entry) beginFrom(word uint64) Submission {
	next := begun(word)
	if e.word.CompareAndSwap(word, next) {
		return Submission(next)
	}
	return 0
}

// Begin counts a submission before its driver call. The caller passes the result to End once the driver call has
// returned, also after a failure.
func (e *Entry) Begin() Submission {
	if e == nil {
		return 0
	}
	for {
		w := e.word.Load()
		if w/oneCall(w)&callMask == callMask {
			runtime.Gosched() // the count of calls is full: wait until one returns
		} else if s := e.beginFrom(w); s != 0 {
			if invariants.Enabled {
				invariants.Took(invariants.Submission, e)
			}
			return s
		}
	}
}

// End notes that a submission's driver call has returned.
//
//mgpu:func entry_end
func (e *Entry) End(s Submission) {
	if e != nil {
		if invariants.Enabled {
			invariants.Gave(invariants.Submission, e)
		}
		e.word.Add(-oneCall(uint64(s)))
	}
}

// Submitted counts work that the driver already has.
func (e *Entry) Submitted() {
	if e != nil {
		e.word.Add(oneMore)
	}
}

// Latest returns the number of the latest submission, whose call may be in progress. Freed objects have to outlast that
// submission. returned is the result of Submissions.
func (e *Entry) Latest() (latest, returned uint64) {
	if returned = e.Submissions(); e == nil || !e.source.counted() {
		return returned, returned
	}
	return number(e.word.Load()), returned
}

// Submissions returns the number up to which all calls have returned from the driver. Call it before the driver call
// that waits, and pass the result to Synchronized. For work whose submissions are not all counted it also counts a
// submission, so that the work stays pending.
func (e *Entry) Submissions() uint64 {
	switch {
	case e == nil:
		return 0
	case !e.source.counted():
		return number(e.word.Add(oneMore) - oneMore)
	}
	closed := e.closed.Load() // read before the word: the number of a later round must not be used
	w := e.word.Load()
	if allReturned(w) {
		return number(w)
	}
	if w/oneCall(w^roundBit)&callMask != 0 {
		return e.synced.Load() // calls of the previous round have not returned
	}
	if e.word.CompareAndSwap(w, w^roundBit) {
		e.closed.Store(number(w))
	}
	return closed
}

// Covers reports whether all submissions up to count are known to be done.
func (e *Entry) Covers(count uint64) bool { return covers(e.synced.Load(), count) }

// covers is Covers for an entry whose latest wait covers synced.
//
//mgpu:func submissions_covered
func covers(synced, count uint64) bool { return int64(synced-count) >= 0 }

// Synchronized notes that all submissions up to count are done.
//
//mgpu:func entry_synchronized release
func (e *Entry) Synchronized(count uint64) {
	if e != nil && !covers(e.synced.Load(), count) {
		e.synced.Store(count)
	}
}

// pending is Pending for a given value of the Entry's word.
//
//mgpu:func entry_pending_at
func (e *Entry) pending(word uint64) bool { return pending(word, e.synced.Load()) }

// Submit makes a driver call that submits work to stream s, or records or waits for event e. Either may be nil. Submit
// counts the submission before and after the call, and records the stream's progress by d. Every such driver call of Go
// goes through Submit.
func Submit(d Driver, s, e *Entry, call func() error) error {
	defer s.End(s.Begin())
	defer e.End(e.Begin())
	err := call()
	s.RecordProgress(d)
	return err
}

// Pending reports whether work may be pending: a call is in progress, or the latest wait does not cover the latest
// submission.
//
//mgpu:func entry_pending
func (e *Entry) Pending() bool { return e != nil && e.pending(e.word.Load()) }
