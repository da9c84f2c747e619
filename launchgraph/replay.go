package launchgraph

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// traceKind says what a recorded call was. C knows the first three.
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

// Replayed is a call of a recording, for the next one to be compared with. C reads it,
// and writes the sizes of a launch (replay.h).
//
//mgpu:struct replayed kind nodes first shared grid block stream what sizes params values
type Replayed struct {
	kind        traceKind
	nodes       uint32 // that there are with this call
	first       uint32 // 1: of its stream, which was there before
	shared      uint32 // here and below: of a launch
	grid, block driver.Dim3
	stream      driver.Stream
	what        uintptr // a function, an event, another stream
	sizes       uintptr // of []driver.Param
	params      uint32
	values      uint32 // an offset
	before      Before // of a wait: what is no part of the recording
}

// Replay is how far a recording's calls were those of an earlier one. C goes along it,
// and asks Go where a part of the graph is complete, or a call is another one. One
// thread's calls go along; another thread may close it at any time.
//
//mgpu:struct replay
type Replay struct {
	next   atomic.Uint64 // calls that were the same; closed: no more will be
	count  uint64
	calls  uintptr // of []Replayed
	values uintptr // where parameters go
	border uint64  // a part of the graph ends with so many nodes; zero: none does
	On     driver.Stream
	// Unawaited is how much work from before the recording a wait may be for. As long
	// as there is any, C records no wait.
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

// nodesAfter is how many nodes the first n calls made.
func (r *Recording) nodesAfter(n int) int {
	if n == 0 {
		return 0
	}
	return int(r.calls[n-1].nodes)
}

// LastStream is the stream of the latest call that had one, zero if none had. made
// tells whether it was made while recording.
func (r *Recording) LastStream() (s driver.Stream, made bool) {
	for i := len(r.calls) - 1; i >= 0; i-- {
		if s := r.calls[i].stream; s != 0 {
			return s, r.find(s).made
		}
	}
	return 0, false
}

// Repeatable tells whether a recording may be compared with this one.
func (r *Recording) Repeatable() bool { return len(r.nodes) > 0 && len(r.calls) > 0 }

// Repeat begins the recording, which is empty: its calls are compared with those of
// an earlier one, which stays as it is meanwhile, and nothing but the parameters of
// launches is noted as long as they are the same.
func (r *Recording) Repeat(like *Recording, t *Replay) {
	r.values = append(r.values[:0], like.values...)
	r.like, r.replay, r.was = like, t, like
	t.calls, t.values = addressOf(like.calls), addressOf(r.values)
	t.count, t.border, t.On = uint64(len(like.calls)), 0, 0
	t.next.Store(0)
}

// Like is the recording that is repeated, nil if none is.
func (r *Recording) Like() *Recording { return r.like }

// Expect makes Due tell when there are so many nodes. Zero: never.
func (r *Recording) Expect(nodes int) { r.replay.border = uint64(nodes) }

// Due tells whether all is repeated that was expected.
func (r *Recording) Due() bool {
	return r.like != nil && r.replay.border != 0 && uint64(r.Len()) >= r.replay.border
}

// Complete tells whether all calls have been repeated.
func (r *Recording) Complete() bool { return r.like != nil && r.replay.at() == len(r.like.calls) }

// next is the call of the earlier recording that comes next, if it is this one; nil:
// it is not, or nothing is repeated.
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

// Depart ends the comparison: what was repeated is recorded as if nothing had been
// compared.
func (r *Recording) Depart() {
	if r.like == nil {
		return
	}
	like, n := r.like, r.replay.close()
	r.like, r.replay = nil, nil
	r.values = r.values[:0] // the parameters come to lie where they are
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
