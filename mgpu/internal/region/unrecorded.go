package region

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// Where nothing can be recorded, as with MGPU_CACHE=off, a region's calls are executed one by
// one, and its launches, copies and fills noted in order. They become the key's graph:
// launching it executes them again. A call that can't be noted leaves the graph as it was,
// silently, as does a recording that fails.

// inRecordingOfOrder is inRecording for calls that only order others, which are not noted.
func (r *Regions) inRecordingOfOrder(id uintptr, record func(*recorder) string) bool {
	return r.inRecording(id, func(rec *recorder) string {
		if rec.callByCall {
			return ""
		}
		return record(rec)
	})
}

// endUnrecorded ends the noting of calls. committed: the noted calls become the graph.
func (rec *recorder) endUnrecorded(committed bool) {
	rec.ended = true
	k, unused := rec.graph, rec.rec
	k.ran.countCallByCall(rec.rec)
	if committed {
		k.lock()
		unused, _ = k.graph.Note(rec.rec)
		k.device, k.readsHostCopies, k.hostCopiesReplaced, k.unloadedKernel = rec.device, rec.hostBytes > 0, false, ""
		k.mu.Unlock()
	}
	rec.releaseRecording(unused)
}

// launchCallByCall executes the calls of the locked graph on one stream. Launches of a graph
// never overlap, so the device's work is waited for first.
func (k *graph) launchCallByCall(c Calls, s driver.Stream) {
	if _, ok := c.Driver().(driver.DeviceSynchronizer); ok && !c.Captures(s) {
		c.Failed(c.SynchronizeDevice(k.device))
	}
	k.ran.count(c, k.graph.Recording(), false)
	_ = streampool.Submit(c.EntryOf(s), nil, func() error {
		k.graph.Recording().Submit(c, s, 0, c.FailedLaunch)
		k.hostCopies.noteLaunch(c, s, false)
		return nil
	})
}

// update makes the locked graph do the calls of a recording.
func (k *graph) update(c Calls, what *launchgraph.Recording) (o launchgraph.Outcome, err error) {
	if c.Unrecordable() != "" {
		_, o = k.graph.Note(what)
		return o, nil
	}
	err = k.change(c, func() (err error) {
		_, o, err = k.graph.Become(c.Graphs(), c.GraphTraits(), what, k.hostCopies.launchWaiter(c))
		return err
	})
	k.ran.countBuilt(o, err)
	return o, err
}
