package streampool

import (
	"sync/atomic"
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

// destroyer is the function by which programs give such a handle back.
func (k Kind) destroyer() string {
	if k == Event {
		return "mgpuEventDestroy"
	}
	return "mgpuStreamDestroy"
}

// State says where a handle of ours is.
type State uint8

// States. Foreign is the state of what the pool did not create.
//
//mgpu:enum stream Live Idle
const (
	Foreign State = iota
	Live
	Idle
	Draining
	Gone
)

var stateNames = [...]string{Foreign: "foreign", Live: "live", Idle: "idle", Draining: "draining", Gone: "gone"}

func (s State) String() string { return stateNames[s] }

// Entry is what the pool knows about a stream or an event that it created. The
// methods of a nil Entry, which stands for a foreign handle, do nothing.
//
//mgpu:struct pool_entry word synced handle device reported
type Entry struct {
	// word holds the state and what is counted of submissions (see [Submission]), so
	// that one atomic operation counts a submission and one moves an entry that has
	// had none since it was looked at.
	word   atomic.Uint64
	synced atomic.Uint64 // the number that the last wait covers
	below  atomic.Uint32 // id of the entry below this one on an idle stack

	fromHand atomic.Uint64 // how often it was handed out from a hand

	handle   uintptr
	id       uint32 // in the directory; zero: none, never pooled
	device   int32
	kind     Kind
	endless  bool        // see Pool.AddQueue
	reported atomic.Bool // a misuse of this handle was reported since it was checked out

	closed atomic.Uint64 // the number at which the turn changed; the last of a cache line's bytes
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

// Stale reports whether the handle is ours and was destroyed by the program, so
// that using it would touch somebody else's stream, or freed memory.
func (e *Entry) Stale() bool { return e != nil && e.State() != Live }

// Lost reports that the handle is gone: nothing more will be known of its work.
func (e *Entry) Lost() bool { return e.State() == Gone }

// Handle returns the stream or event, zero for a queue that has none.
func (e *Entry) Handle() uintptr { return e.handle }

// move changes the state from one to another, and fails if it is not the first.
func (e *Entry) move(from, to State) bool {
	for {
		w := e.word.Load()
		if State(w&stateMask) != from {
			return false
		}
		if e.word.CompareAndSwap(w, w&^stateMask|uint64(to)) {
			return true
		}
	}
}

// checkOut makes an entry that is in state from live, with the submission that
// checking out counts as. It fails where the entry was disowned meanwhile.
func (e *Entry) checkOut(from State) bool {
	for {
		w := e.word.Load()
		if State(w&stateMask) != from {
			return false
		}
		if e.checkOutUnchanged(w) {
			return true
		}
	}
}

// checkOutUnchanged makes an entry live that still has the word.
func (e *Entry) checkOutUnchanged(w uint64) bool {
	if !e.word.CompareAndSwap(w, (w&^stateMask+oneMore)|uint64(Live)) {
		return false
	}
	if e.reported.Load() {
		e.reported.Store(false)
	}
	return true
}
