package region

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
	rec.regions.printOnce(rec.graph.key, why)
	c := rec.on(LaunchKernel)
	rec.stopReplay()
	if rec.rec.Len() > 0 {
		if on, ok := rec.chooseStream(c); ok {
			rec.graph.ran.count(c, rec.rec, false)
			rec.graph.lock()
			rec.graph.followLastLaunch(c, on)
			rec.graph.mu.Unlock()
			rec.submitRest(c, on)
			rec.orderStreamsBehind(c, on)
			if rec.rec.Waited() {
				rec.waitInGo(c, on)
			}
			rec.graph.lock()
			rec.graph.hostCopies.noteLaunch(c, on, false)
			rec.graph.mu.Unlock()
		}
	} else {
		rec.submitOrder()
	}
	rec.releaseRecording(rec.rec)
}

// submitRest executes the recorded calls whose parts have not been launched.
func (rec *recorder) submitRest(c Calls, on driver.Stream) {
	submitCalls(c, rec.rec, on, rec.launched)
}

// submitCalls executes recorded calls one by one, from a node on.
func submitCalls(c Calls, rec *launchgraph.Recording, on driver.Stream, from int) {
	_ = streampool.Submit(c.EntryOf(on), nil, func() error {
		rec.Submit(c, on, from, c.FailedLaunch)
		return nil
	})
}

// waitInGo waits for a stream without leaving Go.
func (rec *recorder) waitInGo(c Calls, s driver.Stream) {
	e := c.Pool().Find(uintptr(s))
	covered := e.Submissions()
	if !c.Failed(rec.regions.Explain(c.StreamSynchronize(s), uintptr(s))) {
		e.Synchronized(covered)
	}
}

// chooseStream returns the stream of the graph's launches, and makes that stream wait for work
// from before the recording.
func (rec *recorder) chooseStream(c Calls) (on driver.Stream, ok bool) {
	if on = rec.stream; on != 0 {
	} else if rec.pinLastStream(c) {
		on = driver.Stream(rec.lastStream)
	} else if on, ok = rec.ownStream(c); !ok {
		return 0, false
	}
	for _, j := range rec.joins[rec.joinsFollowed:] {
		if j.stream != on && !j.awaited {
			c.Failed(c.WaitForEvent(on, j.event))
		}
	}
	rec.joinsFollowed = len(rec.joins)
	return on, true
}

// pinLastStream keeps the stream that the program recorded on last until the recording is
// released, and reports whether the graph can be launched there.
func (rec *recorder) pinLastStream(c Calls) bool {
	e := c.Pool().Find(rec.lastStream)
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
func (rec *recorder) ownStream(c Calls) (on driver.Stream, ok bool) {
	if rec.graph.ownStream == 0 {
		s, _, err := c.Pool().Get(c, rec.device)
		if c.Failed(err) {
			return 0, false
		}
		rec.graph.ownStream = s
	}
	return rec.graph.ownStream, true
}

// orderStreamsBehind makes the recorded streams and events follow the work submitted to on.
func (rec *recorder) orderStreamsBehind(c Calls, on driver.Stream) {
	var done driver.Event
	rec.rec.Streams(func(s driver.Stream) {
		e := c.Pool().Find(uintptr(s))
		if s == on || !e.Pin() {
			return
		}
		defer e.Unpin()
		if e.Stale() {
			return
		}
		if done == 0 {
			ev, _, err := c.Pool().GetEvent(c, rec.device)
			if c.Failed(err) {
				return
			}
			c.Failed(c.RecordOwn(ev, on))
			done = ev
		}
		c.Failed(c.WaitForEvent(s, done))
	})
	if done != 0 {
		_, err := c.Pool().PutEvent(c, done)
		c.Failed(err)
	}
	rec.rec.Events(func(ev driver.Event) {
		if e := c.Pool().Find(uintptr(ev)); e != nil && !e.Stale() {
			c.Failed(c.RecordOwn(ev, on))
		}
	})
}

// releaseRecording returns events, memory and the recording's storage. spare is reused by the
// next recording; nil: none.
func (rec *recorder) releaseRecording(spare *launchgraph.Recording) {
	c := rec.on(LaunchKernel)
	rec.makeWaitsOfFrees(c)
	if !rec.waiting {
		rec.dropJoins(c)
	}
	rec.graph.lock()
	rec.settleBlocks(c, false)
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
	c := rec.on(LaunchKernel)
	if on, ok := rec.chooseStream(c); ok {
		rec.orderStreamsBehind(c, on)
	}
}

// launchGraph ends the recording, makes or updates the graph, and launches it. rec.mu is held.
func (rec *recorder) launchGraph() (launched bool, wait driver.Stream) {
	if rec.streamCaptured() {
		rec.executeCallByCall(capturedReason)
		return false, 0
	}
	c := rec.on(LaunchKernel)
	k := rec.graph
	k.lock()
	unused, err := rec.updateGraph(c)
	if err != nil {
		k.mu.Unlock()
		rec.executeCallByCall("the driver made no graph: " + err.Error())
		return false, 0
	}
	k.device, k.readsHostCopies, k.hostCopiesReplaced = rec.device, rec.hostBytes > 0, false
	on, ok := rec.chooseStream(c)
	if ok {
		var begun bool
		if launched, begun = k.launchFrom(c, on, rec.launched); !begun {
			rec.submitRest(c, on)
		}
		if launched = launched || rec.launched > 0; launched {
			k.ran.count(c, k.graph.Recording(), true)
		}
	}
	rec.settleBlocks(c, true)
	k.mu.Unlock()
	rec.ended = true
	if launched {
		rec.orderStreamsBehind(c, on)
		if rec.rec.Waited() {
			wait = on
		}
	}
	rec.releaseRecording(unused)
	return launched, wait
}

// updateGraph makes the key's graph do the recorded calls, and returns a recording to reuse.
// rec.graph.mu is held.
func (rec *recorder) updateGraph(c Calls) (unused *launchgraph.Recording, err error) {
	k, g, t := rec.graph, c.Graphs(), c.GraphTraits()
	idle := k.hostCopies.launchWaiter(c)
	if rec.rec.Complete() {
		if rec.preparePart(c, t) == nil {
			unused = rec.rec
			k.graph.Repeated(unused)
			rec.rec = k.graph.Recording()
			return unused, nil
		}
	}
	rec.stopReplay()
	restore := c.RelaxCapture()
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
			if c := rec.on(LaunchKernel); c.KernelIn(fn, m) {
				uses = c.KernelName(fn)
			}
		})
	}
	if uses != "" {
		rec.executeCallByCall("its kernel " + uses + " is unloaded")
	}
}
