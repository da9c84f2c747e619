package region

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// lockGraph returns the graph of a key, locked until unlock. If the graph can't be launched, it reports the reason and
// ok is false. A replay of the key in progress ends: its calls are recorded from then on.
func (r *Regions) lockGraph(call string, key uint64) (k *graph, c Calls, ok bool) {
	if c = r.enter(call); c == nil {
		return nil, c, false
	}
	if k = r.lookup(key, false); k == nil {
		r.runtime.Report(call, graphError(call, key, "there is no such graph"))
		return nil, c, false
	}
	k.recorder.mu.Lock()
	if k.recorder.recording() {
		k.recorder.stopReplay()
	}
	k.lock()
	switch {
	case k.unloadedKernel != "":
		r.runtime.Report(call, graphError(call, key, "its kernel %s was unloaded; record it again", k.unloadedKernel))
	case k.hostCopiesReplaced:
		r.runtime.Report(call, graphError(call, key, "host memory that it copies was recorded again since; record it again"))
	case k.graph.Recording() == nil:
		r.runtime.Report(call, graphError(call, key, "there is no such graph: nothing was recorded that could be launched"))
	default:
		return k, c, true
	}
	k.unlock()
	return nil, c, false
}

func (k *graph) unlock() {
	k.mu.Unlock()
	k.recorder.mu.Unlock()
}

// GraphLaunch launches the graph of key on a stream.
func (r *Regions) GraphLaunch(key uint64, stream uintptr) {
	const call = "mgpuxGraphLaunch"
	k, c, ok := r.lockGraph(call, key)
	if !ok {
		return
	}
	defer k.unlock()
	if e := c.Pool().Find(stream); e != nil && e.Kind() != streampool.Stream {
		c.Failed(graphError(call, key, "%#x is an event, not a stream", stream))
		return
	}
	if _, ok := c.FindStream(stream); !ok {
		return
	}
	commandsOf(c).launch(k, c, driver.Stream(stream))
}

// change makes driver calls that change the locked graph, with the graph's device as the current device, and without
// ending a capture by the program.
func (k *graph) change(c Calls, calls func() error) error {
	before, err := c.SwitchTo(k.device)
	if err != nil {
		return err
	}
	defer c.SwitchBack(before, k.device)
	defer c.RelaxCapture()()
	return calls()
}

// launchFrom launches the locked graph beginning with a node. ok is false if no part begins at the node.
func (k *graph) launchFrom(c Calls, s driver.Stream, node int) (launched, ok bool) {
	k.followLastLaunch(c, s)
	if node == 0 && k.graph.WholeDue() {
		c.Failed(k.change(c, func() error {
			if k.graph.MakeWhole(c.Graphs(), c.GraphTraits(), k.hostCopies.launchWaiter(c)) {
				k.ran.built.Add(1)
			}
			return nil
		}))
	}
	err := streampool.Submit(c, c.EntryToSubmit(s), nil, func() (err error) {
		ok, err = k.graph.Launch(c.Graphs(), s, node)
		return err
	})
	if ok {
		k.noteLaunch(c, s, err)
	}
	return ok && !c.Failed(err), ok
}

// launchPart launches the part of the locked graph that begins at a node.
func (k *graph) launchPart(c Calls, s driver.Stream, node int) {
	k.followLastLaunch(c, s)
	err := streampool.Submit(c, c.EntryToSubmit(s), nil, func() error { return k.graph.LaunchPart(c.Graphs(), s, node) })
	k.noteLaunch(c, s, err)
	c.Failed(err)
}

func (k *graph) noteLaunch(c Calls, s driver.Stream, err error) {
	if err != nil {
		return
	}
	k.lastStream = s
	k.hostCopies.noteLaunch(c, s, c.GraphTraits().Pinned)
	if v, ok := k.regions.lastLaunched.Load(s); !ok || v != k {
		if by := c.Relauncher(); ok && by != nil {
			by.EndRelaunch(v.(*graph).key, s)
		}
		k.regions.lastLaunched.Store(s, k)
	}
}

// followLastLaunch makes the stream wait for the graph's latest launch on another stream. CUDA orders whole launches of
// a graph but not its parts, HIP orders neither, and no driver orders other users of the graph's memory.
func (k *graph) followLastLaunch(c Calls, s driver.Stream) {
	e := c.Pool().Find(uintptr(k.lastStream))
	if k.lastStream == s || !e.Pending() || !e.Pin() {
		return
	}
	defer e.Unpin()
	c.Failed(c.WaitForStream(s, k.lastStream))
}

// GraphUpdate makes the graph of key execute the same work as the graph of other. It returns 1 if nodes were updated, 0
// if the graph was built again, -1 after an error.
func (r *Regions) GraphUpdate(key, other uint64) int32 {
	const call = "mgpuxGraphUpdate"
	if key == other {
		if k, _, ok := r.lockGraph(call, key); ok {
			k.unlock()
			return 1
		}
		return -1
	}
	from, c, ok := r.lockGraph(call, other)
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
		r.runtime.Report(call, graphError(call, key, "it belongs to device %d, graph %#x to device %d", to.device, other, device))
		return -1
	}
	if holdsMemory {
		r.runtime.Report(call, graphError(call, key, "graph %#x allocates memory, which stays its own", other))
		return -1
	}
	if copiesHost {
		r.runtime.Report(call, graphError(call, key, "graph %#x holds copies of host memory, which stay its own", other))
		return -1
	}
	o, err := commandsOf(c).update(to, c, what)
	to.readsHostCopies = false
	if c.Failed(err) {
		return -1
	}
	to.releaseUnusedBlocks(c)
	if o == launchgraph.Replaced {
		return 0
	}
	return 1
}

// GraphDestroy destroys the graph of key and returns its memory.
func (r *Regions) GraphDestroy(key uint64) {
	const call = "mgpuxGraphDestroy"
	c := r.enter(call)
	if c == nil {
		return
	}
	r.mu.Lock()
	k := r.byKey[key]
	if k == nil || !k.recording.CompareAndSwap(false, true) {
		r.mu.Unlock()
		what := "there is no such graph"
		if k != nil && !k.destroying.Load() {
			what = "it is being recorded"
		}
		r.runtime.Report(call, graphError(call, key, "%s", what))
		return
	}
	k.destroying.Store(true)
	r.mu.Unlock()
	k.lock() // before the key can be used for another graph, for whose launches C would take this graph's
	defer k.mu.Unlock()
	r.mu.Lock()
	delete(r.byKey, key)
	r.destroyed = withRegion(r.destroyed, k.stats(), maxDestroyed)
	r.recorders.Delete(k.recorder.id)
	r.mu.Unlock()
	c.Failed(k.change(c, func() error { return k.graph.Destroy(c.Graphs(), c.GraphTraits(), k.hostCopies.launchWaiter(c)) }))
	k.hostCopies.release(c)
	for _, b := range k.blocks {
		c.Release(b.ptr)
	}
	if k.ownStream != 0 {
		_, err := c.Pool().Put(c, k.ownStream)
		c.Failed(err)
	}
	r.lastLaunched.Range(func(s, of any) bool {
		if of == k {
			r.lastLaunched.CompareAndDelete(s, of)
		}
		return true
	})
}
