package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// addCounters adds the counters of memory, streams and submissions.
func (t *Timeline) addCounters() {
	var live int64
	blocks, streams := map[uint64]int64{}, map[uint64]bool{}
	add := func(at uint64, name string, value int64) {
		t.Samples = append(t.Samples, Sample{t.Part.Process, at, name, value})
	}
	for i := range t.Part.records {
		r := &t.Part.records[i]
		if r.Kind == trace.TraceCounter {
			if name := map[uint64]string{trace.MemoryLive: "memory in use", trace.MemoryCached: "memory cached"}[r.X[0]]; name != "" && r.X[1] < mostDevices {
				add(r.Start, fmt.Sprintf("%s of device %d", name, r.X[1]), int64(r.X[2]))
			}
			continue
		}
		if r.Kind != trace.TraceCall {
			continue
		}
		c := t.Part.call(r.Call)
		handle := r.X[c.Handle()]
		switch n, known := blocks[handle]; {
		case c.Creates == calls.Block && handle != 0:
			blocks[handle] = int64(r.X[calls.BytesAt])
			live += blocks[handle]
			add(r.End, "bytes allocated", live)
		case known && slices.Contains(c.Drops, calls.Block):
			delete(blocks, handle)
			live -= n
			add(r.End, "bytes allocated", live)
		case c.Creates == calls.Stream && handle != 0:
			streams[handle] = true
			add(r.End, "streams out", int64(len(streams)))
		case streams[handle] && slices.Contains(c.Drops, calls.Stream):
			delete(streams, handle)
			add(r.End, "streams out", int64(len(streams)))
		}
	}
	t.addPending(add)
	slices.SortStableFunc(t.Samples, func(a, b Sample) int { return cmp.Compare(a.At, b.At) })
}

// addPending counts the submitted work that is not done.
func (t *Timeline) addPending(add func(uint64, string, int64)) {
	type change struct {
		at uint64
		by int64
	}
	var changes []change
	for i := range t.Slices {
		if s := &t.Slices[i]; s.record.Kind == trace.TraceDevice {
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
