package launchgraph

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// callKind is the kind of a recorded call.
type callKind uint8

const (
	launchCall callKind = iota
	synchronizeCall
	createCall
	copyCall
	fillCall
	recordCall
	forgetCall
	waitCall
	eventSynchronizeCall
	waitForCall
	freeCall
)

// call is a call of a recording. The next recording's calls are compared with these.
type call struct {
	kind        callKind
	nodes       int32 // number of nodes after this call
	shared      uint32
	grid, block driver.Dim3 // like shared, of a launch: a replay stores its own values here
	stream      driver.Stream
	what        uintptr // a function, an event, or another stream
	before      Before  // of a wait: the streams whose work from before the recording it covers
}

// replay is the state of a recording while its calls match those of an earlier one.
type replay struct {
	like   *Recording // nil: nothing is compared
	at     int        // number of calls that matched
	border int        // number of nodes at which the next part of the graph is complete; zero: no part is expected
}

// note appends a call.
func (r *Recording) note(kind callKind, s driver.Stream, what uintptr) {
	c := call{kind: kind, nodes: int32(len(r.nodes)), stream: s, what: what}
	if kind == waitForCall {
		r.used(driver.Stream(what))
	}
	if s != 0 {
		r.used(s)
	}
	if kind == launchCall {
		n := &r.nodes[len(r.nodes)-1]
		c.grid, c.block, c.shared = n.launch.Grid, n.launch.Block, n.launch.SharedBytes
	}
	r.calls = append(r.calls, c)
}

// used notes the first call of a stream.
func (r *Recording) used(s driver.Stream) {
	if q := r.queue(s); q.since < 0 {
		q.since = int32(len(r.calls))
	}
}

// nodesAfter returns the number of nodes that the first n calls made.
func (r *Recording) nodesAfter(n int) int {
	if n == 0 {
		return 0
	}
	return int(r.calls[n-1].nodes)
}

// LastStream returns the stream of the latest call that had a stream; zero if no call had one. made reports whether the
// stream was created within the recording.
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

// Repeat makes the recording, which has to be empty, a replay of like: its calls are compared with the calls of like.
// While they match, only the parameters of launches are stored. like must not change meanwhile.
func (r *Recording) Repeat(like *Recording) {
	r.values = append(r.values[:0], like.values...)
	r.replay = replay{like: like}
}

// Like returns the recording that is being replayed; nil if there is none.
func (r *Recording) Like() *Recording { return r.like }

// Expect sets the number of nodes at which Due becomes true. Zero: never.
func (r *Recording) Expect(nodes int) { r.border = nodes }

// Due reports whether the replay has reached the number of nodes given to Expect.
func (r *Recording) Due() bool { return r.like != nil && r.border != 0 && r.Len() >= r.border }

// Complete reports whether all calls have been replayed.
func (r *Recording) Complete() bool { return r.like != nil && r.at == len(r.like.calls) }

// next returns the earlier recording's next call if it matches; nil if it does not match or there is no replay.
func (r *Recording) next(kind callKind, s driver.Stream, what uintptr) *call {
	if r.like == nil {
		return nil
	}
	i := r.at
	if i >= len(r.like.calls) {
		return nil
	}
	c := &r.like.calls[i]
	if c.kind != kind || c.stream != s || c.what != what {
		return nil
	}
	return c
}

// createdInstead reports whether the earlier recording's next call creates a stream that s can replace. The pool gives
// out streams in any order, and a graph is the same for all of them.
func (r *Recording) createdInstead(s driver.Stream) bool {
	if r.like == nil || r.Complete() {
		return false
	}
	i := r.at
	c := &r.like.calls[i]
	return c.kind == createCall && r.like.exchange(i, c.stream, s)
}

// exchange replaces the stream from, which the call at index first creates, by the stream to in that call and all later
// ones. If these calls also create to, the two are swapped. exchange returns false if an earlier call uses either
// stream.
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
		if c.kind == waitForCall {
			c.what = uintptr(swap(driver.Stream(c.what)))
		}
	}
	q.stream = to
	if other != nil {
		other.stream = from
	}
	return true
}

// Depart ends the replay. The calls that matched are recorded as if they had not been compared.
func (r *Recording) Depart() {
	if r.like == nil {
		return
	}
	like, n := r.like, r.at
	r.replay = replay{}
	r.values = r.values[:0] // launch gives each parameter the place and the value that it has
	for i := range like.calls[:n] {
		c := &like.calls[i]
		switch c.kind {
		case launchCall:
			is := &like.nodes[c.nodes-1]
			r.launch(c.stream, is.function, driver.Launch{Grid: c.grid, Block: c.block, SharedBytes: c.shared}, is.params)
		case copyCall:
			r.Copy(c.stream, like.nodes[c.nodes-1].copy)
		case fillCall:
			r.Fill(c.stream, like.nodes[c.nodes-1].fill)
		case createCall:
			r.Created(c.stream)
		case synchronizeCall:
			r.Synchronize(c.stream)
		case recordCall:
			r.Record(driver.Event(c.what), c.stream)
		case forgetCall:
			r.Forget(driver.Event(c.what))
		case waitCall:
			r.Wait(c.stream, driver.Event(c.what))
		case eventSynchronizeCall:
			r.SynchronizeEvent(driver.Event(c.what))
		case waitForCall:
			r.WaitFor(c.stream, driver.Stream(c.what))
		case freeCall:
			r.Free()
		}
	}
}
