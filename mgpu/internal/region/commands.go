package region

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// commands is what a region does with its calls. All methods are called with recorder.mu locked; launch and update also
// with graph.mu.
type commands interface {
	// records reports whether calls become nodes. If not, the caller also makes them.
	records() bool
	// begin prepares for a recording's first call.
	begin(rec *recorder)
	// use makes a stream part of the recording. If ok is false, the call has ended: a misuse was reported (why is
	// empty), or the call can't be recorded.
	use(rec *recorder, c Calls, stream uintptr) (ok bool, why string)
	// invalid handles a launch that can't be made. It returns why the recording ends; empty: the recording continues.
	invalid(c Calls, err error) (why string)
	// abort ends a recording because of a call that can't be recorded.
	abort(rec *recorder, why string)
	// end ends a recording: see [Regions.End].
	end(rec *recorder) (launched bool, wait driver.Stream)
	// launch executes a graph on a stream.
	launch(k *graph, c Calls, s driver.Stream)
	// update makes a graph execute the calls of a recording.
	update(k *graph, c Calls, what *launchgraph.Recording) (launchgraph.Outcome, error)
}

// commandsOf returns what regions do with their calls. It is the same for the whole process.
func commandsOf(c Calls) commands {
	if c.Unrecordable() != "" {
		return streamCommands{}
	}
	return graphCommands{}
}

// issue executes recorded calls on a stream one by one, beginning with node from.
func issue(c Calls, what *launchgraph.Recording, on driver.Stream, from int) {
	_ = streampool.Submit(c, c.EntryToSubmit(on), nil, func() error {
		what.Submit(c, on, from, c.FailedLaunch)
		return nil
	})
}
