package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// laneTrack is the track of a stream's lane.
func (t *Timeline) laneTrack(l lane) int {
	track, ok := t.lanes[l]
	if !ok {
		track = len(t.Tracks)
		t.lanes[l] = track
		device := fmt.Sprintf("GPU %d", l.device)
		if l.device < len(t.Part.Devices) {
			device += ": " + t.Part.Devices[l.device]
		}
		if t.Part.Rank >= 0 {
			device = fmt.Sprintf("rank %d: %s", t.Part.Rank, device)
		}
		name := t.streamName(l.stream)
		if l.number > 0 {
			name += fmt.Sprintf(", lane %d", l.number+1)
		}
		number := t.order[l.stream] + l.number<<20
		t.Tracks = append(t.Tracks, Track{deviceProcess + t.Part.Process*64 + l.device, number, device, name, true})
	}
	return track
}

// mostLanes is the highest number of rows of a stream. The work of a stream rarely overlaps.
const mostLanes = 64

// place puts work that begins at start into the first lane of its stream whose work has ended.
func (t *Timeline) place(l *lane, ends map[lane]uint64, start uint64) {
	for ends[*l] > start && l.number < mostLanes-1 {
		l.number++
	}
}

// recordsWork reports whether the times of a device's work were recorded: by the software GPU, or by pairs of events.
func (p *Part) recordsWork() bool {
	return p.Driver == "soft" || slices.ContainsFunc(p.records, func(r trace.Record) bool { return r.Kind == trace.TraceDevice })
}

// addDeviceWork adds work whose times were recorded.
func (t *Timeline) addDeviceWork() {
	ends := map[lane]uint64{}
	last := map[uint64][]*Slice{} // by stream
	var work []Slice
	regions := map[regionOf]*Slice{}
	for i := range t.Part.records {
		r := t.Part.records[i]
		if r.Kind != trace.TraceDevice || r.X[3] >= mostDevices {
			continue
		}
		l := lane{device: int(r.X[3]), stream: r.X[2]}
		t.place(&l, ends, r.Start)
		ends[l] = max(ends[l], r.End)
		s := Slice{Track: t.laneTrack(l), Start: r.Start, End: r.End, record: r, Args: []Arg{{"stream", t.streamName(r.X[2])}}}
		s.Name, s.Class = t.workName(&r)
		if r.X[0] == trace.WorkCopy || r.X[0] == trace.WorkFill {
			s.Args = append(s.Args, Arg{"bytes", r.X[1]})
		}
		if call := t.around(uint32(r.X[5]), r.X[4]); call != nil {
			if call.record.Number != 0 {
				s.Args = append(s.Args, Arg{"call", call.record.Number})
			}
			t.Flows = append(t.Flows, Flow{flowName(s.Class), call.Track, s.Track, r.X[4], s.Start})
		}
		if r.Number != 0 {
			key := regionOf{s.Track, r.Number}
			region := regions[key]
			if region == nil {
				region = &Slice{Track: s.Track, Start: s.Start, Name: t.regionName(&r), Class: "region"}
				regions[key] = region
			}
			region.End = max(region.End, s.End)
			region.record.X[0]++
		}
		work = append(work, s)
	}
	for i := range work {
		last[work[i].record.X[2]] = append(last[work[i].record.X[2]], &work[i])
	}
	t.addWaitFlows(last)
	t.Slices = append(t.Slices, work...)
	for _, region := range regions {
		if region.record.X[0] > 1 {
			region.record = trace.Record{}
			t.Slices = append(t.Slices, *region)
		}
	}
}

// regionName returns the region whose graph was launched by the thread that submitted r.
func (t *Timeline) regionName(r *trace.Record) string {
	h := t.hosts[uint32(r.X[5])]
	if h == nil {
		return "graph"
	}
	later := sort.Search(len(h.regions), func(i int) bool { return t.Slices[h.regions[i]].Start > r.X[4] })
	if later == 0 {
		return "graph"
	}
	return fmt.Sprintf("region %#x", t.Slices[h.regions[later-1]].record.X[0])
}

// regionOf identifies the execution of a region.
type regionOf struct {
	track  int
	launch uint64 // number of the graph's launch
}

func flowName(class string) string {
	if class == "kernel" || class == "region" {
		return "launch"
	}
	return class
}

func (t *Timeline) workName(r *trace.Record) (name, class string) {
	switch r.X[0] {
	case trace.WorkKernel:
		return t.Part.kernel(r.X[1], r.End), "kernel"
	case trace.WorkCopy:
		return "copy", "copy"
	case trace.WorkRegion:
		return t.regionName(r), "region"
	}
	return "fill", "fill"
}

// addWaitFlows connects the work of a stream with the wait for the stream that it ended.
func (t *Timeline) addWaitFlows(work map[uint64][]*Slice) {
	for i := range t.Slices {
		s := &t.Slices[i]
		if s.call == nil || s.call.Does != calls.WaitsStream {
			continue
		}
		of := work[s.record.X[calls.StreamAt]]
		n, _ := slices.BinarySearchFunc(of, s.End, func(w *Slice, end uint64) int { return cmp.Compare(w.End, end+1) })
		if n > 0 && of[n-1].End > s.Start {
			w := of[n-1]
			t.Flows = append(t.Flows, Flow{"wait", w.Track, s.Track, max(w.Start, w.End-min(w.End, 1)), w.End})
		}
	}
}
