package region

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// recorder records the calls of one thread. Other threads only end the recording.
type recorder struct {
	regions *Regions
	graph   *graph
	id      uintptr

	mu             sync.Mutex
	ended          bool // no recording is open
	callByCall     bool // calls are executed as well, since nothing can be recorded: see unrecorded.go
	device         int
	rec            *launchgraph.Recording
	joins          []join
	nullPending    bool               // work from before is pending on the default stream, and the host has not waited for it
	waiting        bool               // the thread waits with mu released; it returns the joins itself
	lastStream     uintptr            // stream of the latest call
	hostBytes      int                // bytes in the graph's hostCopies
	blocks         []block            // memory allocated within the recording, in order
	nextBlock      int                // index in the graph's blocks where the next search begins
	waitsForDevice bool               // the recording's end waits for the device
	newStreams     map[uintptr]uint64 // streams created within the recording, and their submissions then

	// State of a replay.
	launched      int           // nodes of launched parts
	stream        driver.Stream // stream of the launched parts; zero: none launched
	joinsFollowed int           // how many joins stream waits for

	pinned *streampool.Entry // of the program's stream that the graph is launched on
}

func (rec *recorder) begin(device int, into *launchgraph.Recording) {
	rec.device, rec.rec = device, into
	rec.joins, rec.lastStream, rec.hostBytes = rec.joins[:0], 0, 0
	rec.launched, rec.stream, rec.joinsFollowed = 0, 0, 0
	rec.nextBlock, rec.waitsForDevice = 0, false
	if rec.newStreams == nil {
		rec.newStreams = map[uintptr]uint64{}
	}
	clear(rec.newStreams)
	rec.nullPending = rec.on(LaunchKernel).DefaultStreamPending(device)
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
func (r *Regions) inRecording(id uintptr, record func(*recorder) string) bool {
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
func (r *Regions) RecordEnd(id uintptr, call string) {
	r.inRecording(id, func(*recorder) string { return call + " can't be recorded" })
}

// on returns the calls that are charged to a function.
func (rec *recorder) on(f Function) Calls { return rec.regions.runtime.On(f) }

// useStream makes a stream part of the recording. ok is false if the call is over: because a
// misuse was reported (why is empty), or the call can't be recorded.
func (rec *recorder) useStream(c Calls, stream uintptr) (ok bool, why string) {
	if rec.callByCall && stream != 0 {
		return true, ""
	}
	if stream == rec.lastStream {
		if e := c.Pool().Find(stream); e != nil && !e.Stale() {
			return true, ""
		}
	}
	if stream == 0 {
		return false, "work on the default stream can't be recorded"
	}
	e, ok := c.FindStream(stream)
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
	if c.Captures(s) {
		return false, capturedReason
	}
	if e.Pending() {
		if why := rec.join(c, s); why != "" {
			return false, why
		}
	}
	rec.rec.Note(s)
	return true, ""
}

// join makes the graph follow the stream's pending work.
func (rec *recorder) join(c Calls, s driver.Stream) string {
	ev, _, err := c.Pool().GetEvent(c, rec.device)
	if err == nil {
		e := c.Pool().Find(uintptr(s))
		count := e.Submissions()
		err = c.RecordOwn(ev, s)
		rec.joins = append(rec.joins, join{stream: s, event: ev, entry: e, count: count})
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
