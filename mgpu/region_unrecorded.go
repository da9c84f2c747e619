package mgpu

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Where nothing can be recorded, as with MGPU_CACHE=off, a region's calls are executed one by
// one, and its launches, copies and fills noted in order. They become the key's graph:
// launching it executes them again. A call that can't be noted leaves the graph as it was,
// silently, as does a recording that fails.

// inRecordingOfOrder is inRecording for calls that only order others, which are not noted.
func (r *Runtime) inRecordingOfOrder(id uintptr, record func(*recorder) string) bool {
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
func (k *regionGraph) launchCallByCall(f *frame, s driver.Stream) {
	if d, ok := f.k.drv.(driver.DeviceSynchronizer); ok && !f.capturesStream(s) {
		f.failed(f.synchronizeDevice(d, k.device))
	}
	k.ran.count(f, k.graph.Recording(), false)
	_ = submit(f.entryOf(s), nil, func() error {
		k.graph.Recording().Submit(f.meter, s, 0, func(fn driver.Function, err error) { f.failed(f.r.withKernelName(err, uintptr(fn))) })
		k.hostCopies.noteLaunch(f, s, false)
		return nil
	})
}

// graphTraits returns the traits of the driver's graphs, zero where it has none.
func (f *frame) graphTraits() (t driver.GraphTraits) {
	if f.k.graphs != nil {
		t = f.k.graphs.GraphTraits()
	}
	return t
}

// update makes the locked graph do the calls of a recording.
func (k *regionGraph) update(f *frame, what *launchgraph.Recording) (o launchgraph.Outcome, err error) {
	if f.unrecordable() != "" {
		_, o = k.graph.Note(what)
		return o, nil
	}
	err = k.change(f, func() (err error) {
		_, o, err = k.graph.Become(f.k.graphCalls, f.graphTraits(), what, k.hostCopies.launchWaiter(f))
		return err
	})
	k.ran.countBuilt(o, err)
	return o, err
}
