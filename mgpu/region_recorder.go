package mgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// recorder is a recording of one thread. Others touch it only to end it.
type recorder struct {
	graph *regionGraph
	id    uintptr

	mu             sync.Mutex
	ended          bool // it has ended, or has not begun
	callByCall     bool // calls are made as well, since nothing can be recorded: see notes.go
	r              *Runtime
	f              frame
	device         int
	rec            *launchgraph.Recording
	joins          []join
	nullPending    bool    // work on the default stream was pending, and nobody has waited for it since
	waiting        bool    // the thread waits, without the lock: it gives the joins back
	lastStream     uintptr // the stream that was used last
	hostBytes      int     // bytes of host memory taken along
	kernel         launchedKernel
	blocks         []regionBlock // what was allocated, in its order
	nextBlock      int           // how many of the graph's blocks were looked at for that
	waitsForDevice bool          // for the device at its end
	newStream      uintptr       // the stream that was made last
	newStreamCount uint64        // how many submissions it had then

	// Of a graph that is repeated.
	replay        launchgraph.Replay
	launched      int           // nodes of parts that were launched
	stream        driver.Stream // where; zero: nothing was
	joinsFollowed int           // joins that it follows
}

// launchedKernel is what is known of the function that was launched last.
type launchedKernel struct {
	function uintptr
	of       *kernel
	*kernelInfo
}

func (rec *recorder) begin(r *Runtime, f *frame, device int, into *launchgraph.Recording) {
	rec.r, rec.f, rec.device, rec.rec = r, *f, device, into
	rec.joins, rec.lastStream, rec.hostBytes = rec.joins[:0], 0, 0
	rec.launched, rec.stream, rec.joinsFollowed = 0, 0, 0
	rec.nextBlock, rec.waitsForDevice, rec.newStream = 0, false, 0
	rec.kernel = launchedKernel{}
	rec.nullPending = device < len(f.k.nulls) && f.k.nulls[device].Pending()
	rec.ended, rec.callByCall = false, false
}

// join is a stream whose work from before the recording the graph follows.
type join struct {
	stream      driver.Stream
	event       driver.Event
	entry       *streampool.Entry
	count       uint64 // of its submissions before the event
	awaited     bool   // by the host
	behindParts bool   // behind parts of the graph, for which waits are put off
}

// The methods below record a call. false: the recording is over, what was recorded has
// been executed, and the call is to be made as any other.

// inRecording runs record unless the recording is over. What it returns is why the call can't
// be recorded, empty if it was.
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
	case rec.ended: // ended by another thread while this one waited
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

// frameFor is the frame for a call's row.
func (rec *recorder) frameFor(call int) *frame {
	if rec.f.call != call {
		rec.f = frame{meter: &rec.f.k.views[call], k: rec.f.k, r: rec.r, c: rec.r.stats.counters(call)}
	}
	return &rec.f
}

// useStream makes a stream part of the recording. ok is false where the call is over: a
// misuse that was reported, or why it can't be recorded.
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

// join sees to it that the graph follows what is pending on a stream.
func (rec *recorder) join(f *frame, s driver.Stream) string {
	ev, _, err := f.k.pool.GetEvent(f.meter, rec.device)
	if err == nil {
		e := f.k.pool.Find(uintptr(s))
		count := e.Submissions()
		err = f.recordOwn(ev, s)
		rec.joins = append(rec.joins, join{stream: s, event: ev, entry: e, count: count})
		rec.countUnawaited()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
