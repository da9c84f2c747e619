package launchgraph

import (
	"slices"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// frontier is a point in a recording: the last nodes of the work before that point.
type frontier struct {
	nodes []int32
	// hostWaits is the number of host waits before the point. The work at the point follows all work that these waits
	// covered.
	hostWaits int
	before    Before
}

// Before is a set of streams whose work from before the recording comes before something. The first streams have a bit
// each, in the order of their first use. All later streams share a bit. The default stream has its own bit.
type Before uint64

const (
	defaultStream Before = 1 << 63
	laterStreams         = 62
)

func beforeOf(index int) Before { return 1 << min(index, laterStreams) }

// Of reports whether set includes the stream.
func (r *Recording) Of(s driver.Stream, set Before) bool {
	all := r.streams
	if r.like != nil {
		all = r.like.streams
	}
	i := slices.IndexFunc(all, func(q queue) bool { return q.stream == s })
	return i >= 0 && set&beforeOf(i) != 0
}

// OfDefault reports whether the set includes the default stream, for drivers that order other streams with the default
// stream.
func (set Before) OfDefault() bool { return set&defaultStream != 0 }

// queue is the state of one stream within a recording.
type queue struct {
	stream driver.Stream
	last   frontier
	since  int32 // number of its first call; -1: none yet
	made   bool  // created within the recording
	waits  bool  // waits for another stream, or for its work from before the recording
}

func (r *Recording) find(s driver.Stream) *queue {
	for i := range r.streams {
		if r.streams[i].stream == s {
			return &r.streams[i]
		}
	}
	return nil
}

func (r *Recording) queue(s driver.Stream) *queue {
	if q := r.find(s); q != nil {
		return q
	}
	n := len(r.streams)
	if n < cap(r.streams) {
		r.streams = r.streams[:n+1]
	} else {
		r.streams = append(r.streams, queue{})
	}
	q := &r.streams[n]
	*q = queue{stream: s, last: frontier{nodes: q.last.nodes[:0], before: beforeOf(n)}, since: -1}
	return q
}

// Knows reports whether the recording uses the stream.
func (r *Recording) Knows(s driver.Stream) bool {
	if r.like != nil {
		q := r.like.find(s)
		return q != nil && q.since >= 0 && int(q.since) < r.at
	}
	return r.find(s) != nil
}

// Note adds a stream to the recording.
func (r *Recording) Note(s driver.Stream) {
	if r.like == nil {
		r.queue(s)
	}
}

// Created records the creation of a stream, which has no work from before the recording.
func (r *Recording) Created(s driver.Stream) {
	if r.next(createCall, s, 0) != nil || r.createdInstead(s) {
		r.at++
		return
	}
	r.Depart()
	r.queue(s).made = true
	r.note(createCall, s, 0)
}

// Synchronize records that the host waits for a stream. It returns the streams whose work from before the recording
// that wait covers. The caller waits for that work.
func (r *Recording) Synchronize(s driver.Stream) Before {
	if c := r.next(synchronizeCall, s, 0); c != nil {
		r.at++
		return c.before
	}
	r.Depart()
	return r.wait(synchronizeCall, s, 0, &r.queue(s).last)
}

// SynchronizeEvent records that the host waits for an event, like Synchronize. It returns
// false for an event that was not recorded here.
func (r *Recording) SynchronizeEvent(e driver.Event) (Before, bool) {
	if c := r.next(eventSynchronizeCall, 0, uintptr(e)); c != nil {
		r.at++
		return c.before, true
	}
	r.Depart()
	at := r.events[e]
	if at == nil {
		return 0, false
	}
	return r.wait(eventSynchronizeCall, 0, uintptr(e), at), true
}

// Free records a free of memory: all later work follows all earlier work. The host does not wait for the recorded work.
func (r *Recording) Free() {
	if r.next(freeCall, 0, 0) != nil {
		r.at++
		return
	}
	r.Depart()
	r.host.nodes = r.host.nodes[:0]
	for i := range r.streams {
		r.host.nodes = merged(r.host.nodes, r.streams[i].last.nodes)
	}
	r.host.hostWaits++
	r.note(freeCall, 0, 0)
}

func (r *Recording) wait(kind callKind, s driver.Stream, what uintptr, at *frontier) Before {
	if len(at.nodes) > 0 {
		r.waited = true
		if at.hostWaits == r.host.hostWaits { // the point follows all work that the host waited for before
			r.host.nodes = append(r.host.nodes[:0], at.nodes...)
		} else {
			r.host.nodes = merged(r.host.nodes, at.nodes)
		}
		r.host.hostWaits++
	}
	r.note(kind, s, what)
	r.calls[len(r.calls)-1].before = at.before
	return at.before
}

// Record records an event.
func (r *Recording) Record(e driver.Event, s driver.Stream) {
	if r.next(recordCall, s, uintptr(e)) != nil {
		r.at++
		return
	}
	r.Depart()
	if r.events == nil {
		r.events = map[driver.Event]*frontier{}
	}
	at := r.events[e]
	if at == nil {
		at = &frontier{}
		r.events[e] = at
	}
	last := &r.queue(s).last
	at.nodes, at.hostWaits, at.before = append(at.nodes[:0], last.nodes...), last.hostWaits, last.before
	r.note(recordCall, s, uintptr(e))
}

// Forget records that an event is destroyed.
func (r *Recording) Forget(e driver.Event) {
	if r.next(forgetCall, 0, uintptr(e)) != nil {
		r.at++
		return
	}
	r.Depart()
	delete(r.events, e)
	r.note(forgetCall, 0, uintptr(e))
}

// Wait records that a stream waits for an event. It returns false for an event that was
// not recorded here.
func (r *Recording) Wait(s driver.Stream, e driver.Event) bool {
	if r.next(waitCall, s, uintptr(e)) != nil {
		r.at++
		return true
	}
	r.Depart()
	at := r.events[e]
	if at != nil {
		r.follow(s, at)
		r.note(waitCall, s, uintptr(e))
	}
	return at != nil
}

// WaitFor records that a stream waits for all work of another one.
func (r *Recording) WaitFor(s, other driver.Stream) {
	if r.next(waitForCall, s, uintptr(other)) != nil {
		r.at++
		return
	}
	r.Depart()
	if s != other {
		at := r.queue(other).last
		r.follow(s, &at)
	}
	r.note(waitForCall, s, uintptr(other))
}

func (r *Recording) follow(s driver.Stream, at *frontier) {
	q := r.queue(s)
	q.waits = true
	last := &q.last
	last.nodes = merged(last.nodes, at.nodes)
	last.hostWaits = max(last.hostWaits, at.hostWaits)
	last.before |= at.before
}

// merged returns list with those elements of more that list lacks.
func merged(list, more []int32) []int32 {
	for _, i := range more {
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}
