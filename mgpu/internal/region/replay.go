package region

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// If the key has a graph, each call of a new recording is compared with the graph's recording. While the calls match,
// nothing is built, and each part of the graph is launched once all its calls have been made. At the first difference
// the matched calls are recorded, and the launched parts are noted.

// startReplay begins to compare the recording with the graph's recording, if there is a usable one.
func (rec *recorder) startReplay() {
	k := rec.graph
	k.lock()
	defer k.mu.Unlock()
	like := k.graph.Recording()
	if like == nil || !like.Repeatable() || k.unloadedKernel != "" || k.device != rec.device {
		return
	}
	// Parts cost a little per launch, and are worthwhile for regions that repeat.
	if k.graph.Parts = true; !k.graph.Divisible() {
		rec.rec.Repeat(like)
		rec.awaitPart()
	}
}

// awaitPart sets the call at which the next part is complete. The last part is launched when the recording ends.
func (rec *recorder) awaitPart() {
	to, last := rec.graph.graph.PartEnd(rec.launched)
	if last {
		to = 0
	}
	rec.rec.Expect(to)
}

// stopReplay ends the comparison. Calls are recorded from now on.
func (rec *recorder) stopReplay() {
	if rec.rec.Like() == nil {
		return
	}
	rec.rec.Depart()
	if s, _ := rec.rec.LastStream(); s != 0 {
		rec.lastStream = uintptr(s)
	}
}

// launchParts launches the parts whose calls have all been made. The caller has locked rec.mu.
func (rec *recorder) launchParts() {
	if rec.streamCaptured() {
		rec.commands.abort(rec, capturedReason)
		return
	}
	c := rec.on(LaunchKernel)
	k := rec.graph
	k.lock()
	defer k.mu.Unlock()
	for rec.rec.Due() {
		if rec.stream == 0 {
			// Choose a stream that lasts: one from before the recording, or the graph's own stream.
			s, created := rec.rec.Like().LastStream()
			rec.lastStream = uintptr(s)
			if created {
				rec.lastStream = 0
			}
		}
		on, ok := rec.chooseStream(c)
		if !ok || rec.preparePart(c, c.GraphTraits()) != nil {
			rec.stopReplay()
			return
		}
		rec.stream = on
		k.launchPart(c, on, rec.launched)
		rec.launched, _ = k.graph.PartEnd(rec.launched)
		rec.awaitPart()
	}
}

const capturedReason = "the program captures its stream"

// streamCaptured reports whether the program captures the stream on which the graph would be launched. A capture can't
// include a graph, only single calls.
func (rec *recorder) streamCaptured() bool {
	s := rec.stream
	if like := rec.rec.Like(); s == 0 && like != nil {
		s, _ = like.LastStream()
	} else if s == 0 {
		s = driver.Stream(rec.lastStream)
	}
	return rec.on(LaunchKernel).Captures(s)
}

// preparePart updates the next part to launch with the recorded parameters.
func (rec *recorder) preparePart(c Calls, t driver.GraphTraits) error {
	if rec.launched == 0 && t.Pinned {
		_ = rec.graph.hostCopies.launchWaiter(c)() // later parts run after the first
	}
	return rec.graph.graph.Prepare(c.Graphs(), t, rec.rec, rec.launched)
}

// RecordStreamDestroyed notes that the program is about to destroy a stream. If parts were launched on the stream,
// later parts are launched on the graph's own stream.
func (r *Regions) RecordStreamDestroyed(id, stream uintptr) {
	r.inRecording(id, func(rec *recorder) string {
		if rec.stream == 0 || uintptr(rec.stream) != stream {
			return ""
		}
		c := rec.on(LaunchKernel)
		s, ok := rec.ownStream(c)
		if !ok {
			return "there is no stream for it"
		}
		if why := rec.join(c, rec.stream); why != "" {
			return why
		}
		rec.joins[len(rec.joins)-1].followsParts = true
		rec.stream = s
		return ""
	})
}
