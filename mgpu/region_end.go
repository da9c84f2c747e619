package mgpu

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// executeCallByCall ends the recording and executes the recorded calls one by one. rec.mu is
// held.
func (rec *recorder) executeCallByCall(why string) {
	if rec.callByCall {
		rec.endUnrecorded(false)
		return
	}
	rec.ended = true
	rec.r.printOnce(rec.graph.key, why)
	f := rec.frameFor(launchKernel)
	rec.stopReplay()
	if rec.rec.Len() > 0 {
		if on, ok := rec.chooseStream(f); ok {
			rec.graph.ran.count(f, rec.rec, false)
			rec.graph.lock()
			rec.graph.followLastLaunch(f, on)
			rec.graph.mu.Unlock()
			rec.submitRest(f, on)
			rec.orderStreamsBehind(f, on)
			if rec.rec.Waited() {
				f.waitInGo(on)
			}
			rec.graph.lock()
			rec.graph.hostCopies.noteLaunch(f, on, false)
			rec.graph.mu.Unlock()
		}
	} else {
		rec.submitOrder()
	}
	rec.releaseRecording(rec.rec)
}

// submitRest executes the recorded calls whose parts have not been launched.
func (rec *recorder) submitRest(f *frame, on driver.Stream) {
	f.submitCalls(rec.rec, on, rec.launched)
}

// submitCalls executes recorded calls one by one, from a node on.
func (f *frame) submitCalls(rec *launchgraph.Recording, on driver.Stream, from int) {
	_ = submit(f.entryOf(on), nil, func() error {
		rec.Submit(f.meter, on, from, func(fn driver.Function, err error) { f.failed(f.r.withKernelName(err, uintptr(fn))) })
		return nil
	})
}

// waitInGo waits for a stream without leaving Go.
func (f *frame) waitInGo(s driver.Stream) {
	e := f.k.pool.Find(uintptr(s))
	covered := e.Submissions()
	if !f.failed(f.r.withGraphKernels(f.meter.StreamSynchronize(s), uintptr(s))) {
		e.Synchronized(covered)
	}
}

// chooseStream returns the stream of the graph's launches, and makes that stream wait for work
// from before the recording.
func (rec *recorder) chooseStream(f *frame) (on driver.Stream, ok bool) {
	if on = rec.stream; on != 0 {
	} else if rec.pinLastStream(f) {
		on = driver.Stream(rec.lastStream)
	} else if on, ok = rec.ownStream(f); !ok {
		return 0, false
	}
	for _, j := range rec.joins[rec.joinsFollowed:] {
		if j.stream != on && !j.awaited {
			f.failed(f.waitForEvent(on, f.entryOf(on), j.event, f.k.pool.Find(uintptr(j.event))))
		}
	}
	rec.joinsFollowed = len(rec.joins)
	return on, true
}

// pinLastStream keeps the stream that the program recorded on last until the recording is
// released, and reports whether the graph can be launched there.
func (rec *recorder) pinLastStream(f *frame) bool {
	e := f.k.pool.Find(rec.lastStream)
	if e == nil || e.Kind() != streampool.Stream || e.Device() != rec.device || !e.Pin() {
		return false
	}
	if e.Stale() {
		e.Unpin()
		return false
	}
	rec.unpin()
	rec.pinned = e
	return true
}

func (rec *recorder) unpin() {
	if rec.pinned != nil {
		rec.pinned.Unpin()
		rec.pinned = nil
	}
}

// ownStream returns the graph's own stream, created on first use.
func (rec *recorder) ownStream(f *frame) (on driver.Stream, ok bool) {
	if rec.graph.ownStream == 0 {
		s, _, err := f.k.pool.Get(f.meter, rec.device)
		if f.failed(err) {
			return 0, false
		}
		rec.graph.ownStream = s
	}
	return rec.graph.ownStream, true
}

// orderStreamsBehind makes the recorded streams and events follow the work submitted to on.
func (rec *recorder) orderStreamsBehind(f *frame, on driver.Stream) {
	var done driver.Event
	rec.rec.Streams(func(s driver.Stream) {
		e := f.k.pool.Find(uintptr(s))
		if s == on || !e.Pin() {
			return
		}
		defer e.Unpin()
		if e.Stale() {
			return
		}
		if done == 0 {
			ev, _, err := f.k.pool.GetEvent(f.meter, rec.device)
			if f.failed(err) {
				return
			}
			f.failed(f.recordOwn(ev, on))
			done = ev
		}
		f.failed(f.waitForEvent(s, e, done, f.k.pool.Find(uintptr(done))))
	})
	if done != 0 {
		_, err := f.k.pool.PutEvent(f.meter, done)
		f.failed(err)
	}
	rec.rec.Events(func(ev driver.Event) {
		if e := f.k.pool.Find(uintptr(ev)); e != nil && !e.Stale() {
			f.failed(f.recordOwn(ev, on))
		}
	})
}

// releaseRecording returns events, memory and the recording's storage. spare is reused by the
// next recording; nil: none.
func (rec *recorder) releaseRecording(spare *launchgraph.Recording) {
	f := rec.frameFor(launchKernel)
	rec.makeWaitsOfFrees(f)
	if !rec.waiting {
		rec.dropJoins(f)
	}
	rec.graph.lock()
	rec.settleBlocks(f, false)
	rec.unpin()
	if spare != nil {
		rec.graph.spare = spare
	}
	rec.graph.mu.Unlock()
	rec.rec = nil
}

// endEmpty ends a recording without work. Events may have been recorded.
func (rec *recorder) endEmpty() {
	rec.ended = true
	rec.submitOrder()
	rec.releaseRecording(rec.rec)
}

// submitOrder submits the recorded order between streams and events of a recording without
// work: they follow work from before.
func (rec *recorder) submitOrder() {
	if !rec.rec.Orders() {
		return
	}
	rec.stopReplay()
	f := rec.frameFor(launchKernel)
	if on, ok := rec.chooseStream(f); ok {
		rec.orderStreamsBehind(f, on)
	}
}

// launchGraph ends the recording, makes or updates the graph, and launches it. rec.mu is held.
func (rec *recorder) launchGraph() (launched bool, w Wait) {
	if rec.streamCaptured() {
		rec.executeCallByCall(capturedReason)
		return false, Wait{}
	}
	f := rec.frameFor(launchKernel)
	k := rec.graph
	k.lock()
	unused, err := rec.updateGraph(f)
	if err != nil {
		k.mu.Unlock()
		rec.executeCallByCall("the driver made no graph: " + err.Error())
		return false, Wait{}
	}
	k.device, k.readsHostCopies, k.hostCopiesReplaced = rec.device, rec.hostBytes > 0, false
	on, ok := rec.chooseStream(f)
	if ok {
		var begun bool
		if launched, begun = k.launchFrom(f, on, rec.launched); !begun {
			rec.submitRest(f, on)
		}
		if launched = launched || rec.launched > 0; launched {
			k.ran.count(f, k.graph.Recording(), true)
		}
	}
	rec.settleBlocks(f, true)
	k.mu.Unlock()
	rec.ended = true
	if launched {
		rec.orderStreamsBehind(f, on)
		if rec.rec.Waited() {
			wait := rec.r.frameOf(f.k, streamSynchronize)
			w = wait.synchronizeStream(uintptr(on), f.k.pool.Find(uintptr(on)))
		}
	}
	rec.releaseRecording(unused)
	return launched, w
}

// updateGraph makes the key's graph do the recorded calls, and returns a recording to reuse.
// rec.graph.mu is held.
func (rec *recorder) updateGraph(f *frame) (unused *launchgraph.Recording, err error) {
	k, g, t := rec.graph, f.k.graphCalls, f.k.graphs.GraphTraits()
	idle := k.hostCopies.launchWaiter(f)
	if rec.rec.Complete() {
		if rec.preparePart(f, t) == nil {
			unused = rec.rec
			k.graph.Repeated(unused)
			rec.rec = k.graph.Recording()
			return unused, nil
		}
	}
	rec.stopReplay()
	restore := f.relaxCapture()
	defer restore()
	if k.unloadedKernel != "" {
		_ = k.graph.Destroy(g, t, idle)
		k.unloadedKernel = ""
	}
	unused, outcome, err := k.graph.Become(g, t, rec.rec, idle)
	k.ran.countBuilt(outcome, err)
	return unused, err
}

// dropModule ends the recording if it has a kernel of the module, which is about to be
// unloaded.
func (rec *recorder) dropModule(m driver.Module) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	uses := ""
	if !rec.ended {
		rec.stopReplay()
		rec.rec.Functions(func(fn driver.Function) {
			if known := rec.r.kernelOf(uintptr(fn)); known != nil && known.module == m {
				uses = known.name
			}
		})
	}
	if uses != "" {
		rec.executeCallByCall("its kernel " + uses + " is unloaded")
	}
}
