package launchgraph

import (
	"slices"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Kind says what a node does.
type Kind uint8

// Kinds.
const (
	Kernel Kind = iota
	Copy
	Fill
)

// node is a piece of recorded work.
type node struct {
	kind     Kind
	after    span // of Recording.edges: nodes recorded before
	function driver.Function
	launch   driver.Launch // without stream and parameters
	params   []driver.Param
	values   span // of Recording.values: the parameters one after another
	copy     driver.Copy
	fill     driver.Fill
}

type span struct{ from, to int32 }

func of[T any](all []T, s span) []T { return all[s.from:s.to] }

// frontier is a moment: the latest nodes of all that precede it.
type frontier struct {
	nodes []int32
	// turn is the host's latest turn that the nodes know of: they follow what the host
	// had waited for then.
	turn int
}

// Recording is work in the order in which a program submitted it. The zero value is
// empty. What it holds is reused after Reset, so that recording the same again
// allocates nothing.
type Recording struct {
	nodes   []node
	edges   []int32
	values  []byte
	streams []queue
	events  map[driver.Event]*frontier
	host    frontier // what the host has waited for
	waited  bool
}

// queue is a stream.
type queue struct {
	stream driver.Stream
	last   frontier
}

// Reset empties the recording.
func (r *Recording) Reset() {
	r.nodes, r.edges, r.values = r.nodes[:0], r.edges[:0], r.values[:0]
	r.streams = r.streams[:0]
	clear(r.events)
	r.host = frontier{nodes: r.host.nodes[:0]}
	r.waited = false
}

// Len is the number of nodes.
func (r *Recording) Len() int { return len(r.nodes) }

// Waited tells whether the host has waited for any of it.
func (r *Recording) Waited() bool { return r.waited }

// Streams calls f for each stream that has work, in the order of their first.
func (r *Recording) Streams(f func(driver.Stream)) {
	for i := range r.streams {
		if len(r.streams[i].last.nodes) > 0 {
			f(r.streams[i].stream)
		}
	}
}

// Knows tells whether the stream was used.
func (r *Recording) Knows(s driver.Stream) bool {
	return slices.ContainsFunc(r.streams, func(q queue) bool { return q.stream == s })
}

// Note makes the stream known.
func (r *Recording) Note(s driver.Stream) { r.queue(s) }

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

func (r *Recording) queue(s driver.Stream) *queue {
	for i := range r.streams {
		if r.streams[i].stream == s {
			return &r.streams[i]
		}
	}
	if n := len(r.streams); n < cap(r.streams) {
		r.streams = r.streams[:n+1]
		q := &r.streams[n]
		q.stream, q.last = s, frontier{nodes: q.last.nodes[:0]}
		return q
	}
	r.streams = append(r.streams, queue{stream: s})
	return &r.streams[len(r.streams)-1]
}

// add appends a node to a stream: behind what was submitted there before, and what
// the host has waited for.
func (r *Recording) add(s driver.Stream, n node) *node {
	q := r.queue(s)
	from := int32(len(r.edges))
	r.edges = append(r.edges, q.last.nodes...)
	if q.last.turn < r.host.turn || len(q.last.nodes) == 0 {
		for _, i := range r.host.nodes {
			if !slices.Contains(q.last.nodes, i) {
				r.edges = append(r.edges, i)
			}
		}
	}
	n.after = span{from, int32(len(r.edges))}
	q.last.nodes = append(q.last.nodes[:0], int32(len(r.nodes)))
	q.last.turn = r.host.turn
	r.nodes = append(r.nodes, n)
	return &r.nodes[len(r.nodes)-1]
}

// Launch records a launch. values is filled with the parameters, which lie one after
// another in the sizes of params; params stays what it is.
func (r *Recording) Launch(s driver.Stream, f driver.Function, l driver.Launch, params []driver.Param) (values []byte) {
	bytes := uint32(0)
	for _, p := range params {
		bytes += p.Size
	}
	l.Stream, l.Params, l.Extra = 0, 0, 0
	from := len(r.values)
	to := from + int(bytes)
	if to > cap(r.values) {
		r.values = slices.Grow(r.values, int(bytes))
	}
	r.values = r.values[:to]
	r.add(s, node{kind: Kernel, function: f, launch: l, params: params, values: span{int32(from), int32(to)}})
	return r.values[from:to]
}

// Unlaunch takes the launch back that was recorded last.
func (r *Recording) Unlaunch(s driver.Stream) {
	n := &r.nodes[len(r.nodes)-1]
	q := r.queue(s)
	q.last.nodes = append(q.last.nodes[:0], of(r.edges, n.after)...)
	r.values = r.values[:n.values.from]
	r.edges = r.edges[:n.after.from]
	r.nodes = r.nodes[:len(r.nodes)-1]
}

// Copy records a copy.
func (r *Recording) Copy(s driver.Stream, c driver.Copy) { r.add(s, node{kind: Copy, copy: c}) }

// Fill records a fill.
func (r *Recording) Fill(s driver.Stream, f driver.Fill) { r.add(s, node{kind: Fill, fill: f}) }

// Synchronize records that the host waits for a stream.
func (r *Recording) Synchronize(s driver.Stream) { r.wait(&r.queue(s).last) }

// SynchronizeEvent records that the host waits for an event; false: none that was
// recorded here.
func (r *Recording) SynchronizeEvent(e driver.Event) bool {
	at := r.events[e]
	if at != nil {
		r.wait(at)
	}
	return at != nil
}

func (r *Recording) wait(at *frontier) {
	r.waited = true
	if len(at.nodes) == 0 {
		return
	}
	if at.turn == r.host.turn { // these follow all that was waited for before
		r.host.nodes = append(r.host.nodes[:0], at.nodes...)
	} else {
		r.host.nodes = merged(r.host.nodes, at.nodes)
	}
	r.host.turn++
}

// Record records an event.
func (r *Recording) Record(e driver.Event, s driver.Stream) {
	if r.events == nil {
		r.events = map[driver.Event]*frontier{}
	}
	at := r.events[e]
	if at == nil {
		at = &frontier{}
		r.events[e] = at
	}
	last := &r.queue(s).last
	at.nodes, at.turn = append(at.nodes[:0], last.nodes...), last.turn
}

// Forget ends what is known of an event.
func (r *Recording) Forget(e driver.Event) { delete(r.events, e) }

// Wait records that a stream waits for an event; false: none that was recorded here.
func (r *Recording) Wait(s driver.Stream, e driver.Event) bool {
	at := r.events[e]
	if at != nil {
		r.follow(s, at)
	}
	return at != nil
}

// WaitFor records that a stream waits for all that another one has.
func (r *Recording) WaitFor(s, other driver.Stream) {
	if s != other {
		at := r.queue(other).last
		r.follow(s, &at)
	}
}

func (r *Recording) follow(s driver.Stream, at *frontier) {
	last := &r.queue(s).last
	last.nodes = merged(last.nodes, at.nodes)
	last.turn = max(last.turn, at.turn)
}

// merged adds to a list what it does not have.
func merged(list, more []int32) []int32 {
	for _, i := range more {
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// sameShape tells whether two recordings differ in what their nodes are given, at
// most.
func (r *Recording) sameShape(other *Recording) bool {
	return len(r.nodes) == len(other.nodes) && slices.Equal(r.edges, other.edges) &&
		slices.EqualFunc(r.nodes, other.nodes, func(a, b node) bool { return a.kind == b.kind && a.after == b.after })
}

// sameNode tells whether node i of both is given the same.
func (r *Recording) sameNode(other *Recording, i int) bool {
	a, b := &r.nodes[i], &other.nodes[i]
	switch a.kind {
	case Kernel:
		return a.function == b.function && a.launch == b.launch && string(of(r.values, a.values)) == string(of(other.values, b.values))
	case Copy:
		return a.copy == b.copy
	}
	return a.fill == b.fill
}

// Clone copies the recording's work.
func (r *Recording) Clone() *Recording {
	return &Recording{nodes: slices.Clone(r.nodes), edges: slices.Clone(r.edges), values: slices.Clone(r.values), waited: r.waited}
}

// Shape is a number that recordings of the same shape have in common, and most of
// others not.
func (r *Recording) Shape() uint64 {
	h := uint64(14695981039346656037)
	mix := func(v uint64) { h = (h ^ v) * 1099511628211 }
	for i := range r.nodes {
		n := &r.nodes[i]
		mix(uint64(n.kind) + 1)
		mix(uint64(n.function))
		for _, k := range of(r.edges, n.after) {
			mix(uint64(k) + 8)
		}
	}
	return h
}
