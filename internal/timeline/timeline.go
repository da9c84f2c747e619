package timeline

import (
	"cmp"
	"fmt"
	"sort"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// Arg is an argument of an event: a string, a number or a bool.
type Arg struct {
	Name  string
	Value any
}

// Track is a row of the timeline: a thread of the host, or a lane of a stream.
type Track struct {
	Process, Thread       int
	ProcessName, LaneName string
	Device                bool
}

// Slice is something that takes time. Slices of one track nest.
type Slice struct {
	Track      int
	Start, End uint64 // nanoseconds
	Name       string
	Class      string // "call", "driver", "kernel", "copy", "fill", "region", "range"
	Args       []Arg

	record trace.Record
	call   *calls.Call // the mgpu call of the slice; nil for others
}

// Instant is a point in time on a track.
type Instant struct {
	Track int
	At    uint64
	Name  string
	Class string
}

// Flow connects two slices.
type Flow struct {
	Name     string
	From, To int // tracks
	Out, In  uint64
}

// Sample is the value of a counter from a time on.
type Sample struct {
	Process int
	At      uint64
	Name    string
	Value   int64
}

// Timeline is what the records of a process mean.
type Timeline struct {
	Part     *Part
	Tracks   []Track
	Slices   []Slice
	Instants []Instant
	Flows    []Flow
	Samples  []Sample

	hosts map[uint32]*host
	lanes map[lane]int
	until uint64
	order map[uint64]int // number of each stream by handle
}

// host has a thread's calls in the order of their starts, as indices in Timeline.Slices.
type host struct {
	track   int
	calls   []int
	regions []int // the calls that begin or launch a region
}

// lane is one row of a stream.
type lane struct {
	device int
	stream uint64
	number int
}

// deviceProcess is the first process number for devices, larger than any process number of Linux.
const deviceProcess = 1 << 23

// mostDevices is the highest number of devices of a process.
const mostDevices = 64

// NewTimeline makes the timeline of a file.
func NewTimeline(p *Part) *Timeline {
	t := &Timeline{Part: p, hosts: map[uint32]*host{}, lanes: map[lane]int{}, order: map[uint64]int{}}
	for i := range p.records {
		t.until = max(t.until, p.records[i].End)
	}
	for _, r := range p.open {
		t.until = max(t.until, r.Start+1)
	}
	t.addCalls()
	t.addDriverCalls()
	t.addRanges()
	switch {
	case p.NoGPU:
	case p.recordsWork():
		t.addDeviceWork()
	default:
		t.addBounds()
	}
	t.addMoments()
	t.addEventFlows()
	t.addCounters()
	sort.SliceStable(t.Slices, func(i, j int) bool {
		a, b := &t.Slices[i], &t.Slices[j]
		return cmp.Or(cmp.Compare(a.Track, b.Track), cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) < 0
	})
	return t
}

func (t *Timeline) host(thread uint32) *host {
	h := t.hosts[thread]
	if h == nil {
		h = &host{track: len(t.Tracks)}
		t.hosts[thread] = h
		name := t.Part.threads[thread]
		if name == "" {
			name = "thread"
		}
		t.Tracks = append(t.Tracks, Track{t.Part.Process, int(thread), t.processName(), name, false})
	}
	return h
}

func (t *Timeline) processName() string {
	name := t.Part.Program
	if t.Part.Rank >= 0 {
		name = fmt.Sprintf("rank %d: %s", t.Part.Rank, name)
	}
	return strings.TrimSpace(name)
}

// addRanges adds slices for the ranges that the program pushes and pops.
func (t *Timeline) addRanges() {
	open := map[uint32][]trace.Record{}
	end := func(r trace.Record, at uint64) {
		t.Slices = append(t.Slices, Slice{Track: t.host(r.Thread).track, Start: r.Start, End: at, Name: t.Part.texts[r.X[0]], Class: "range", record: r})
	}
	for _, r := range t.Part.records {
		switch stack := open[r.Thread]; {
		case r.Kind == trace.TracePush:
			open[r.Thread] = append(stack, r)
		case r.Kind == trace.TracePop && len(stack) > 0:
			end(stack[len(stack)-1], r.Start)
			open[r.Thread] = stack[:len(stack)-1]
		}
	}
	for _, stack := range open {
		for _, r := range stack {
			end(r, t.until)
		}
	}
}

// addMoments adds lines, notes and marks.
func (t *Timeline) addMoments() {
	for _, r := range t.Part.records {
		class := map[uint64]string{trace.Line: "line", trace.Note: "note", trace.Verdict: "verdict"}[r.X[1]]
		switch r.Kind {
		case trace.TraceMark:
			class = "mark"
		case trace.TraceInstant:
		default:
			continue
		}
		t.Instants = append(t.Instants, Instant{t.host(r.Thread).track, r.Start, t.Part.texts[r.X[0]], class})
	}
}

// addEventFlows connects each record of an event with what waits for it.
func (t *Timeline) addEventFlows() {
	recorded := map[uint64]*Slice{}
	for i := range t.Slices {
		switch s := &t.Slices[i]; {
		case s.call == nil:
		case s.call.Does == calls.MarksEvent:
			recorded[s.record.X[0]] = s
		case s.call.Does == calls.FollowsEvent, s.call.Does == calls.WaitsEvent:
			if from := recorded[s.record.X[0]]; from != nil && from.Start <= s.Start {
				t.Flows = append(t.Flows, Flow{"event", from.Track, s.Track, from.Start, s.Start})
			}
		}
	}
}
