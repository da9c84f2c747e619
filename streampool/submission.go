package streampool

import (
	"runtime"

	"github.com/mgpu-runtime/mgpu/internal/invariants"
)

// Submission is a driver call under way that puts work into a stream, or that records
// an event or waits for it.
//
// Counting protocol. The driver may execute work before the call that submits it has
// returned, and another thread may see that. So a submission is counted on both sides
// of its driver call: [Entry.Begin] gives it the stream's next number and adds it to
// the calls under way, [Entry.End] takes it from those. A stream has no work pending
// only if no call is under way and its last wait covers its latest number.
//
//   - A wait covers the submissions whose calls had returned when the wait's driver
//     call began, and no others: [Entry.Submissions], read before that driver call.
//     Without calls under way these are all that have a number.
//   - A block that is freed has to outlast every submission that has a number
//     ([Entry.Latest]), so also those under way, whether or not the driver has them.
//   - Calls return in any order. Where some are always under way, the numbers below
//     which all have returned are found by rounds: each call belongs to the round in
//     which it began, and the round changes when a wait begins and no call of the round
//     before is left. Once all calls of a round have returned, so have all with numbers
//     up to the one at which the round changed.
//
// C code follows the same protocol, with functions that are generated from those here: see
// stream_begin_submission, stream_synchronize and find_waits in internal/fastpath. The model of
// both is test/model/submissions.pml, whose inlines have the names of these functions: begin,
// end_call, submissions, synchronized, wait, ask_idle, free_block.
type Submission uint64

// An Entry's word, from its lowest bit:
//
//	state 3 | round 1 | calls under way: of round zero 8, of round one 8 | number 44
//
// Numbers are stored and compared in place, as multiples of oneMore, and may overflow:
// they are compared by their difference.
//
//mgpu:enum stream stateMask callShift callBits oneMore
const (
	stateMask = 1<<3 - 1
	roundBit  = 1 << 3
	callShift = 4 // roundBit more for the calls of round one
	callBits  = 8
	callMask  = 1<<callBits - 1
	callsMask = callMask<<callShift | callMask<<(callShift+roundBit)
	oneMore   = 1 << (callShift + 2*callBits)
)

// number returns the latest submission's number in a word.
//
//mgpu:func latest_submission
func number(word uint64) uint64 { return word &^ (oneMore - 1) }

// oneCall returns what a call of the word's round adds to a word.
//
//mgpu:func one_call
func oneCall(word uint64) uint64 { return 1 << (callShift + word&roundBit) }

// allReturned says whether no call is under way: a wait that begins now covers all
// submissions.
//
//mgpu:func all_calls_returned
func allReturned(word uint64) bool { return word&callsMask == 0 }

// pending says whether work may be pending on a stream whose word and last wait are these.
//
//mgpu:func submissions_pending
func pending(word, synced uint64) bool { return word&^(stateMask|roundBit) != synced }

// begun returns a stream's word with one more submission, under way.
//
//mgpu:func submission_begun
func begun(word uint64) uint64 { return word + oneMore + oneCall(word) }

// beginFrom counts a submission, provided that the entry's word is still the given one. It returns
// zero if the word has changed.
//
//mgpu:func entry_begin_from
func (e *Entry) beginFrom(word uint64) Submission {
	next := begun(word)
	if e.word.CompareAndSwap(word, next) {
		return Submission(next)
	}
	return 0
}

// Begin counts a submission whose driver call is about to be made. The caller passes the
// result to End once the driver call has returned, failed or not.
func (e *Entry) Begin() Submission {
	if e == nil {
		return 0
	}
	for {
		w := e.word.Load()
		if w/oneCall(w)&callMask == callMask {
			runtime.Gosched() // no more calls can be counted before one of them returns
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

// Submitted counts work that the driver has already.
func (e *Entry) Submitted() {
	if e != nil {
		e.word.Add(oneMore)
	}
}

// Latest returns the number of the latest submission, which may be under way, for objects
// that have to outlast it. returned is the result of Submissions.
func (e *Entry) Latest() (latest, returned uint64) {
	if returned = e.Submissions(); e == nil || !e.source.counted() {
		return returned, returned
	}
	return number(e.word.Load()), returned
}

// Submissions returns the number up to which all submissions have returned from the
// driver, for Synchronized. Call it before the driver call that waits. It counts one more
// submission where not each is counted, so that the work stays pending.
func (e *Entry) Submissions() uint64 {
	switch {
	case e == nil:
		return 0
	case !e.source.counted():
		return number(e.word.Add(oneMore) - oneMore)
	}
	closed := e.closed.Load() // before the word: a later round's number must not be used
	w := e.word.Load()
	if allReturned(w) {
		return number(w)
	}
	if w/oneCall(w^roundBit)&callMask != 0 {
		return e.synced.Load() // calls of the round before have not returned
	}
	if e.word.CompareAndSwap(w, w^roundBit) {
		e.closed.Store(number(w))
	}
	return closed
}

// Covers reports whether all submissions up to a number are known to be done.
func (e *Entry) Covers(count uint64) bool { return covers(e.synced.Load(), count) }

// covers is Covers for an entry whose last wait covers synced.
//
//mgpu:func submissions_covered
func covers(synced, count uint64) bool { return int64(synced-count) >= 0 }

// Synchronized notes that all submissions up to a number are done.
//
//mgpu:func entry_synchronized release
func (e *Entry) Synchronized(count uint64) {
	if e != nil && !covers(e.synced.Load(), count) {
		e.synced.Store(count)
	}
}

// pending is Pending for a word that the Entry had.
//
//mgpu:func entry_pending_at
func (e *Entry) pending(word uint64) bool { return pending(word, e.synced.Load()) }

// Submit makes a driver call that submits work to stream s, or records or waits for event e;
// either may be nil. It counts the submission before and after the call. Every such call that
// Go makes goes through Submit.
func Submit(s, e *Entry, call func() error) error {
	defer s.End(s.Begin())
	defer e.End(e.Begin())
	return call()
}

// Pending reports whether work may be pending: a call is under way, or the last wait
// does not cover the latest submission.
//
//mgpu:func entry_pending
func (e *Entry) Pending() bool { return e != nil && e.pending(e.word.Load()) }
