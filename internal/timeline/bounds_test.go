package timeline

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// program writes the records of one thread's calls, each 10 ns long and 90 ns apart.
type program struct {
	r    *trace.Recorder
	at   uint64
	call map[string]uint16

	recording bool
}

var boundedCalls = []string{"mgpuLaunchKernel", "mgpuMemcpy", "mgpuEventRecord", "mgpuEventSynchronize", "mgpuStreamWaitEvent", "mgpuStreamSynchronize", "mgpuMemFree",
	"mgpuxGraphBegin", "mgpuxGraphEnd", "mgpuSetDefaultDevice"}

// newProgram begins a program whose kernels are 1, 2, ... and have these names.
func newProgram(t *testing.T, kernels ...string) *program {
	p := &program{r: recorder(t, trace.Options{}), call: map[string]uint16{}}
	p.r.Driver("hip", []string{"gfx906"})
	p.r.Calls(boundedCalls)
	for i, name := range boundedCalls {
		p.call[name] = uint16(i)
	}
	for i, name := range kernels {
		p.r.Kernel(uintptr(i)+1, name)
	}
	p.at = uint64(p.r.Now())
	return p
}

// makes records a call about an event, or a function, and a stream.
func (p *program) makes(name string, what, stream uint64) {
	x := [6]uint64{what, 0, 0, stream}
	if calls.Named(name).Launches() {
		x = [6]uint64{what, stream}
	}
	if p.recording = p.recording && name != "mgpuxGraphEnd" || name == "mgpuxGraphBegin"; p.recording && name != "mgpuxGraphBegin" {
		x[5] = trace.TraceRecorded << 32
	}
	p.at += 100
	p.r.Add(trace.Record{Kind: trace.TraceCall, Call: p.call[name], Thread: 1, Start: p.at, End: p.at + 10, Number: 1, X: x})
}

// launchesInTurn launches the first kernel on stream 0x10, and the second on 0x20 once event
// 0x50, recorded after the first, is reached. The wait names it as event.
func (p *program) launchesInTurn(event uint64) {
	p.makes("mgpuLaunchKernel", 1, 0x10)
	p.makes("mgpuEventRecord", 0x50, 0x10)
	p.makes("mgpuStreamWaitEvent", event, 0x20)
	p.makes("mgpuLaunchKernel", 2, 0x20)
}

// bounds are the slices of devices: when they begin and end, in calls, and their names.
func (p *program) bounds(t *testing.T) map[string][2]int {
	t.Helper()
	part, err := readPart(recordsOf(t, p.r))
	require.NoError(t, err)
	line := NewTimeline(part)
	all, lanes := map[string][2]int{}, map[int]uint64{}
	first := line.Slices[0].Start
	for _, s := range line.Slices {
		if s.Class == "bounds" {
			assert.GreaterOrEqual(t, s.Start, lanes[s.Track], "slices of a lane do not overlap")
			lanes[s.Track] = s.End
			all[s.Name] = [2]int{int(s.Start-first) / 100, int(s.End-first) / 100}
		}
	}
	for _, f := range line.Flows {
		assert.LessOrEqual(t, f.Out, f.In)
	}
	return all
}

func TestAWaitForAnEventBoundsWhatWasSubmittedBeforeIt(t *testing.T) {
	p := newProgram(t, "first", "second")
	p.makes("mgpuLaunchKernel", 1, 0x10)
	p.makes("mgpuEventRecord", 0x50, 0x10)
	p.makes("mgpuLaunchKernel", 2, 0x10)
	p.makes("mgpuEventSynchronize", 0x50, 0)
	p.makes("mgpuStreamSynchronize", 0, 0x10)
	assert.Equal(t, map[string][2]int{"first": {0, 3}, "second": {2, 4}}, p.bounds(t))
}

func TestAWaitCoversWhatTheStreamFollowed(t *testing.T) {
	for _, event := range []uint64{0x50, 0x10} { // some lowerings pass a stream as an event
		p := newProgram(t, "first", "second")
		p.launchesInTurn(event)
		p.makes("mgpuStreamSynchronize", 0, 0x20)
		p.makes("mgpuStreamSynchronize", 0, 0x10)
		assert.Equal(t, map[string][2]int{"first": {0, 4}, "second": {3, 4}}, p.bounds(t))
	}
}

// Each waits for the other's event, as streams that take turns do.
func TestStreamsMayFollowEachOther(t *testing.T) {
	p := newProgram(t, "first", "second")
	p.launchesInTurn(0x50)
	p.makes("mgpuEventRecord", 0x60, 0x20)
	p.makes("mgpuStreamWaitEvent", 0x60, 0x10)
	p.makes("mgpuStreamSynchronize", 0, 0x10)
	assert.Equal(t, map[string][2]int{"first": {0, 6}, "second": {3, 6}}, p.bounds(t))
}

func TestAFreeThatWaitedBoundsAllWork(t *testing.T) {
	p := newProgram(t, "first", "second")
	p.makes("mgpuLaunchKernel", 1, 0x10)
	p.makes("mgpuMemFree", 0x1000, 0)
	p.makes("mgpuLaunchKernel", 2, 0x20)
	p.makes("mgpuMemFree", 0x2000, 0)
	p.r.Add(trace.Record{Kind: trace.TraceInstant, Thread: 1, Start: p.at + 5, End: p.at + 5, X: [6]uint64{p.r.String(trace.FreeWaits + ": of foreign streams"), trace.Note}})
	p.makes("mgpuLaunchKernel", 1, 0x30)
	assert.Equal(t, map[string][2]int{"first": {4, 4}, "second": {2, 3}}, p.bounds(t), "the last one of a name is here")
}

func TestARegionIsOneSliceWithinItsBounds(t *testing.T) {
	p := newProgram(t)
	p.makes("mgpuxGraphBegin", 7, 0)
	p.makes("mgpuLaunchKernel", 1, 0x10)
	p.makes("mgpuLaunchKernel", 1, 0x20)
	p.makes("mgpuxGraphEnd", 0, 0)
	p.makes("mgpuStreamSynchronize", 0, 0x20)
	assert.Equal(t, map[string][2]int{"region 0x7": {3, 4}}, p.bounds(t))

	p = newProgram(t)
	p.makes("mgpuxGraphBegin", 7, 0)
	p.makes("mgpuLaunchKernel", 1, 0x10)
	p.makes("mgpuStreamSynchronize", 0, 0x10)
	p.makes("mgpuxGraphEnd", 0, 0)
	p.makes("mgpuStreamSynchronize", 0, 0x10)
	assert.Equal(t, map[string][2]int{"region 0x7": {3, 3}}, p.bounds(t), "the end of the recording waits")
}

func TestADeviceThatIsNotThereIsNotTaken(t *testing.T) {
	p := newProgram(t, "one")
	p.makes("mgpuSetDefaultDevice", ^uint64(0), 0)
	p.makes("mgpuLaunchKernel", 1, 0x10)
	p.makes("mgpuStreamSynchronize", 0, 0x10)
	assert.Equal(t, map[string][2]int{"one": {1, 2}}, p.bounds(t))
}
