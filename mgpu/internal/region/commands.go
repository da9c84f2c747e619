package region

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// commands is what a region makes of its calls. recorder.mu is held, and for launch and update
// graph.mu.
type commands interface {
	// records reports whether calls become nodes. Otherwise the caller makes them as well.
	records() bool
	// begin prepares for a recording's first call.
	begin(rec *recorder)
	// use makes a stream part of the recording. ok is false if the call is over: because a misuse
	// was reported (why is empty), or the call can't be recorded.
	use(rec *recorder, c Calls, stream uintptr) (ok bool, why string)
	// invalid deals with a launch that can't be made, and returns why the recording ends; empty:
	// it goes on.
	invalid(c Calls, err error) (why string)
	// abort ends a recording because of a call that can't be recorded.
	abort(rec *recorder, why string)
	// end ends a recording: see [Regions.End].
	end(rec *recorder) (launched bool, wait driver.Stream)
	// launch executes a graph on a stream.
	launch(k *graph, c Calls, s driver.Stream)
	// update makes a graph do the calls of a recording.
	update(k *graph, c Calls, what *launchgraph.Recording) (launchgraph.Outcome, error)
}

// commandsOf returns what regions make of their calls. It is the same for all of a process.
func commandsOf(c Calls) commands {
	if c.Unrecordable() != "" {
		return streamCommands{}
	}
	return graphCommands{}
}

// issue executes recorded calls on a stream one by one, from a node on.
func issue(c Calls, what *launchgraph.Recording, on driver.Stream, from int) {
	_ = streampool.Submit(c.EntryToSubmit(on), nil, func() error {
		what.Submit(c, on, from, c.FailedLaunch)
		return nil
	})
}
