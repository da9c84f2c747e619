package launchgraph

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// traceKind is the kind of a recorded call. C knows the first three.
type traceKind uint32

// Kinds of recorded calls.
//
//mgpu:enum traced tracedLaunch tracedSynchronize tracedCreate
const (
	tracedLaunch traceKind = iota + 1
	tracedSynchronize
	tracedCreate
	tracedCopy
	tracedFill
	tracedRecord
	tracedForget
	tracedWait
	tracedEventSynchronize
	tracedWaitFor
)

// Replayed is a call of a recording, with which the next recording's call is compared. C
// reads it, and writes a launch's sizes (replay.h).
//
//mgpu:struct replayed kind nodes first shared grid block stream what sizes params values
type Replayed struct {
	kind        traceKind
	nodes       uint32 // nodes up to this call
	first       uint32 // 1: the first call of a stream from before the recording
	shared      uint32 // of a launch, as grid and block
	grid, block driver.Dim3
	stream      driver.Stream
	what        uintptr // a function, an event, another stream
	sizes       uintptr // address of a []driver.Param's elements
	params      uint32
	values      uint32 // offset of the launch's parameters
	before      Before // of a wait: the work from before the recording that it covers
}

// Replay is the state of a recording whose calls so far match those of an earlier one. C
// compares the calls, and enters Go when a part of the graph is complete or a call differs.
// Only one thread's calls are compared; another thread may close the replay at any time.
//
//mgpu:struct replay
type Replay struct {
	next   atomic.Uint64 // number of calls that matched; with the bit closed: no more are compared
	count  uint64
	calls  uintptr // address of a []Replayed's elements
	values uintptr // address that parameters are copied to
	border uint64  // number of nodes at which the next part of the graph is complete; zero: none
	On     driver.Stream
	// Unawaited counts work from before the recording that a wait may cover. While it is not
	// zero, C records no wait.
	Unawaited uint64
}

const closed = 1 << 63

func (t *Replay) at() int { return int(t.next.Load() &^ closed) }
func (t *Replay) step()   { t.next.Add(1) }
func (t *Replay) back()   { t.next.Add(^uint64(0)) }
func (t *Replay) close() int {
	for {
		n := t.next.Load()
		if t.next.CompareAndSwap(n, n|closed) {
			return int(n &^ closed)
		}
	}
}

// note appends a call.
func (r *Recording) note(kind traceKind, s driver.Stream, what uintptr) {
	c := Replayed{kind: kind, nodes: uint32(len(r.nodes)), stream: s, what: what}
	if kind == tracedWaitFor {
		r.used(driver.Stream(what), &c)
	}
	if s != 0 {
		r.used(s, &c)
	}
	if kind == tracedLaunch {
		n := &r.nodes[len(r.nodes)-1]
		c.grid, c.block, c.shared = n.launch.Grid, n.launch.Block, n.launch.SharedBytes
		c.values, c.params, c.sizes = uint32(n.values.from), uint32(len(n.params)), addressOf(n.params)
	}
	r.calls = append(r.calls, c)
}

func (r *Recording) used(s driver.Stream, c *Replayed) {
	if q := r.queue(s); q.since < 0 {
		q.since = int32(len(r.calls))
		if !q.made {
			c.first = 1
		}
	}
}

// nodesAfter returns the number of nodes that the first n calls made.
func (r *Recording) nodesAfter(n int) int {
	if n == 0 {
		return 0
	}
	return int(r.calls[n-1].nodes)
}

// LastStream returns the stream of the latest call that had one, zero if none had. made is
// true if the stream was created within the recording.
func (r *Recording) LastStream() (s driver.Stream, made bool) {
	for i := len(r.calls) - 1; i >= 0; i-- {
		if s := r.calls[i].stream; s != 0 {
			return s, r.find(s).made
		}
	}
	return 0, false
}

// Repeatable reports whether a later recording may be compared with this one.
func (r *Recording) Repeatable() bool { return len(r.nodes) > 0 && len(r.calls) > 0 }

// Repeat begins the recording, which is empty, as a replay of like: its calls are compared with
// like's. While they match, only the parameters of launches are stored. like must not change
// meanwhile.
func (r *Recording) Repeat(like *Recording, t *Replay) {
	r.values = append(r.values[:0], like.values...)
	r.like, r.replay, r.was = like, t, like
	t.calls, t.values = addressOf(like.calls), addressOf(r.values)
	t.count, t.border, t.On = uint64(len(like.calls)), 0, 0
	t.next.Store(0)
}

// Like returns the recording that is replayed, nil if none is.
func (r *Recording) Like() *Recording { return r.like }

// Expect sets the number of nodes at which Due becomes true. Zero: never.
func (r *Recording) Expect(nodes int) { r.replay.border = uint64(nodes) }

// Due reports whether the replay has reached the number of nodes given to Expect.
func (r *Recording) Due() bool {
	return r.like != nil && r.replay.border != 0 && uint64(r.Len()) >= r.replay.border
}

// Complete reports whether all calls have been replayed.
func (r *Recording) Complete() bool { return r.like != nil && r.replay.at() == len(r.like.calls) }

// next returns the earlier recording's next call if it matches, nil if it does not or there is
// no replay.
func (r *Recording) next(kind traceKind, s driver.Stream, what uintptr) *Replayed {
	if r.like == nil {
		return nil
	}
	i := r.replay.at()
	if i >= len(r.like.calls) {
		return nil
	}
	c := &r.like.calls[i]
	if c.kind != kind || c.stream != s || c.what != what {
		return nil
	}
	return c
}

// createdInstead reports whether the earlier recording's next call creates a stream that s can
// stand for. The pool hands out streams in any order, and a graph is the same on all of them.
func (r *Recording) createdInstead(s driver.Stream) bool {
	if r.like == nil || r.Complete() {
		return false
	}
	i := r.replay.at()
	c := &r.like.calls[i]
	return c.kind == tracedCreate && r.like.exchange(i, c.stream, s)
}

// exchange puts the stream to in the place of the stream from, which the call at index first
// creates, in that call and all later ones. If they create to as well, the two swap. It
// returns false if an earlier call uses either.
func (r *Recording) exchange(first int, from, to driver.Stream) bool {
	q, other := r.find(from), r.find(to)
	if !q.made || int(q.since) != first || other != nil && (!other.made || int(other.since) <= first) {
		return false
	}
	swap := func(s driver.Stream) driver.Stream {
		switch s {
		case from:
			return to
		case to:
			return from
		}
		return s
	}
	for i := first; i < len(r.calls); i++ {
		c := &r.calls[i]
		c.stream = swap(c.stream)
		if c.kind == tracedWaitFor {
			c.what = uintptr(swap(driver.Stream(c.what)))
		}
	}
	q.stream = to
	if other != nil {
		other.stream = from
	}
	return true
}

// Depart ends the replay: the calls that matched are recorded as if they had never been compared.
func (r *Recording) Depart() {
	if r.like == nil {
		return
	}
	like, n := r.like, r.replay.close()
	r.like, r.replay = nil, nil
	r.values = r.values[:0] // launch gives each parameter the place and the value that it has
	for i := range like.calls[:n] {
		c := &like.calls[i]
		switch c.kind {
		case tracedLaunch:
			is := &like.nodes[c.nodes-1]
			r.launch(c.stream, is.function, driver.Launch{Grid: c.grid, Block: c.block, SharedBytes: c.shared}, is.params)
		case tracedCopy:
			r.Copy(c.stream, like.nodes[c.nodes-1].copy)
		case tracedFill:
			r.Fill(c.stream, like.nodes[c.nodes-1].fill)
		case tracedCreate:
			r.Created(c.stream)
		case tracedSynchronize:
			r.Synchronize(c.stream)
		case tracedRecord:
			r.Record(driver.Event(c.what), c.stream)
		case tracedForget:
			r.Forget(driver.Event(c.what))
		case tracedWait:
			r.Wait(c.stream, driver.Event(c.what))
		case tracedEventSynchronize:
			r.SynchronizeEvent(driver.Event(c.what))
		case tracedWaitFor:
			r.WaitFor(c.stream, driver.Stream(c.what))
		}
	}
}
