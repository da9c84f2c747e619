package mgpu

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// lockGraph returns the graph of a key, locked until unlock. ok is false, and the reason
// reported, if the graph can't be launched. A replay under way for the key ends: its calls are
// recorded from then on.
func (r *Runtime) lockGraph(call string, key uint64) (k *regionGraph, f frame, ok bool) {
	f, ok = r.enterGraphs(call)
	if !ok {
		return nil, f, false
	}
	if k = r.graphs.lookup(key, false); k == nil {
		r.report(call, graphError(call, key, "there is no such graph"))
		return nil, f, false
	}
	k.recorder.mu.Lock()
	if !k.recorder.ended {
		k.recorder.stopReplay()
	}
	k.lock()
	switch {
	case k.unloadedKernel != "":
		r.report(call, graphError(call, key, "its kernel %s was unloaded; record it anew", k.unloadedKernel))
	case k.hostCopiesReplaced:
		r.report(call, graphError(call, key, "host memory that it copies was recorded anew since; record it anew"))
	case k.graph.Recording() == nil:
		r.report(call, graphError(call, key, "there is no such graph: nothing was recorded that could be launched"))
	default:
		return k, f, true
	}
	k.unlock()
	return nil, f, false
}

func (k *regionGraph) unlock() {
	k.mu.Unlock()
	k.recorder.mu.Unlock()
}

// GraphLaunch launches the graph of key on a stream.
func (r *Runtime) GraphLaunch(key uint64, stream uintptr) {
	const call = "mgpuxGraphLaunch"
	k, f, ok := r.lockGraph(call, key)
	if !ok {
		return
	}
	defer k.unlock()
	if e := f.k.pool.Find(stream); e != nil && e.Kind() != streampool.Stream {
		f.failed(graphError(call, key, "%#x is an event, not a stream", stream))
		return
	}
	if _, ok := f.findStream(stream); !ok {
		return
	}
	g, t := f.k.graphCalls, f.graphTraits()
	switch {
	case f.unrecordable() != "":
		k.launchCallByCall(&f, driver.Stream(stream))
	case f.capturesStream(driver.Stream(stream)):
		k.ran.count(&f, k.graph.Recording(), false)
		f.submitCalls(k.graph.Recording(), driver.Stream(stream), 0)
	case k.graph.Ahead() && f.failed(k.change(&f, func() error { return k.graph.Restore(g, t, k.hostCopies.launchWaiter(&f)) })):
		// it can't be launched
	default:
		if launched, _ := k.launchFrom(&f, driver.Stream(stream), 0); launched {
			k.ran.count(&f, k.graph.Recording(), true)
			k.allowRelaunch(&f, driver.Stream(stream))
		}
	}
}

// change makes driver calls that change the locked graph, on its device, and without ending a
// capture of the program.
func (k *regionGraph) change(f *frame, calls func() error) error {
	before, err := f.switchTo(k.device)
	if err != nil {
		return err
	}
	defer f.switchBack(before, k.device)
	defer f.relaxCapture()()
	return calls()
}

// launchFrom launches the locked graph from a node on. ok is false if no part begins with the
// node.
func (k *regionGraph) launchFrom(f *frame, s driver.Stream, node int) (launched, ok bool) {
	k.followLastLaunch(f, s)
	if node == 0 && k.graph.WholeDue() {
		f.failed(k.change(f, func() error {
			if k.graph.MakeWhole(f.k.graphCalls, f.k.graphs.GraphTraits(), k.hostCopies.launchWaiter(f)) {
				k.ran.built.Add(1)
			}
			return nil
		}))
	}
	err := submit(f.entryOf(s), nil, func() (err error) {
		ok, err = k.graph.Launch(f.k.graphCalls, s, node)
		return err
	})
	if ok {
		k.noteLaunch(f, s, err)
	}
	return ok && !f.failed(err), ok
}

// launchPart launches the part of the locked graph that begins with a node.
func (k *regionGraph) launchPart(f *frame, s driver.Stream, node int) {
	k.followLastLaunch(f, s)
	err := submit(f.entryOf(s), nil, func() error { return k.graph.LaunchPart(f.k.graphCalls, s, node) })
	k.noteLaunch(f, s, err)
	f.failed(err)
}

func (k *regionGraph) noteLaunch(f *frame, s driver.Stream, err error) {
	if err != nil {
		return
	}
	k.lastStream = s
	k.hostCopies.noteLaunch(f, s, f.k.graphs.GraphTraits().Pinned)
	if v, ok := f.r.graphs.lastLaunched.Load(s); !ok || v != k {
		if ok && f.k.relaunches {
			f.r.cfg.FastPath.EndRelaunch(v.(*regionGraph).key, s)
		}
		f.r.graphs.lastLaunched.Store(s, k)
	}
}

// followLastLaunch makes the stream wait for the graph's latest launch on another one. By
// itself CUDA orders whole launches of a graph, but not their parts, and HIP neither; nor
// does any driver order other users of the graph's memory.
func (k *regionGraph) followLastLaunch(f *frame, s driver.Stream) {
	e := f.k.pool.Find(uintptr(k.lastStream))
	if k.lastStream == s || !e.Pending() || !e.Pin() {
		return
	}
	defer e.Unpin()
	f.failed(f.waitForStream(s, f.entryOf(s), k.lastStream, e))
}

// GraphUpdate makes the graph of key do the same as that of other. It returns 1 if nodes were
// updated, 0 if the graph was made anew, -1 after an error.
func (r *Runtime) GraphUpdate(key, other uint64) int32 {
	const call = "mgpuxGraphUpdate"
	if key == other {
		if k, _, ok := r.lockGraph(call, key); ok {
			k.unlock()
			return 1
		}
		return -1
	}
	from, f, ok := r.lockGraph(call, other)
	if !ok {
		return -1
	}
	what := from.graph.Recording().Clone()
	device, copiesHost, holdsMemory := from.device, from.readsHostCopies, len(from.blocks) > 0
	from.unlock()
	to, _, ok := r.lockGraph(call, key)
	if !ok {
		return -1
	}
	defer to.unlock()
	if device != to.device {
		r.report(call, graphError(call, key, "it belongs to device %d, graph %#x to device %d", to.device, other, device))
		return -1
	}
	if holdsMemory {
		r.report(call, graphError(call, key, "graph %#x allocates memory, which stays its own", other))
		return -1
	}
	if copiesHost {
		r.report(call, graphError(call, key, "graph %#x holds copies of host memory, which stay its own", other))
		return -1
	}
	o, err := to.update(&f, what)
	to.readsHostCopies = false
	if f.failed(err) {
		return -1
	}
	to.releaseUnusedBlocks(&f)
	if o == launchgraph.Replaced {
		return 0
	}
	return 1
}

// GraphDestroy destroys the graph of key and returns its memory.
func (r *Runtime) GraphDestroy(key uint64) {
	const call = "mgpuxGraphDestroy"
	f, ok := r.enterGraphs(call)
	if !ok {
		return
	}
	g := &r.graphs
	g.mu.Lock()
	k := g.byKey[key]
	if k == nil || !k.recording.CompareAndSwap(false, true) {
		g.mu.Unlock()
		what := "there is no such graph"
		if k != nil && !k.destroying.Load() {
			what = "it is being recorded"
		}
		r.report(call, graphError(call, key, "%s", what))
		return
	}
	k.destroying.Store(true)
	g.mu.Unlock()
	k.lock() // before the key is free for another graph, whose launches C would take for this one's
	defer k.mu.Unlock()
	g.mu.Lock()
	delete(g.byKey, key)
	g.destroyed = withRegion(g.destroyed, k.stats())
	g.recorders.Delete(k.recorder.id)
	g.mu.Unlock()
	f.failed(k.change(&f, func() error { return k.graph.Destroy(f.k.graphCalls, f.graphTraits(), k.hostCopies.launchWaiter(&f)) }))
	k.hostCopies.release(&f)
	for _, block := range k.blocks {
		f.releaseBlock(block.ptr)
	}
	if k.ownStream != 0 {
		_, err := f.k.pool.Put(f.meter, k.ownStream)
		f.failed(err)
	}
	g.lastLaunched.Range(func(s, of any) bool {
		if of == k {
			g.lastLaunched.CompareAndDelete(s, of)
		}
		return true
	})
}
