package streampool

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/invariants"
)

// Kind says what a handle stands for.
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

// creator returns the name of the mgpu function that creates such a handle.
func (k Kind) creator() string {
	if k == Event {
		return "mgpuEventCreate"
	}
	return "mgpuStreamCreate"
}

// destroyer returns the name of the mgpu function that destroys such a handle.
func (k Kind) destroyer() string {
	if k == Event {
		return "mgpuEventDestroy"
	}
	return "mgpuStreamDestroy"
}

// State says where one of the pool's handles is.
type State uint8

// States. Foreign: the pool did not create the handle. Ending: it is about to be destroyed,
// unless another thread's driver call turns out to be under way on it.
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

// Entry is what the pool knows about a stream or an event that it created. The
// methods of a nil Entry, which stands for a foreign handle, do nothing.
//
//mgpu:struct pool_entry word synced freed followed handle device source forked reported
type Entry struct {
	// word holds the state and the counts of submissions (see [Submission]) together:
	// one atomic operation counts a submission, and one changes the state provided that
	// nothing was submitted since word was read.
	word   atomic.Uint64
	synced atomic.Uint64 // number of the last submission that a wait covers

	// What frees order: see submission_frees.go.
	freed    atomic.Uint64 // number of the last submission that was pending at a free without a wait
	followed atomic.Uint64 // Pool.frees, of the frees that this stream's submissions follow

	handle   uintptr
	below    atomic.Uint32 // id of the entry below this one on an idle stack
	pins     atomic.Int32  // see Pin
	id       uint32        // in the directory; zero: the directory is full, the entry is never pooled
	device   int32
	kind     Kind
	source   Source
	forked   bool        // it was given back while it belonged to another stream's capture
	reported atomic.Bool // a misuse of this handle was reported since it was checked out

	slotReuses atomic.Uint64 // times that it was reused from a slot; written by its owner only
	closed     atomic.Uint64 // number at which the round changed last

	_ [48]byte // padding: no two entries share a cache line
}

// Kind returns what the handle stands for.
func (e *Entry) Kind() Kind { return e.kind }

// Device returns the device that the handle belongs to; negative: any.
func (e *Entry) Device() int { return int(e.device) }

// State returns where the handle is: Foreign for a nil Entry.
func (e *Entry) State() State {
	if e == nil {
		return Foreign
	}
	return State(e.word.Load() & stateMask)
}

// Stale reports whether the pool created the handle and the program destroyed it. Using
// a stale handle would touch another owner's stream, or freed memory.
func (e *Entry) Stale() bool { return e != nil && e.State() != Live }

// Lost reports whether the handle is gone: the state of its work is unknown for good.
func (e *Entry) Lost() bool { return e.State() == Gone }

// Source returns whose work the entry stands for.
func (e *Entry) Source() Source { return e.source }

// Handle returns the stream or event, zero for a queue that has none.
func (e *Entry) Handle() uintptr { return e.handle }

// Pin keeps the pool from destroying the handle until Unpin, for a caller whom the program did
// not give it. It fails if that has begun.
func (e *Entry) Pin() bool {
	if e == nil {
		return false
	}
	e.pins.Add(1) // first: the pool looks at pins once the entry is Ending
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

// inUse says whether a driver call is under way on an Ending handle, or may be.
func (e *Entry) inUse() bool { return e.pins.Load() != 0 || !allReturned(e.word.Load()) }

// move changes the state from from to to, and fails in any other state.
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

// moveUnchanged is move for an entry whose word was w. It also fails if the word has changed.
// Checking out, which is what makes an entry live, counts as a submission.
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
