package timeline

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

func (t *Timeline) addCalls() {
	add := func(r trace.Record, unfinished bool) {
		call := t.Part.call(r.Call)
		if call.Annotates {
			return // a range shows it
		}
		h := t.host(r.Thread)
		s := Slice{Track: h.track, Start: r.Start, End: r.End, Name: call.Name, Class: "call", call: call, record: r, Args: t.arguments(call, &r, unfinished)}
		if unfinished {
			s.End = t.until
			s.Args = append(s.Args, Arg{"unfinished", true})
		}
		h.calls = append(h.calls, len(t.Slices))
		if call.Does == calls.BeginsRegion || call.Submits == "region" {
			h.regions = append(h.regions, len(t.Slices))
		}
		t.Slices = append(t.Slices, s)
	}
	for i := range t.Part.records {
		if r := t.Part.records[i]; r.Kind == trace.TraceCall {
			add(r, false)
		}
	}
	for _, r := range t.Part.open {
		if h := t.hosts[r.Thread]; h == nil || len(h.calls) == 0 || t.Slices[h.calls[len(h.calls)-1]].End <= r.Start {
			add(r, true) // otherwise the call was recorded, and its mark as unfinished not yet removed
		}
	}
}

// streamOf returns the stream of a call. ok reports whether it has one.
func streamOf(c *calls.Call, r *trace.Record) (stream uint64, ok bool) {
	if c.Launches() {
		return r.X[1], true
	}
	if c.Creates == calls.Stream {
		return r.X[c.Handle()], true
	}
	at, ok := c.Argument(calls.Stream)
	return r.X[at], ok
}

// arguments returns the arguments in a call's record.
func (t *Timeline) arguments(c *calls.Call, r *trace.Record, unfinished bool) (args []Arg) {
	add := func(name string, value any) { args = append(args, Arg{name, value}) }
	if r.Number != 0 {
		add("call", r.Number)
	}
	if unfinished {
		return args
	}
	for _, a := range c.Arguments {
		switch x := r.X; a.Kind {
		case calls.Launch:
			add("kernel", t.Part.kernel(x[0], r.End))
			add("grid", fmt.Sprintf("%d,%d,%d", uint32(x[2]), x[2]>>32, uint32(x[3])))
			add("block", fmt.Sprintf("%d,%d,%d", x[3]>>32, uint32(x[4]), x[4]>>32))
			if shared := uint32(x[5]); shared != 0 {
				add("shared bytes", uint64(shared))
			}
		case calls.Stream: // below, as that of a launch
		case calls.Value, calls.Device, calls.Level:
			add(string(a.Kind), x[a.At])
		case calls.Bytes:
			if x[a.At] != 0 {
				add("bytes", x[a.At])
			}
		default:
			if x[a.At] != 0 {
				add(string(a.Kind), fmt.Sprintf("%#x", x[a.At]))
			}
		}
	}
	if handle := r.X[c.Handle()]; handle != 0 {
		switch {
		case c.Does == calls.FindsFunction:
			add("kernel", t.Part.kernel(handle, r.End))
		case c.Creates != "" && c.Creates != calls.Stream && c.Handle() == calls.ResultAt:
			add(string(c.Creates), fmt.Sprintf("%#x", handle))
		}
	}
	if stream, ok := streamOf(c, r); ok {
		add("stream", t.streamName(stream))
	}
	if r.X[5]>>32 == trace.TraceRecorded {
		add("way", "recorded into a region")
	}
	return args
}

// streamName returns a stream's name. Streams are numbered in the order of their first use.
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

// around returns a thread's call in progress at a time; nil if there is none.
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

// addDriverCalls adds driver calls inside the mgpu calls that made them, and outcomes to their arguments.
func (t *Timeline) addDriverCalls() {
	saved := map[*Slice]bool{}
	var made []Slice
	for i := range t.Part.records {
		r := &t.Part.records[i]
		call := t.around(r.Thread, r.Start+(r.End-r.Start)/2)
		switch r.Kind {
		case trace.TraceDriver:
			made = append(made, t.driverCall(r, call))
		case trace.TraceOutcome:
			if call != nil && !saved[call] {
				saved[call] = true
				call.Args = append(call.Args, Arg{"outcome", map[uint64]string{trace.Missed: "miss", trace.Refused: "refused", trace.Failed: "failed"}[r.X[0]]})
				if why := t.Part.texts[r.X[1]]; why != "" {
					call.Args = append(call.Args, Arg{"why", why})
				}
			}
		}
	}
	for _, h := range t.hosts {
		for _, i := range h.calls {
			if call := &t.Slices[i]; call.call.Cached && !saved[call] {
				call.Args = append(call.Args, Arg{"outcome", "hit"})
			}
		}
	}
	t.Slices = append(t.Slices, made...) // the slices may have moved
}

func (t *Timeline) driverCall(r *trace.Record, call *Slice) Slice {
	name := t.Part.texts[r.X[0]]
	switch r.X[0] {
	case trace.TraceLaunch:
		name = "LaunchKernel"
	case trace.TraceGraph:
		name = "GraphLaunch"
	case trace.TraceSynchronize:
		name = "StreamSynchronize"
	}
	if r.X[0] == trace.TraceWait && call != nil {
		name = strings.TrimPrefix(call.Name, "mgpu")
	}
	s := Slice{Track: t.host(r.Thread).track, Start: r.Start, End: r.End, Name: "driver " + name, Class: "driver", record: *r}
	if call != nil { // two clocks were read: keep the inner slice inside
		s.Start, s.End = max(s.Start, call.Start), min(s.End, call.End)
		launches := s.Name == "driver LaunchKernel" || s.Name == "driver GraphLaunch"
		if call.call.Launches() && launches && !slices.ContainsFunc(call.Args, func(a Arg) bool { return a.Name == "way" }) {
			call.Args = append(call.Args, Arg{"way", map[bool]string{true: "one-node graph", false: "launch"}[r.X[0] == trace.TraceGraph]})
		}
	}
	return s
}
