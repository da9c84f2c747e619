package region

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// graphCommands makes a driver's graph of the calls.
type graphCommands struct{}

const onDefaultStream = "work on the default stream can't be recorded"

func (graphCommands) records() bool { return true }

func (graphCommands) begin(rec *recorder) { rec.startReplay() }

// use implements commands.
func (graphCommands) use(rec *recorder, c Calls, stream uintptr) (ok bool, why string) {
	if stream == rec.lastStream {
		if e := c.Pool().Find(stream); e != nil && !e.Stale() {
			return true, ""
		}
	}
	if stream == 0 {
		return false, onDefaultStream
	}
	e, ok := c.FindStream(stream)
	switch {
	case !ok:
		return false, ""
	case e == nil:
		return false, "work on a stream that the library did not make can't be recorded"
	case e.Device() != rec.device:
		return false, "work on another device can't be recorded"
	}
	s := driver.Stream(stream)
	rec.lastStream = stream
	if rec.rec.Knows(s) {
		return true, ""
	}
	if c.Captures(s) {
		return false, capturedReason
	}
	if e.Pending() {
		if why := rec.join(c, s); why != "" {
			return false, why
		}
	}
	rec.rec.Note(s)
	return true, ""
}

// invalid implements commands. The launch fails as it would outside a region, and the recording continues.
func (graphCommands) invalid(c Calls, err error) (why string) {
	c.Failed(err)
	return ""
}

// abort implements commands. The recorded calls are executed one by one.
func (graphCommands) abort(rec *recorder, why string) {
	rec.over()
	rec.regions.printOnce(rec.graph.key, why)
	c := rec.on(LaunchKernel)
	rec.stopReplay()
	if rec.rec.Len() > 0 {
		if on, ok := rec.chooseStream(c); ok {
			rec.graph.ran.count(c, rec.rec, false)
			rec.graph.lock()
			rec.graph.followLastLaunch(c, on)
			rec.graph.mu.Unlock()
			issue(c, rec.rec, on, rec.launched)
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

// end implements commands. It makes or updates the graph, and launches it.
func (g graphCommands) end(rec *recorder) (launched bool, wait driver.Stream) {
	if rec.streamCaptured() {
		g.abort(rec, capturedReason)
		return false, 0
	}
	c := rec.on(LaunchKernel)
	k := rec.graph
	k.lock()
	unused, err := rec.updateGraph(c)
	if err != nil {
		k.mu.Unlock()
		g.abort(rec, "the driver made no graph: "+err.Error())
		return false, 0
	}
	k.device, k.readsHostCopies, k.hostCopiesReplaced = rec.device, rec.hostBytes > 0, false
	on, ok := rec.chooseStream(c)
	if ok {
		var begun bool
		if launched, begun = k.launchFrom(c, on, rec.launched); !begun {
			issue(c, rec.rec, on, rec.launched)
		}
		if launched = launched || rec.launched > 0; launched {
			k.ran.count(c, k.graph.Recording(), true)
		}
	}
	rec.settleBlocks(c, true)
	k.mu.Unlock()
	rec.over()
	if launched {
		rec.orderStreamsBehind(c, on)
		if rec.rec.Waited() {
			wait = on
		}
	}
	rec.releaseRecording(unused)
	return launched, wait
}

// updateGraph makes the key's graph execute the recorded calls. It returns a recording for reuse. The caller has locked
// rec.graph.mu.
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

// launch implements commands. If the program captures the stream, it submits single calls.
func (graphCommands) launch(k *graph, c Calls, s driver.Stream) {
	restore := func() error { return k.graph.Restore(c.Graphs(), c.GraphTraits(), k.hostCopies.launchWaiter(c)) }
	switch {
	case c.Captures(s):
		k.ran.count(c, k.graph.Recording(), false)
		issue(c, k.graph.Recording(), s, 0)
	case k.graph.Ahead() && c.Failed(k.change(c, restore)):
		// the graph can't be launched
	default:
		if launched, _ := k.launchFrom(c, s, 0); launched {
			k.ran.count(c, k.graph.Recording(), true)
			k.allowRelaunch(c, s)
		}
	}
}

// update implements commands.
func (graphCommands) update(k *graph, c Calls, what *launchgraph.Recording) (o launchgraph.Outcome, err error) {
	err = k.change(c, func() (err error) {
		_, o, err = k.graph.Become(c.Graphs(), c.GraphTraits(), what, k.hostCopies.launchWaiter(c))
		return err
	})
	k.ran.countBuilt(o, err)
	return o, err
}
