package streampool

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/invariants"
)

// Kind is the kind of object that a handle stands for.
type Kind uint8

// Kinds.
const (
	Stream Kind = iota
	Event
	kinds
)

func (k Kind) String() string {
	if k == Event {
		return "event"
	}
	return "stream"
}

// creator returns the name of the mgpu function that creates a handle of the kind.
func (k Kind) creator() string {
	if k == Event {
		return "mgpuEventCreate"
	}
	return "mgpuStreamCreate"
}

// destroyer returns the name of the mgpu function that destroys a handle of the kind.
func (k Kind) destroyer() string {
	if k == Event {
		return "mgpuEventDestroy"
	}
	return "mgpuStreamDestroy"
}

// State is the state of a handle; see the package comment.
type State uint8

// States. Foreign: the pool did not create the handle. Ending: the handle is about to be destroyed, unless another
// thread's driver call is still using it.
//
//mgpu:enum stream Live Idle
const (
	Foreign State = iota
	Live
	Idle
	Draining
	Ending
	Gone
)

var stateNames = [...]string{Foreign: "foreign", Live: "live", Idle: "idle", Draining: "draining", Ending: "ending", Gone: "gone"}

func (s State) String() string { return stateNames[s] }

// Entry is what the pool knows about a stream or an event that it created. The methods of a nil Entry, which stands for
// a foreign handle, do nothing.
//
//mgpu:struct pool_entry word synced freed followed handle device source forked reported tracked progress progressEvent unanswered records
type Entry struct {
	// word holds the state and the counts of submissions (see [Submission]). One atomic operation counts a submission;
	// one compare-and-swap changes the state if nothing was submitted since word was read.
	word   atomic.Uint64
	synced atomic.Uint64 // number of the latest submission that a wait covers

	// What frees order: see submission_frees.go.
	freed    atomic.Uint64 // number of the last submission that was pending at a free without a wait
	followed atomic.Uint64 // value of Pool.frees at the latest free that this stream's submissions follow

	handle   uintptr
	tracked  atomic.Bool  // submissions record the stream's progress: see submission_progress.go
	pins     atomic.Int32 // see Pin
	id       uint32       // in the directory; zero: the directory is full, and the entry is never pooled
	device   int32
	kind     Kind
	source   Source
	forked   bool        // given back while it was part of another stream's capture
	reported atomic.Bool // a misuse of this handle was reported since it was checked out

	slotReuses atomic.Uint64 // times that the entry was reused from a slot; only its owner writes it
	closed     atomic.Uint64 // submission number at the latest change of the round

	// See submission_progress.go.
	progress      atomic.Uint64  // number of a submission after which the progress event was recorded
	progressEvent atomic.Uintptr // zero: none yet; lostEvent: the stream is gone

	unanswered atomic.Uint32 // questions since the latest record that it does not answer
	records    atomic.Int32  // how many more submissions record the progress if no question comes

	below atomic.Uint32 // id of the entry below this one on an idle stack

	_ [20]byte // padding: entries share no cache line
}

// Kind returns what the handle stands for.
func (e *Entry) Kind() Kind { return e.kind }

// Device returns the device of the handle; negative: any device.
func (e *Entry) Device() int { return int(e.device) }

// State returns the state of the handle; Foreign for a nil Entry.
func (e *Entry) State() State {
	if e == nil {
		return Foreign
	}
	return State(e.word.Load() & stateMask)
}

// Stale reports whether the pool created the handle and the program has destroyed it. A driver call with a stale handle
// would touch another owner's stream, or freed memory.
func (e *Entry) Stale() bool { return e != nil && e.State() != Live }

// Lost reports whether the handle is gone: the state of its work can't be known any more.
func (e *Entry) Lost() bool { return e.State() == Gone }

// Source returns whose work the entry stands for.
func (e *Entry) Source() Source { return e.source }

// Handle returns the stream or event, zero for a queue that has none.
func (e *Entry) Handle() uintptr { return e.handle }

// Pin keeps the pool from destroying the handle until Unpin. It is for callers that did not get the handle from the
// program, which might destroy it meanwhile. Pin fails if the destruction has begun.
func (e *Entry) Pin() bool {
	if e == nil {
		return false
	}
	e.pins.Add(1) // first: the pool reads pins after it has made the entry Ending
	if s := e.State(); s != Ending && s != Gone {
		if invariants.Enabled {
			invariants.Took(invariants.Pin, e)
		}
		return true
	}
	e.pins.Add(-1)
	return false
}

// Unpin ends a Pin.
func (e *Entry) Unpin() {
	if invariants.Enabled {
		invariants.Gave(invariants.Pin, e)
	}
	e.pins.Add(-1)
}

// inUse reports whether a driver call may be using an Ending handle.
func (e *Entry) inUse() bool { return e.pins.Load() != 0 || !allReturned(e.word.Load()) }

// move changes the state from from to to. It fails in any other state.
func (e *Entry) move(from, to State) bool {
	for {
		w := e.word.Load()
		if State(w&stateMask) != from {
			return false
		}
		if e.moveUnchanged(w, from, to) {
			return true
		}
	}
}

// moveUnchanged is move for an entry whose word was w. It also fails if the word has changed. Checking out, the change
// to Live, counts as a submission.
//
//mgpu:func entry_move
func (e *Entry) moveUnchanged(w uint64, from, to State) bool {
	if invariants.Enabled {
		invariants.Require(transitions, from, to)
	}
	if State(w&stateMask) != from {
		return false
	}
	next := w&^stateMask | uint64(to)
	if to != Live {
		return e.word.CompareAndSwap(w, next)
	}
	if !e.word.CompareAndSwap(w, next+oneMore) {
		return false
	}
	if e.reported.Load() {
		e.reported.Store(false)
	}
	e.forked = false
	return true
}
