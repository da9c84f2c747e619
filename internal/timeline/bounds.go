package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// bounds is what is known about the work of a device that does not record times: the work is between the call that
// submitted it and the end of the first wait that covers it. Work that is covered by the same wait is one slice.
type bounds struct {
	t         *Timeline
	queues    map[uint64]*queue   // by stream
	recorded  map[uint64]position // by event
	regions   map[int]*region     // that threads record, by their tracks
	completed []batch
}

// batch is work with the same known upper bound.
type batch struct {
	work   []submission
	stream uint64
	device int
	end    uint64
	known  bool // the program waited for it
}

// queue is the work of a stream that the program has not waited for.
type queue struct {
	open    []submission
	covered int        // number of submissions before those
	follows []position // work of other streams that a wait for this stream covers
}

type submission struct {
	by   *Slice
	name string
}

// region is the region that a thread is recording.
type region struct {
	key     uint64
	streams []uint64 // streams of its calls
	waited  bool     // the host waits for the region at its end
}

// position is a point in a stream: after a number of submissions.
type position struct {
	stream uint64
	count  int
}

func (b *bounds) queue(stream uint64) *queue {
	q := b.queues[stream]
	if q == nil {
		q = &queue{}
		b.queues[stream] = q
	}
	return q
}

func (b *bounds) now(stream uint64) position {
	q := b.queue(stream)
	return position{stream, q.covered + len(q.open)}
}

// positionOf returns the position of an event. Lowered programs may pass a stream instead.
func (b *bounds) positionOf(event uint64) (position, bool) {
	if p, ok := b.recorded[event]; ok {
		return p, true
	}
	if b.queues[event] != nil {
		return b.now(event), true
	}
	return position{}, false
}

// addBounds adds the slices of devices that do not record times.
func (t *Timeline) addBounds() {
	b := &bounds{t: t, queues: map[uint64]*queue{}, recorded: map[uint64]position{}, regions: map[int]*region{}}
	var all []*Slice
	for i := range t.Slices {
		if t.Slices[i].Class == "call" {
			all = append(all, &t.Slices[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *Slice) int { return cmp.Compare(a.End, b.End) })
	device, waits := 0, t.freesThatWaited()
	for _, c := range all {
		if c.call.Does == calls.SetsDevice && c.record.X[0] < mostDevices { // otherwise the call failed
			device = int(c.record.X[0])
		}
		b.add(c, device, waits[c])
	}
	for stream := range b.queues {
		b.finish(b.now(stream), device, t.until, false)
	}
	slices.SortStableFunc(b.completed, func(a, b batch) int { return cmp.Compare(a.start(), b.start()) })
	ends := map[lane]uint64{}
	for i := range b.completed {
		c := &b.completed[i]
		l := lane{device: c.device, stream: c.stream}
		t.place(&l, ends, c.start())
		s := t.boundsSlice(c, t.laneTrack(l))
		ends[l] = max(ends[l], s.End)
		t.Slices = append(t.Slices, s)
	}
}

func (b *batch) start() uint64 { return b.work[0].by.Start }

// freesThatWaited returns the calls of mgpuMemFree that waited for the device.
func (t *Timeline) freesThatWaited() map[*Slice]bool {
	waited := map[*Slice]bool{}
	for i := range t.Part.records {
		r := &t.Part.records[i]
		if r.Kind == trace.TraceInstant && r.X[1] == trace.Note && strings.HasPrefix(t.Part.texts[r.X[0]], trace.FreeWaits) {
			if c := t.around(r.Thread, r.Start); c != nil {
				waited[c] = true
			}
		}
	}
	return waited
}

// add processes a call. Calls come in the order of their ends.
func (b *bounds) add(c *Slice, device int, waitedForAll bool) {
	stream, _ := streamOf(c.call, &c.record)
	if b.addRegion(c, stream, device) {
		return
	}
	submit := func(name string) {
		q := b.queue(stream)
		q.open = append(q.open, submission{c, name})
	}
	event := c.record.X[0]
	switch does := c.call.Does; {
	case c.call.Launches():
		submit(b.t.Part.kernel(c.record.X[0], c.End))
	case c.call.Submits == "region":
		submit(fmt.Sprintf("region %#x", c.record.X[0]))
	case does == calls.SubmitsWork:
		submit(c.call.Submits)
	case does == calls.MarksEvent:
		b.recorded[event] = b.now(stream)
	case does == calls.FollowsEvent:
		if p, ok := b.positionOf(event); ok && p.stream != stream {
			q := b.queue(stream)
			q.follows = append(q.follows, p)
		}
	case does == calls.WaitsStream:
		b.finish(b.now(stream), device, c.End, true)
	case does == calls.WaitsEvent:
		if p, ok := b.positionOf(event); ok {
			b.finish(p, device, c.End, true)
		}
	case waitedForAll:
		for stream := range b.queues {
			b.finish(b.now(stream), device, c.End, true)
		}
	}
}

// addRegion processes a call that is recorded, or that begins or ends a recording. The end submits the region. Its work
// is one slice on its first stream, which the other streams wait for.
func (b *bounds) addRegion(c *Slice, stream uint64, device int) bool {
	r := b.regions[c.Track]
	switch {
	case c.call.Does == calls.BeginsRegion:
		b.regions[c.Track] = &region{key: c.record.X[0]}
	case c.record.X[5]>>32 == trace.TraceRecorded:
		if r != nil && stream != 0 && !slices.Contains(r.streams, stream) {
			r.streams = append(r.streams, stream)
		}
		if r != nil && c.call.Does.Waits() {
			r.waited = true
		}
	case c.call.Does == calls.EndsRegion && r != nil && len(r.streams) > 0:
		delete(b.regions, c.Track)
		first := b.queue(r.streams[0])
		first.open = append(first.open, submission{c, fmt.Sprintf("region %#x", r.key)})
		for _, s := range r.streams[1:] {
			b.queue(s).follows = append(b.queue(s).follows, b.now(r.streams[0]))
		}
		if r.waited {
			b.finish(b.now(r.streams[0]), device, c.End, true)
		}
	default:
		return false
	}
	return true
}

// finish ends a stream's work up to a position, and the work of other streams that it waited for, at time at. known:
// the program waited for it.
func (b *bounds) finish(p position, device int, at uint64, known bool) {
	done := []position{p}
	for i := 0; i < len(done); i++ {
		if q := b.queue(done[i].stream); known && done[i].count-q.covered >= len(q.open) {
			done = append(done, q.follows...) // these may wait for this stream in turn
			q.follows = nil
		}
	}
	for _, p := range slices.Backward(done) {
		q := b.queue(p.stream)
		if n := min(p.count-q.covered, len(q.open)); n > 0 {
			b.completed = append(b.completed, batch{q.open[:n:n], p.stream, device, at, known})
			q.open, q.covered = q.open[n:], q.covered+n
		}
	}
}

func (t *Timeline) boundsSlice(b *batch, track int) Slice {
	work := b.work
	s := Slice{Track: track, Start: b.start(), End: max(b.end, b.start()), Name: work[0].name, Class: "bounds",
		Args: []Arg{{"stream", t.streamName(b.stream)}, {"times", "from the first call to the end of the wait"}}}
	if !b.known {
		s.Args[1].Value = "from the first call on; no call waited for it"
	}
	if len(work) > 1 {
		counts := map[string]int{}
		for _, w := range work {
			counts[w.name]++
		}
		var list []string
		for n, c := range counts {
			list = append(list, fmt.Sprintf("%d %s", c, n))
		}
		slices.Sort(list)
		s.Name = count.Of(len(work), "submission")
		s.Args = append(s.Args, Arg{"work", strings.Join(list, ", ")})
	}
	for _, w := range work {
		t.Flows = append(t.Flows, Flow{"submission", w.by.Track, s.Track, w.by.Start, max(s.Start, w.by.Start)})
	}
	return s
}
