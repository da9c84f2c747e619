package region

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// streamCommands is for processes in which nothing can be recorded, as with MGPU_CACHE=off. The
// caller makes a region's calls, and the launches, copies and fills are noted in order. They
// become the key's graph: launching it executes them again. A call that can't be noted leaves
// the graph as it was, silently, as does a recording that fails.
type streamCommands struct{}

func (streamCommands) records() bool { return false }

func (streamCommands) begin(rec *recorder) {
	rec.regions.printOnce(rec.graph.key, rec.on(LaunchKernel).Unrecordable())
}

func (streamCommands) use(rec *recorder, c Calls, stream uintptr) (ok bool, why string) {
	if stream == 0 {
		return false, onDefaultStream
	}
	return true, ""
}

// invalid implements commands. The caller makes the launch, which fails.
func (streamCommands) invalid(c Calls, err error) (why string) { return "an invalid launch" }

// abort implements commands. The noted calls have been made.
func (streamCommands) abort(rec *recorder, why string) {
	rec.over()
	rec.graph.ran.countCallByCall(rec.rec)
	rec.releaseRecording(rec.rec)
}

// end implements commands. The noted calls become the graph, if there are any.
func (g streamCommands) end(rec *recorder) (launched bool, wait driver.Stream) {
	if rec.rec.Len() == 0 {
		g.abort(rec, "")
		return false, 0
	}
	rec.over()
	k := rec.graph
	k.ran.countCallByCall(rec.rec)
	k.lock()
	unused, _ := k.graph.Note(rec.rec)
	k.device, k.readsHostCopies, k.hostCopiesReplaced, k.unloadedKernel = rec.device, rec.hostBytes > 0, false, ""
	k.mu.Unlock()
	rec.releaseRecording(unused)
	return false, 0
}

// launch implements commands. Launches of a graph never overlap, so the device's work is waited
// for first.
func (streamCommands) launch(k *graph, c Calls, s driver.Stream) {
	if _, ok := c.Driver().(driver.DeviceSynchronizer); ok && !c.Captures(s) {
		c.Failed(c.SynchronizeDevice(k.device))
	}
	k.ran.count(c, k.graph.Recording(), false)
	issue(c, k.graph.Recording(), s, 0)
	k.hostCopies.noteLaunch(c, s, false)
}

func (streamCommands) update(k *graph, c Calls, what *launchgraph.Recording) (o launchgraph.Outcome, err error) {
	_, o = k.graph.Note(what)
	return o, nil
}
