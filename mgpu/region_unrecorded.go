package mgpu

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Where nothing can be recorded, as with MGPU_CACHE=off, a region's calls are made one by
// one and its launches, copies and fills noted, in their order. What is noted is the
// key's graph: launching that makes the calls again. Nothing is said about calls that
// can't be noted: after such a region, as after one that could not be recorded, the graph
// is what it was.

// inRecordingOfOrder is with for calls that make order, which notes leave out.
func (r *Runtime) inRecordingOfOrder(id uintptr, record func(*recorder) string) bool {
	return r.inRecording(id, func(rec *recorder) string {
		if rec.callByCall {
			return ""
		}
		return record(rec)
	})
}

// endUnrecorded ends notes. graph tells whether they are what the graph does from now on.
func (rec *recorder) endUnrecorded(committed bool) {
	rec.ended = true
	k, unused := rec.graph, rec.rec
	if committed {
		k.mu.Lock()
		unused, _ = k.graph.Note(rec.rec)
		k.device, k.readsHostCopies, k.hostCopiesReplaced, k.unloadedKernel = rec.device, rec.hostBytes > 0, false, ""
		k.mu.Unlock()
	}
	rec.releaseRecording(unused)
}

// launchCallByCall makes the calls of a graph, which is locked, on one stream. As launches of
// one graph never overlap, what is under way comes first.
func (k *regionGraph) launchCallByCall(f *frame, s driver.Stream) {
	if d, ok := f.k.drv.(driver.DeviceSynchronizer); ok && !f.capturesStream(s) {
		f.failed(f.synchronizeDevice(d, k.device))
	}
	_ = submit(f.entryOf(s), nil, func() error {
		k.graph.Recording().Submit(f.meter, s, 0, func(fn driver.Function, err error) { f.failed(f.r.withKernelName(err, uintptr(fn))) })
		k.hostCopies.noteLaunch(f, s, false)
		return nil
	})
}

// graphTraits are the driver's graphs', none where it has none.
func (f *frame) graphTraits() (t driver.GraphTraits) {
	if f.k.graphs != nil {
		t = f.k.graphs.GraphTraits()
	}
	return t
}

// update makes the graph, which is locked, do what a recording says.
func (k *regionGraph) update(f *frame, what *launchgraph.Recording) (o launchgraph.Outcome, err error) {
	if f.unrecordable() != "" {
		_, o = k.graph.Note(what)
		return o, nil
	}
	restore := f.relaxCapture()
	defer restore()
	_, o, err = k.graph.Become(f.k.graphCalls, f.graphTraits(), what, k.hostCopies.launchWaiter(f))
	return o, err
}
