package mgpu

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// work is a set of kernels, by executing's names.
type work map[string]bool

func (w work) with(others ...work) work {
	all := maps.Clone(w)
	if all == nil {
		all = work{}
	}
	for _, o := range others {
		maps.Copy(all, o)
	}
	return all
}

// ordered is a driver that knows which work each stream's next work follows. Work ends only when the host waits for it.
type ordered struct {
	*executing
	streams map[driver.Stream]work
	events  map[driver.Event]work
	ended   work
	during  func() // another thread's actions during a wait for an event or the device; nil: none
}

// put submits work. Streams are ordered with the default stream.
func (d *ordered) put(s driver.Stream, kernel string) {
	d.streams[s] = d.streams[s].with(work{kernel: true})
	for other := range d.streams {
		if s == 0 {
			d.streams[0] = d.streams[0].with(d.streams[other])
		}
	}
	d.streams[s] = d.streams[s].with(d.streams[0])
}

func (d *ordered) LaunchKernel(f driver.Function, l driver.Launch) error {
	d.put(l.Stream, kernelText(f, l))
	return nil
}

func (d *ordered) GraphLaunch(x driver.GraphExec, s driver.Stream) error {
	for _, n := range d.execs[x] {
		d.put(s, d.nodes[n])
	}
	return nil
}

func (d *ordered) EventRecord(e driver.Event, s driver.Stream) error {
	d.events[e] = d.streams[s].with(d.streams[0])
	return nil
}

func (d *ordered) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	d.streams[s] = d.streams[s].with(d.events[e])
	return nil
}

func (d *ordered) StreamSynchronize(s driver.Stream) error {
	if s == 0 {
		return d.DeviceSynchronize()
	}
	d.ended = d.ended.with(d.streams[s])
	return nil
}

func (d *ordered) StreamIdle(s driver.Stream) (bool, error) {
	return len(d.ended.with(d.streams[s])) == len(d.ended), nil
}

func (d *ordered) EventDone(e driver.Event) (bool, error) {
	return len(d.ended.with(d.events[e])) == len(d.ended), nil
}

func (d *ordered) EventSynchronize(e driver.Event) error {
	d.others()
	d.ended = d.ended.with(d.events[e])
	return nil
}

func (d *ordered) others() {
	if during := d.during; during != nil {
		d.during = nil
		during()
	}
}

func (d *ordered) DeviceSynchronize() error {
	d.others()
	for _, w := range d.streams {
		d.ended = d.ended.with(w)
	}
	return nil
}

func (d *ordered) WaitStream(s driver.Stream) driver.Blocking {
	_ = d.StreamSynchronize(s)
	return driver.Blocking{}
}

func (d *ordered) WaitEvent(e driver.Event) driver.Blocking {
	_ = d.EventSynchronize(e)
	return driver.Blocking{}
}

func (d *ordered) WaitDevice() driver.Blocking {
	_ = d.DeviceSynchronize()
	return driver.Blocking{}
}

func orderedOf(t testing.TB) (*host, *ordered) {
	_, plain := executingOf()
	d := &ordered{executing: plain, streams: map[driver.Stream]work{}, events: map[driver.Event]work{}}
	h := over(d, Config{})
	h.StreamDestroy(h.StreamCreate())
	h.nameKernel(0x500, 1, "kernel")
	h.kernelOf(0x500).info.Store(&launchgraph.KernelTraits{})
	return h, d
}

// A stream still follows another stream's earlier work after a recording without nodes.
func TestWhatWasThereBeforeIsFollowedWithoutWork(t *testing.T) {
	for name, end := range map[string]func(h *host, id, s uintptr){
		"the end":         func(*host, uintptr, uintptr) {},
		"another call":    func(h *host, id, s uintptr) { h.RecordEnd(id, "mgpuMemAlloc") },
		"a wait":          func(h *host, id, s uintptr) { h.RecordSynchronize(id, s) },
		"a foreign piece": func(h *host, id, s uintptr) { h.RecordLaunch(id, launchOf(0, 1)) },
	} {
		h, d := orderedOf(t)
		before, by, after := h.StreamCreate(), h.StreamCreate(), h.StreamCreate()
		h.LaunchKernel(launchOf(before, 1))
		id := h.GraphBegin(7, 0).Recording
		e := h.EventCreate()
		require.True(t, h.RecordEventRecord(id, e, before))
		require.True(t, h.RecordStreamWait(id, by, e))
		require.True(t, h.RecordStreamWait(id, after, by), "a stream in an event's place")
		end(h, id, after)
		h.GraphEnd(id)
		for _, s := range []uintptr{by, after} {
			require.Len(t, d.ended.with(d.streams[driver.Stream(s)]), 1, name)
		}
	}
}

// While the host waits for earlier work, another thread may end the recording, and the awaited work may depend on that.
func TestARecordingMayBeEndedWhileItsThreadWaits(t *testing.T) {
	for _, way := range []string{"stream", "event", "free"} {
		h, d := orderedOf(t)
		h.MemAlloc(64, 0, true)
		from := Origin{Session: h.AllocCacheBegin(h.AllocCacheCreate())}
		s, e := h.StreamCreate(), h.EventCreate()
		for round := range int64(4) {
			h.LaunchKernel(launchOf(s, 1+10*round))
			id := h.GraphBegin(7, 0).Recording
			m, over := h.RecordAlloc(id, 64, from)
			require.False(t, over)
			require.True(t, h.RecordLaunch(id, launchOf(s, 2+10*round)))
			require.True(t, h.RecordEventRecord(id, e, s))
			if round > 1 {
				d.during = func() { h.moduleUnloading(1) }
			}
			recorded, over := true, true
			switch way {
			case "stream":
				recorded, over = h.RecordSynchronize(id, s)
			case "event":
				recorded, over = h.RecordEventSynchronize(id, e)
			case "free":
				recorded = h.RecordFree(id, m)
				over = !recorded
			}
			require.Equal(t, round < 2, recorded, way)
			require.Equal(t, round >= 2, over, way)
			require.Nil(t, d.during)
			require.True(t, d.ended[fmt.Sprintf("kernel 0x500 of %d", 1+10*round)], way)
			if way != "free" || over {
				h.MemFree(m)
			}
			_, w := h.GraphEnd(id)
			h.Waited(w, 0)
			h.StreamSynchronize(s)
			require.True(t, d.ended[fmt.Sprintf("kernel 0x500 of %d", 2+10*round)], way)
			h.nameKernel(0x500, 1, "kernel")
			h.kernelOf(0x500).info.Store(&launchgraph.KernelTraits{})
		}
		require.Equal(t, []string{"mgpu: graph 0x7 is executed call by call: its kernel kernel is unloaded"}, h.lines(), way)
	}
}

// waitingProgram makes calls as C does, and tracks what the host has waited for.
type waitingProgram struct {
	*host
	d        *ordered
	id       uintptr // of the recording; zero: none
	begun    uintptr
	from     Origin
	streams  map[uintptr]work
	events   map[uintptr]work
	awaited  work
	recorded work // recorded work in the recording under way
	fresh    work // work since the latest region that was not recorded
	kernels  int64
	text     string
}

func (p *waitingProgram) say(format string, args ...any) { p.text += fmt.Sprintf(format+"; ", args...) }

// called takes the result of a Record method and returns whether the call still has to be made.
func (p *waitingProgram) called(recorded bool) bool {
	if !recorded {
		p.over()
	}
	return !recorded
}

// over notes that the recording has ended.
func (p *waitingProgram) over() { p.id, p.recorded = 0, nil }

func (p *waitingProgram) waited(recorded, over bool) bool {
	if over {
		p.over()
	}
	return !recorded
}

func (p *waitingProgram) launch(s uintptr) {
	p.kernels++
	l := launchOf(s, p.kernels)
	is := work{kernelText(0x500, driver.Launch{Grid: driver.Dim3{X: uint32(p.kernels)}}): true}
	p.say("launch %d on %#x", p.kernels, s)
	p.streams[s] = p.streams[s].with(is)
	for other := range p.streams {
		if s == 0 {
			p.streams[0] = p.streams[0].with(p.streams[other])
		}
	}
	p.streams[s] = p.streams[s].with(p.streams[0])
	if p.id == 0 || p.called(p.RecordLaunch(p.id, l)) {
		p.LaunchKernel(l)
		p.fresh = p.fresh.with(is)
	} else {
		p.recorded = p.recorded.with(is)
	}
}

func (p *waitingProgram) record(e, s uintptr) {
	p.say("record %#x on %#x", e, s)
	p.events[e] = p.streams[s]
	if p.id == 0 || p.called(p.RecordEventRecord(p.id, e, s)) {
		p.EventRecord(e, s)
	}
}

// wait makes a stream wait for an event, or a stream passed as event.
func (p *waitingProgram) wait(s, e uintptr) {
	p.say("%#x waits for %#x", s, e)
	p.streams[s] = p.streams[s].with(p.streams[e], p.events[e])
	if p.id == 0 || p.called(p.RecordStreamWait(p.id, s, e)) {
		p.StreamWaitEvent(s, e)
	}
}

func (p *waitingProgram) synchronize(s uintptr) {
	p.say("synchronize %#x", s)
	p.awaited = p.awaited.with(p.streams[s])
	if s == 0 {
		for _, w := range p.streams {
			p.awaited = p.awaited.with(w)
		}
	}
	if p.id == 0 || p.waited(p.RecordSynchronize(p.id, s)) {
		p.StreamSynchronize(s)
	}
}

func (p *waitingProgram) synchronizeEvent(e uintptr) {
	p.say("synchronize by %#x", e)
	p.awaited = p.awaited.with(p.streams[e], p.events[e])
	if p.id == 0 || p.waited(p.RecordEventSynchronize(p.id, e)) {
		p.EventSynchronize(e)
	}
}

// allocate allocates and frees. The program shares memory with the host, so the free waits for the device.
func (p *waitingProgram) allocate(s uintptr) {
	p.say("allocate on %#x", s)
	var m uintptr
	over := true
	if p.id != 0 {
		if m, over = p.RecordAlloc(p.id, 64, p.from); over {
			p.over()
		}
	}
	if over {
		m = p.Runtime.MemAlloc(64, s, false, p.from)
	}
	for _, w := range p.streams {
		p.awaited = p.awaited.with(w)
	}
	if p.id == 0 || p.called(p.RecordFree(p.id, m)) {
		p.MemFree(m)
	}
}

func (p *waitingProgram) begin(key uint64) {
	p.say("\nbegin %d", key)
	p.begun = p.GraphBegin(key, 0).Recording
	p.id = p.begun
}

func (p *waitingProgram) end() {
	p.say("end\n")
	_, w := p.GraphEnd(p.begun)
	p.Waited(w, 0)
	p.over()
	p.fresh = nil
}

// check compares the awaited work with the finished work. All work except the recorded work of the open region must be
// finished. exact: no other work launched since the previous region has finished, and all streams are known.
func (p *waitingProgram) check(t *testing.T, exact bool) {
	for kernel := range p.awaited {
		require.True(t, p.d.ended[kernel] || p.recorded[kernel], "%s has not ended: %s", kernel, p.text)
	}
	for kernel := range p.fresh {
		require.True(t, !exact || p.id == 0 || !p.d.ended[kernel] || p.awaited[kernel], "%s was waited for: %s", kernel, p.text)
	}
}

// Work that the host waits for within a region has ended, unless it is part of the region.
func TestRandomProgramsFindWorkFromBeforeARegionEnded(t *testing.T) {
	regions, programs := 0, uint64(60)
	if os.Getenv("MGPU_TEST_LONG") != "" {
		programs = 1000
	}
	for seed := range programs {
		h, d := orderedOf(t)
		p := &waitingProgram{host: h, d: d, from: Origin{Session: h.AllocCacheBegin(h.AllocCacheCreate())},
			streams: map[uintptr]work{}, events: map[uintptr]work{}}
		h.MemAlloc(64, 0, true)
		var streams, events []uintptr
		for range 3 {
			streams, events = append(streams, h.StreamCreate()), append(events, h.EventCreate())
		}
		exact := seed%2 == 0
		call := func(r *rand.Rand, n int) {
			s, e := streams[r.IntN(3)], events[r.IntN(3)]
			switch r.IntN(n) {
			case 0, 1, 2:
				p.launch(s)
			case 3:
				p.record(e, s)
			case 4:
				p.wait(s, e)
			case 5:
				p.wait(s, streams[r.IntN(3)])
			case 6, 7:
				p.synchronize(s)
			case 8:
				p.synchronizeEvent(e)
			case 9:
				p.synchronizeEvent(s)
			case 10:
				p.launch(0)
			case 11:
				p.allocate(s)
			case 12:
				p.synchronize(0)
			}
			p.check(t, exact)
		}
		kinds := 13
		if exact {
			kinds = 10
		}
		values := rand.New(rand.NewPCG(seed, 1))
		for range 10 {
			key := uint64(values.IntN(2))
			for range values.IntN(8) {
				call(values, kinds)
			}
			p.begin(key)
			shape := rand.New(rand.NewPCG(seed, 2+key))
			for i := range 10 + 30*key {
				if values.IntN(40) == 0 {
					call(values, 10)
				}
				switch {
				case !exact && i%7 == 6:
					p.allocate(streams[0])
				case exact || seed%3 != 0 || i < 8:
					call(shape, 10)
				default:
					call(shape, kinds)
				}
			}
			if p.id != 0 {
				regions++
			}
			p.end()
			p.check(t, false)
		}
		h.GraphDestroy(0)
		h.GraphDestroy(1)
	}
	require.Greater(t, regions, int(programs), "that recorded to their end")
}
