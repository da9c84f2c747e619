package region

import (
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// recorder records the calls of one thread. Other threads can only end the recording.
type recorder struct {
	regions *Regions
	graph   *graph
	id      uintptr

	mu             locks.Mutex[locks.Recording]
	state          state
	commands       commands // commands of the open recording
	device         int
	rec            *launchgraph.Recording
	joins          []join
	lastStream     uintptr            // stream of the latest call
	hostBytes      int                // bytes in the graph's hostCopies
	blocks         []block            // memory allocated within the recording, in order
	nextBlock      int                // index in the graph's blocks where the next search begins
	waitsForDevice bool               // the end of the recording waits for the device
	frees          bool               // memory was freed: work after the recording follows the recording's work
	newStreams     map[uintptr]uint64 // streams created within the recording, with their latest submissions then

	// State of a replay.
	launched      int           // nodes of launched parts
	stream        driver.Stream // stream of the launched parts; zero: no part was launched
	joinsFollowed int           // number of joins that stream already waits for

	pinned *streampool.Entry // entry of the program's stream on which the graph is launched
}

// begin opens a recording.
func (rec *recorder) begin(c Calls, device int, into *launchgraph.Recording) {
	rec.move(open)
	rec.commands = commandsOf(c)
	rec.device, rec.rec = device, into
	rec.joins, rec.lastStream, rec.hostBytes = rec.joins[:0], 0, 0
	rec.launched, rec.stream, rec.joinsFollowed = 0, 0, 0
	rec.nextBlock, rec.waitsForDevice, rec.frees = 0, false, false
	if rec.newStreams == nil {
		rec.newStreams = map[uintptr]uint64{}
	}
	clear(rec.newStreams)
	if c.DefaultStreamPending(device) {
		rec.joins = append(rec.joins, join{})
	}
	rec.commands.begin(rec)
}

// join is a stream with work from before the recording, which the graph follows. The join of the default stream has no
// event until the host waits for it, since drivers order the graph after that stream.
type join struct {
	stream       driver.Stream // zero: the default stream
	event        driver.Event
	entry        *streampool.Entry
	count        uint64 // number of the stream's latest submission before event
	awaited      bool   // the host has waited for event
	followsParts bool   // event is after parts of this graph; waits for it are postponed
}

// The Record methods record a call. If they return false, the recording has ended and its calls have been executed; the
// caller executes this call too.

// inRecording runs record if the recording is open. If record returns a reason why the call can't be recorded, the
// recording ends.
func (r *Regions) inRecording(id uintptr, record func(*recorder) string) bool {
	rec := r.recorder(id)
	if rec == nil {
		return false
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.state != open {
		return false
	}
	switch why := record(rec); {
	case rec.state != open: // another thread ended the recording while record was waiting
		return false
	case why != "":
		rec.commands.abort(rec, why)
		return false
	case rec.rec.Due():
		rec.launchParts()
	}
	return true
}

// inRecordingOfOrder is inRecording for calls that only order other calls. They are recorded only if calls become
// nodes.
func (r *Regions) inRecordingOfOrder(id uintptr, record func(*recorder) string) bool {
	return r.inRecording(id, func(rec *recorder) string {
		if !rec.commands.records() {
			return ""
		}
		return record(rec)
	})
}

// RecordEnd ends a recording because of a call that can't be recorded.
func (r *Regions) RecordEnd(id uintptr, call string) {
	r.inRecording(id, func(*recorder) string { return call + " can't be recorded" })
}

// on returns the calls that are charged to a function.
func (rec *recorder) on(f Function) Calls { return rec.regions.runtime.On(f) }

// join makes the graph follow the stream's pending work.
func (rec *recorder) join(c Calls, s driver.Stream) (why string) {
	j, err := rec.joinOf(c, s)
	if j.event != 0 {
		rec.joins = append(rec.joins, j)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// joinOf returns a join after the stream's work. The join has an event if one could be created, even if recording the
// event failed.
func (rec *recorder) joinOf(c Calls, s driver.Stream) (j join, err error) {
	ev, _, err := c.Pool().GetEvent(c, rec.device)
	if err != nil {
		return join{}, err
	}
	e := c.Pool().Find(uintptr(s))
	j = join{stream: s, event: ev, entry: e, count: e.Submissions()}
	return j, c.RecordOwn(ev, s)
}

// endEmpty ends a recording without nodes. Events may have been recorded.
func (rec *recorder) endEmpty() {
	rec.over()
	rec.submitOrder()
	rec.releaseRecording(rec.rec)
}

// submitOrder submits the recorded order between streams and events of a recording without nodes: they follow work from
// before the recording.
func (rec *recorder) submitOrder() {
	if !rec.rec.Orders() {
		return
	}
	rec.stopReplay()
	c := rec.on(LaunchKernel)
	if on, ok := rec.chooseStream(c); ok {
		rec.orderStreamsBehind(c, on)
	}
}

// releaseRecording returns events, memory and the recording's storage. The next recording reuses spare; nil: none.
func (rec *recorder) releaseRecording(spare *launchgraph.Recording) {
	c := rec.on(LaunchKernel)
	rec.makeWaitsOfFrees(c)
	if rec.frees {
		c.NoteFree(rec.device)
	}
	if rec.state == idle {
		rec.dropJoins(c)
	}
	rec.graph.lock()
	rec.settleBlocks(c, false)
	rec.unpin()
	if spare != nil {
		rec.graph.spare = spare
	}
	rec.graph.mu.Unlock()
	rec.rec = nil
}
