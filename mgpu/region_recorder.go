package mgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// recorder records the calls of one thread. Other threads only end the recording.
type recorder struct {
	graph *regionGraph
	id    uintptr

	mu             sync.Mutex
	ended          bool // no recording is open
	callByCall     bool // calls are executed as well, since nothing can be recorded: see region_unrecorded.go
	r              *Runtime
	f              frame
	device         int
	rec            *launchgraph.Recording
	joins          []join
	nullPending    bool    // work from before is pending on the default stream, and the host has not waited for it
	waiting        bool    // the thread waits with mu released; it returns the joins itself
	lastStream     uintptr // stream of the latest call
	hostBytes      int     // bytes in the graph's hostCopies
	kernel         launchedKernel
	blocks         []regionBlock      // memory allocated within the recording, in order
	nextBlock      int                // index in the graph's blocks where the next search begins
	waitsForDevice bool               // the recording's end waits for the device
	newStreams     map[uintptr]uint64 // streams created within the recording, and their submissions then

	// State of a replay.
	launched      int           // nodes of launched parts
	stream        driver.Stream // stream of the launched parts; zero: none launched
	joinsFollowed int           // how many joins stream waits for

	pinned *streampool.Entry // of the program's stream that the graph is launched on
}

// launchedKernel caches the kernel of the latest launch.
type launchedKernel struct {
	function uintptr
	of       *kernel
	*kernelInfo
}

func (rec *recorder) begin(r *Runtime, f *frame, device int, into *launchgraph.Recording) {
	rec.r, rec.f, rec.device, rec.rec = r, *f, device, into
	rec.joins, rec.lastStream, rec.hostBytes = rec.joins[:0], 0, 0
	rec.launched, rec.stream, rec.joinsFollowed = 0, 0, 0
	rec.nextBlock, rec.waitsForDevice = 0, false
	if rec.newStreams == nil {
		rec.newStreams = map[uintptr]uint64{}
	}
	clear(rec.newStreams)
	rec.kernel = launchedKernel{}
	rec.nullPending = device < len(f.k.nulls) && f.k.nulls[device].Pending()
	rec.ended, rec.callByCall = false, false
}

// join is a stream with work from before the recording, which the graph follows.
type join struct {
	stream      driver.Stream
	event       driver.Event
	entry       *streampool.Entry
	count       uint64 // the stream's submissions before event
	awaited     bool   // the host has waited for event
	behindParts bool   // event is behind parts of this graph; waits for it are put off
}

// The Record methods record a call. false: the recording is over, its calls have been
// executed, and the caller executes this call too.

// inRecording runs record if the recording is open. A result of record is the reason why the
// call can't be recorded, and ends the recording.
func (r *Runtime) inRecording(id uintptr, record func(*recorder) string) bool {
	rec := r.recorder(id)
	if rec == nil {
		return false
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.ended {
		return false
	}
	switch why := record(rec); {
	case rec.ended: // another thread ended the recording while record waited
		return false
	case why != "":
		rec.executeCallByCall(why)
		return false
	case rec.rec.Due():
		rec.launchParts()
	}
	return true
}

// RecordEnd ends a recording because of a call that can't be recorded.
func (r *Runtime) RecordEnd(id uintptr, call string) {
	r.inRecording(id, func(*recorder) string { return call + " can't be recorded" })
}

// frameFor returns the recording's frame, charged to an mgpu function.
func (rec *recorder) frameFor(call int) *frame {
	if rec.f.call != call {
		rec.f = frame{meter: &rec.f.k.views[call], k: rec.f.k, r: rec.r, counters: rec.r.stats.counters(call)}
	}
	return &rec.f
}

// useStream makes a stream part of the recording. ok is false if the call is over: because a
// misuse was reported (why is empty), or the call can't be recorded.
func (rec *recorder) useStream(f *frame, stream uintptr) (ok bool, why string) {
	if rec.callByCall && stream != 0 {
		return true, ""
	}
	if stream == rec.lastStream {
		if e := f.k.pool.Find(stream); e != nil && !e.Stale() {
			return true, ""
		}
	}
	if stream == 0 {
		return false, "work on the default stream can't be recorded"
	}
	e, ok := f.findStream(stream)
	switch {
	case !ok:
		return false, ""
	case e == nil:
		return false, "work on a stream that the library did not make can't be recorded"
	case e.Device() != rec.device:
		return false, "work on another device can't be recorded"
	}
	s := driver.Stream(stream)
	rec.lastStream = stream
	if rec.rec.Knows(s) {
		return true, ""
	}
	if f.capturesStream(s) {
		return false, capturedReason
	}
	if e.Pending() {
		if why := rec.join(f, s); why != "" {
			return false, why
		}
	}
	rec.rec.Note(s)
	return true, ""
}

// join makes the graph follow the stream's pending work.
func (rec *recorder) join(f *frame, s driver.Stream) string {
	ev, _, err := f.k.pool.GetEvent(f.meter, rec.device)
	if err == nil {
		e := f.k.pool.Find(uintptr(s))
		count := e.Submissions()
		err = f.recordOwn(ev, s)
		rec.joins = append(rec.joins, join{stream: s, event: ev, entry: e, count: count})
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
