package launchgraph

import (
	"slices"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Kind is what a node does.
type Kind uint8

// Kinds.
const (
	Kernel Kind = iota
	Copy
	Fill
)

// node is one recorded launch, copy or fill.
type node struct {
	kind     Kind
	after    span // of Recording.edges: the nodes that this node follows
	call     int32
	function driver.Function
	launch   driver.Launch // without stream and parameters
	params   []driver.Param
	values   span // of Recording.values: the parameters, each at its offset
	copy     driver.Copy
	fill     driver.Fill
}

type span struct{ from, to int32 }

func elements[T any](all []T, s span) []T { return all[s.from:s.to] }

// Recording is work in the order in which a program submitted it. The zero value is empty. Reset keeps the memory, so
// that recording the same work again allocates nothing.
type Recording struct {
	nodes   []node
	edges   []int32
	values  []byte
	calls   []call
	streams []queue
	events  map[driver.Event]*frontier
	host    frontier // the work that the host has waited for
	waited  bool

	// While all calls match those of an earlier recording, replay counts them. Of the fields above, only values is
	// filled then.
	replay
}

// Reset empties the recording.
func (r *Recording) Reset() {
	r.nodes, r.edges, r.values, r.calls = r.nodes[:0], r.edges[:0], r.values[:0], r.calls[:0]
	r.streams = r.streams[:0]
	clear(r.events)
	r.host = frontier{nodes: r.host.nodes[:0]}
	r.waited = false
	r.replay = replay{}
}

// Len returns the number of nodes.
func (r *Recording) Len() int {
	if r.like != nil {
		return r.like.nodesAfter(r.at)
	}
	return len(r.nodes)
}

// Waited reports whether the host has waited for any of the recorded work.
func (r *Recording) Waited() bool { return r.waited }

// Streams calls f for each stream that has work or waited for another stream, in the order of the streams' first calls.
func (r *Recording) Streams(f func(driver.Stream)) {
	for i := range r.streams {
		if q := &r.streams[i]; q.waits || len(q.last.nodes) > 0 {
			f(r.streams[i].stream)
		}
	}
}

// Orders reports whether any stream or event follows another stream or event.
func (r *Recording) Orders() bool {
	if r.like != nil {
		return slices.ContainsFunc(r.like.calls[:r.at], func(c call) bool {
			return c.kind == recordCall || c.kind == waitCall || c.kind == waitForCall
		})
	}
	return len(r.events) > 0 || slices.ContainsFunc(r.streams, func(q queue) bool { return q.waits })
}

// Events calls f for each event that was recorded.
func (r *Recording) Events(f func(driver.Event)) {
	for e := range r.events {
		f(e)
	}
}

// Functions calls f for each launch's function.
func (r *Recording) Functions(f func(driver.Function)) {
	for i := range r.nodes {
		if r.nodes[i].kind == Kernel {
			f(r.nodes[i].function)
		}
	}
}

// Launches calls f for each launch, without its parameters.
func (r *Recording) Launches(f func(driver.Function, driver.Launch)) {
	for i := range r.nodes {
		if n := &r.nodes[i]; n.kind == Kernel {
			f(n.function, n.launch)
		}
	}
}

// add appends a node to a stream. The node follows the stream's earlier work and all that
// the host has waited for.
func (r *Recording) add(s driver.Stream, n node) {
	q := r.queue(s)
	from := int32(len(r.edges))
	r.edges = append(r.edges, q.last.nodes...)
	if q.last.hostWaits < r.host.hostWaits || len(q.last.nodes) == 0 {
		for _, i := range r.host.nodes {
			if !slices.Contains(q.last.nodes, i) {
				r.edges = append(r.edges, i)
			}
		}
	}
	n.after = span{from, int32(len(r.edges))}
	n.call = int32(len(r.calls))
	q.last.nodes = append(q.last.nodes[:0], int32(len(r.nodes)))
	q.last.hostWaits = r.host.hostWaits
	q.last.before |= defaultStream
	r.nodes = append(r.nodes, n)
}

// Launch records a launch. The caller copies the parameters to their offsets in values, and must not change params
// afterwards.
func (r *Recording) Launch(s driver.Stream, f driver.Function, l driver.Launch, params []driver.Param) (values []byte) {
	if c := r.next(launchCall, s, uintptr(f)); c != nil {
		c.grid, c.block, c.shared = l.Grid, l.Block, l.SharedBytes
		r.at++
		return elements(r.values, r.like.nodes[c.nodes-1].values)
	}
	r.Depart()
	at := r.launch(s, f, l, params)
	clear(r.values[at.from:at.to])
	return elements(r.values, at)
}

// launch is Launch without clearing the parameters' values.
func (r *Recording) launch(s driver.Stream, f driver.Function, l driver.Launch, params []driver.Param) span {
	bytes := 0
	for _, p := range params {
		bytes = max(bytes, int(p.Offset+p.Size))
	}
	from := (len(r.values) + 15) &^ 15
	to := from + bytes
	if to > cap(r.values) {
		// Allocations of 64 bytes or more are aligned enough for any parameter.
		r.values = slices.Grow(r.values, max(to-len(r.values), 64))
	}
	clear(r.values[len(r.values):from])
	r.values = r.values[:to]
	l.Stream, l.Params, l.Extra = 0, 0, 0
	at := span{int32(from), int32(to)}
	r.add(s, node{kind: Kernel, function: f, launch: l, params: params, values: at})
	r.note(launchCall, s, uintptr(f))
	return at
}

// Unlaunch removes the launch that was recorded last.
func (r *Recording) Unlaunch(s driver.Stream) {
	if r.like != nil {
		r.at--
		r.Depart()
		return
	}
	n := &r.nodes[len(r.nodes)-1]
	q := r.queue(s)
	q.last.nodes = append(q.last.nodes[:0], elements(r.edges, n.after)...)
	r.values = r.values[:n.values.from]
	r.edges = r.edges[:n.after.from]
	r.nodes = r.nodes[:len(r.nodes)-1]
	r.calls = r.calls[:len(r.calls)-1]
}

// Copy records a copy.
func (r *Recording) Copy(s driver.Stream, c driver.Copy) {
	if is := r.next(copyCall, s, 0); is != nil && r.like.nodes[is.nodes-1].copy == c {
		r.at++
		return
	}
	r.Depart()
	r.add(s, node{kind: Copy, copy: c})
	r.note(copyCall, s, 0)
}

// Fill records a fill.
func (r *Recording) Fill(s driver.Stream, f driver.Fill) {
	if is := r.next(fillCall, s, 0); is != nil && r.like.nodes[is.nodes-1].fill == f {
		r.at++
		return
	}
	r.Depart()
	r.add(s, node{kind: Fill, fill: f})
	r.note(fillCall, s, 0)
}

// sameShape reports whether the recordings differ at most in their nodes' parameters.
func (r *Recording) sameShape(other *Recording) bool {
	return len(r.nodes) == len(other.nodes) && slices.Equal(r.edges, other.edges) &&
		slices.EqualFunc(r.nodes, other.nodes, func(a, b node) bool { return a.kind == b.kind && a.after == b.after })
}

// sameNode reports whether node i has the same parameters in both recordings.
func (r *Recording) sameNode(other *Recording, i int) bool {
	a, b := &r.nodes[i], &other.nodes[i]
	switch a.kind {
	case Kernel:
		return a.function == b.function && a.launch == b.launch && string(elements(r.values, a.values)) == string(elements(other.values, b.values))
	case Copy:
		return a.copy == b.copy
	}
	return a.fill == b.fill
}

// Clone returns a copy of the recording's work. The copy can't be replayed.
func (r *Recording) Clone() *Recording {
	return &Recording{nodes: slices.Clone(r.nodes), edges: slices.Clone(r.edges), values: slices.Clone(r.values), waited: r.waited}
}

// chain reports whether each node follows the one before it.
func (r *Recording) chain() bool {
	for i := range r.nodes {
		if i > 0 && !slices.Contains(elements(r.edges, r.nodes[i].after), int32(i-1)) {
			return false
		}
	}
	return true
}
