package trace

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
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

// Slice is something that took time. Slices of one track nest.
type Slice struct {
	Track      int
	Start, End uint64 // nanoseconds
	Name       string
	Class      string // "call", "driver", "kernel", "copy", "fill", "region", "range"
	Args       []Arg

	record Record
}

// Instant is a moment on a track.
type Instant struct {
	Track int
	At    uint64
	Name  string
	Class string
}

// Flow leads from one slice to another.
type Flow struct {
	Name     string
	From, To int // tracks
	Out, In  uint64
}

// Sample is a counter's value from a moment on.
type Sample struct {
	Process int
	At      uint64
	Name    string
	Value   int64
}

// Timeline is what the records of a process say.
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

// host is a thread's calls, by start; their indices in Timeline.Slices.
type host struct {
	track int
	calls []int
}

// lane is a row of a stream's.
type lane struct {
	device int
	stream uint64
	number int
}

// deviceProcess is what a device's process is numbered from: more than any process of Linux.
const deviceProcess = 1 << 23

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

// silent are calls that no slice stands for: their ranges do.
func silent(name string) bool {
	return strings.HasPrefix(name, "mgpuxRange") || strings.HasPrefix(name, "mgpuxMark") || strings.HasPrefix(name, "mgpuxTrace")
}

func (t *Timeline) addCalls() {
	add := func(r Record, unfinished bool) {
		name := t.Part.call(r.Call)
		if silent(name) {
			return
		}
		h := t.host(r.Thread)
		s := Slice{Track: h.track, Start: r.Start, End: r.End, Name: name, Class: "call", record: r, Args: t.arguments(name, &r, unfinished)}
		if unfinished {
			s.End = t.until
			s.Args = append(s.Args, Arg{"unfinished", true})
		}
		h.calls = append(h.calls, len(t.Slices))
		t.Slices = append(t.Slices, s)
	}
	for i := range t.Part.records {
		if r := t.Part.records[i]; r.Kind == TraceCall {
			add(r, false)
		}
	}
	for _, r := range t.Part.open {
		if h := t.hosts[r.Thread]; h == nil || len(h.calls) == 0 || t.Slices[h.calls[len(h.calls)-1]].End <= r.Start {
			add(r, true) // else the record was written, and the note of it not yet taken back
		}
	}
}

func isLaunch(name string) bool { return strings.HasPrefix(name, "mgpuLaunch") }

// streamArgument returns the stream that a call is about. ok: it has one.
func streamArgument(name string, r *Record) (stream uint64, ok bool) {
	switch {
	case isLaunch(name):
		return r.X[1], true
	case strings.HasPrefix(name, "mgpuStream"), name == "mgpuEventRecord", strings.HasPrefix(name, "mgpuMemcpy"),
		strings.HasPrefix(name, "mgpuMemset"), name == "mgpuxGraphLaunch":
		if name == "mgpuStreamCreate" {
			return r.X[4], true
		}
		return r.X[3], true
	}
	return 0, false
}

// arguments are what a call's record says.
func (t *Timeline) arguments(name string, r *Record, unfinished bool) (args []Arg) {
	add := func(name string, value any) { args = append(args, Arg{name, value}) }
	if r.Number != 0 {
		add("call", r.Number)
	}
	if unfinished {
		return args
	}
	hex := func(name string, v uint64) {
		if v != 0 {
			add(name, fmt.Sprintf("%#x", v))
		}
	}
	switch {
	case isLaunch(name):
		x := r.X
		add("kernel", t.Part.kernel(x[0], r.End))
		add("grid", fmt.Sprintf("%d,%d,%d", uint32(x[2]), x[2]>>32, uint32(x[3])))
		add("block", fmt.Sprintf("%d,%d,%d", x[3]>>32, uint32(x[4]), x[4]>>32))
		if shared := uint32(x[5]); shared != 0 {
			add("shared bytes", uint64(shared))
		}
	case strings.HasPrefix(name, "mgpuMemcpy"):
		hex("to", r.X[0])
		hex("from", r.X[1])
	case strings.HasPrefix(name, "mgpuMemset"):
		hex("to", r.X[0])
		add("value", r.X[1])
	case strings.HasPrefix(name, "mgpuxGraph"):
		hex("region", r.X[0])
	case strings.HasPrefix(name, "mgpuMemAlloc"):
		hex("at", r.X[4])
	case strings.HasPrefix(name, "mgpuEvent"), name == "mgpuStreamWaitEvent":
		hex("event", max(r.X[0], r.X[4]))
	case strings.HasPrefix(name, "mgpuModule"):
		hex(map[bool]string{true: "module", false: "image"}[!strings.Contains(name, "Load")], r.X[0])
		if name == "mgpuModuleGetFunction" && r.X[4] != 0 {
			add("kernel", t.Part.kernel(r.X[4], r.End))
		}
	default:
		hex("at", r.X[0])
	}
	if !isLaunch(name) && r.X[2] != 0 {
		add("bytes", r.X[2])
	}
	if stream, ok := streamArgument(name, r); ok {
		add("stream", t.streamName(stream))
	}
	if r.X[5]>>32 == TraceRecorded {
		add("way", "recorded into a region")
	}
	return args
}

// streamName numbers streams as they are first seen.
func (t *Timeline) streamName(stream uint64) string {
	if stream == 0 {
		return "null stream"
	}
	n, ok := t.order[stream]
	if !ok {
		n = len(t.order) + 1
		t.order[stream] = n
	}
	if name := t.Part.streams[stream]; name != "" {
		return fmt.Sprintf("stream %d: %s", n, name)
	}
	return fmt.Sprintf("stream %d", n)
}

// around returns the call of a thread that is under way at a moment, nil if none is.
func (t *Timeline) around(thread uint32, at uint64) *Slice {
	h := t.hosts[thread]
	if h == nil {
		return nil
	}
	i := sort.Search(len(h.calls), func(i int) bool { return t.Slices[h.calls[i]].Start > at }) - 1
	if i < 0 || t.Slices[h.calls[i]].End < at {
		return nil
	}
	return &t.Slices[h.calls[i]]
}

// addDriverCalls puts driver calls inside the mgpu calls that made them, and outcomes into their arguments.
func (t *Timeline) addDriverCalls() {
	saved := map[*Slice]bool{}
	var calls []Slice
	for i := range t.Part.records {
		r := &t.Part.records[i]
		call := t.around(r.Thread, r.Start+(r.End-r.Start)/2)
		switch r.Kind {
		case TraceDriver:
			calls = append(calls, t.driverCall(r, call))
		case TraceOutcome:
			if call != nil && !saved[call] {
				saved[call] = true
				call.Args = append(call.Args, Arg{"outcome", map[uint64]string{Missed: "miss", Refused: "refused", Failed: "failed"}[r.X[0]]})
				if why := t.Part.texts[r.X[1]]; why != "" {
					call.Args = append(call.Args, Arg{"why", why})
				}
			}
		}
	}
	for _, h := range t.hosts {
		for _, i := range h.calls {
			if call := &t.Slices[i]; pooled[call.Name] && !saved[call] {
				call.Args = append(call.Args, Arg{"outcome", "hit"})
			}
		}
	}
	t.Slices = append(t.Slices, calls...) // which moves the others
}

// pooled are the calls that a pool or a cache may answer.
var pooled = map[string]bool{"mgpuModuleLoad": true, "mgpuModuleLoadJIT": true, "mgpuModuleUnload": true, "mgpuModuleGetFunction": true,
	"mgpuStreamCreate": true, "mgpuStreamDestroy": true, "mgpuEventCreate": true, "mgpuEventDestroy": true, "mgpuMemAlloc": true, "mgpuMemFree": true}

func (t *Timeline) driverCall(r *Record, call *Slice) Slice {
	name := t.Part.texts[r.X[0]]
	switch r.X[0] {
	case TraceLaunch:
		name = "LaunchKernel"
	case TraceGraph:
		name = "GraphLaunch"
	case TraceSynchronize:
		name = "StreamSynchronize"
	}
	if r.X[0] == TraceWait && call != nil {
		name = strings.TrimPrefix(call.Name, "mgpu")
	}
	s := Slice{Track: t.host(r.Thread).track, Start: r.Start, End: r.End, Name: "driver " + name, Class: "driver", record: *r}
	if call != nil { // two clocks were read: what is inside is not to stick out
		s.Start, s.End = max(s.Start, call.Start), min(s.End, call.End)
		launches := s.Name == "driver LaunchKernel" || s.Name == "driver GraphLaunch"
		if isLaunch(call.Name) && launches && !slices.ContainsFunc(call.Args, func(a Arg) bool { return a.Name == "way" }) {
			call.Args = append(call.Args, Arg{"way", map[bool]string{true: "one-node graph", false: "launch"}[r.X[0] == TraceGraph]})
		}
	}
	return s
}

// addRanges makes slices of the ranges that the program pushes and pops.
func (t *Timeline) addRanges() {
	open := map[uint32][]Record{}
	end := func(r Record, at uint64) {
		t.Slices = append(t.Slices, Slice{Track: t.host(r.Thread).track, Start: r.Start, End: at, Name: t.Part.texts[r.X[0]], Class: "range", record: r})
	}
	for _, r := range t.Part.records {
		switch stack := open[r.Thread]; {
		case r.Kind == TracePush:
			open[r.Thread] = append(stack, r)
		case r.Kind == TracePop && len(stack) > 0:
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
		class := map[uint64]string{Line: "line", Note: "note", Verdict: "verdict"}[r.X[1]]
		switch r.Kind {
		case TraceMark:
			class = "mark"
		case TraceInstant:
		default:
			continue
		}
		t.Instants = append(t.Instants, Instant{t.host(r.Thread).track, r.Start, t.Part.texts[r.X[0]], class})
	}
}

// addEventFlows leads from each record of an event to what waits for it.
func (t *Timeline) addEventFlows() {
	recorded := map[uint64]*Slice{}
	for i := range t.Slices {
		switch s := &t.Slices[i]; {
		case s.Class != "call":
		case s.Name == "mgpuEventRecord":
			recorded[s.record.X[0]] = s
		case s.Name == "mgpuStreamWaitEvent", s.Name == "mgpuEventSynchronize":
			if from := recorded[s.record.X[0]]; from != nil && from.Start <= s.Start {
				t.Flows = append(t.Flows, Flow{"event", from.Track, s.Track, from.Start, s.Start})
			}
		}
	}
}

// addCounters adds what memory, streams and submissions come to.
func (t *Timeline) addCounters() {
	var live, out int64
	blocks := map[uint64]int64{}
	add := func(at uint64, name string, value int64) {
		t.Samples = append(t.Samples, Sample{t.Part.Process, at, name, value})
	}
	for i := range t.Part.records {
		r := &t.Part.records[i]
		if r.Kind == TraceCounter {
			name := map[uint64]string{MemoryLive: "memory in use of device %d", MemoryCached: "memory cached of device %d"}[r.X[0]]
			add(r.Start, fmt.Sprintf(name, r.X[1]), int64(r.X[2]))
			continue
		}
		if r.Kind != TraceCall {
			continue
		}
		switch t.Part.call(r.Call) {
		case "mgpuMemAlloc":
			if r.X[4] != 0 {
				blocks[r.X[4]] = int64(r.X[2])
				live += int64(r.X[2])
				add(r.End, "bytes allocated", live)
			}
		case "mgpuMemFree":
			if n, ok := blocks[r.X[0]]; ok {
				delete(blocks, r.X[0])
				live -= n
				add(r.End, "bytes allocated", live)
			}
		case "mgpuStreamCreate":
			out++
			add(r.End, "streams out", out)
		case "mgpuStreamDestroy":
			out--
			add(r.End, "streams out", out)
		}
	}
	t.addPending(add)
	slices.SortStableFunc(t.Samples, func(a, b Sample) int { return cmp.Compare(a.At, b.At) })
}

// addPending counts the work that is submitted and not done.
func (t *Timeline) addPending(add func(uint64, string, int64)) {
	type change struct {
		at uint64
		by int64
	}
	var changes []change
	for i := range t.Slices {
		if s := &t.Slices[i]; s.record.Kind == TraceDevice {
			changes = append(changes, change{min(s.record.X[4], s.Start), 1}, change{s.End, -1})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	pending := int64(0)
	for _, c := range changes {
		pending += c.by
		add(c.at, "submissions pending", pending)
	}
}
