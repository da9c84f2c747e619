package mgpu

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Where the graph of the last time exists, the calls of a recording are compared with
// those of that time as they come, by C if that goes along the trace, and else below
// the methods of Recording. As long as they are the same nothing is built, and the
// graph's parts are launched as soon as their calls have come. At the first other call
// what was the same is recorded after all, and what was launched is remembered.

// startReplay begins a recording that is compared with what the graph does, if that can be.
func (rec *recorder) startReplay() {
	k := rec.graph
	k.mu.Lock()
	defer k.mu.Unlock()
	rec.replay.On = 0
	like := k.graph.Recording()
	if like == nil || !like.Repeatable() || k.unloadedKernel != "" || k.device != rec.device {
		return
	}
	// Parts cost a little each time, and are worth it for what is recorded again.
	if k.graph.Parts = true; !k.graph.Divisible() {
		rec.rec.Repeat(like, &rec.replay)
		rec.countUnawaited()
		rec.awaitPart()
	}
}

// awaitPart waits for the end of the part that is to be launched next. The last one is
// launched when the recording ends.
func (rec *recorder) awaitPart() {
	to, last := rec.graph.graph.PartEnd(rec.launched)
	if last {
		to = 0
	}
	rec.rec.Expect(to)
}

// stopReplay ends the comparison.
func (rec *recorder) stopReplay() {
	if rec.rec.Like() == nil {
		return
	}
	rec.rec.Depart()
	if s, _ := rec.rec.LastStream(); s != 0 {
		rec.lastStream = uintptr(s)
	}
}

// launchParts launches the parts that are complete. rec.mu is held.
func (rec *recorder) launchParts() {
	if rec.streamCaptured() {
		rec.executeCallByCall(capturedReason)
		return
	}
	f := rec.frameFor(launchKernel)
	k := rec.graph
	k.mu.Lock()
	defer k.mu.Unlock()
	for rec.rec.Due() {
		if rec.stream == 0 {
			// A stream that the program has throughout, or one that nobody destroys.
			s, created := rec.rec.Like().LastStream()
			rec.lastStream = uintptr(s)
			if created {
				rec.lastStream = 0
			}
		}
		on, ok := rec.chooseStream(f)
		if !ok || rec.preparePart(f, f.k.graphs.GraphTraits()) != nil {
			rec.stopReplay()
			return
		}
		rec.stream, rec.replay.On = on, on
		k.launchPart(f, on, rec.launched)
		rec.launched, _ = k.graph.PartEnd(rec.launched)
		rec.awaitPart()
	}
}

const capturedReason = "the program captures its stream"

// streamCaptured tells whether the program captures the stream that a graph would be launched
// on, which can hold single calls only.
func (rec *recorder) streamCaptured() bool {
	s := rec.stream
	if like := rec.rec.Like(); s == 0 && like != nil {
		s, _ = like.LastStream()
	} else if s == 0 {
		s = driver.Stream(rec.lastStream)
	}
	return rec.frameFor(launchKernel).capturesStream(s)
}

// preparePart makes the part that is launched next do what was recorded for it.
func (rec *recorder) preparePart(f *frame, t driver.GraphTraits) error {
	if rec.launched == 0 && t.Pinned {
		_ = rec.graph.hostCopies.launchWaiter(f)() // later parts are as idle as the first
	}
	return rec.graph.graph.Prepare(f.k.graphCalls, t, rec.rec, rec.launched)
}

// RecordStreamDestroyed notes that a stream is about to be destroyed. What follows the
// parts that were launched on it goes elsewhere.
func (r *Runtime) RecordStreamDestroyed(id, stream uintptr) {
	r.inRecording(id, func(rec *recorder) string {
		if rec.stream == 0 || uintptr(rec.stream) != stream {
			return ""
		}
		f := rec.frameFor(launchKernel)
		s, ok := rec.ownStream(f)
		if !ok {
			return "there is no stream for it"
		}
		if why := rec.join(f, rec.stream); why != "" {
			return why
		}
		rec.joins[len(rec.joins)-1].behindParts = true
		rec.countUnawaited()
		rec.stream, rec.replay.On = s, s
		return ""
	})
}

// Trace is where C finds the trace of a recording, nil if nothing is repeated, or
// parameters must be read with care: see readParams.
func (r *Runtime) Trace(id uintptr) *launchgraph.Replay {
	rec := r.recorder(id)
	if rec == nil {
		return nil
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if _, direct := rec.f.k.drv.(driver.Direct); rec.ended || rec.rec.Like() == nil || !direct {
		return nil
	}
	return &rec.replay
}

// Repeated is called where C has found a part of the graph complete.
func (r *Runtime) Repeated(id uintptr) { r.inRecording(id, func(*recorder) string { return "" }) }
