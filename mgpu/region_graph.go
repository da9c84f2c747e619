package mgpu

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// use locks the graph of a key that can be launched, until done; false: it can't, which
// has been told. A recording that is under way for the key is no longer compared with
// what the graph does.
func (r *Runtime) use(call string, key uint64) (k *keyed, f frame, ok bool) {
	f, ok = r.enterGraphs(call)
	if !ok {
		return nil, f, false
	}
	if k = r.graphs.find(key, false); k == nil {
		r.report(call, graphError(call, key, "there is no such graph"))
		return nil, f, false
	}
	k.recorder.mu.Lock()
	if !k.recorder.over {
		k.recorder.depart()
	}
	k.mu.Lock()
	switch {
	case k.gone != "":
		r.report(call, graphError(call, key, "its kernel %s was unloaded; record it anew", k.gone))
	case k.retaken:
		r.report(call, graphError(call, key, "host memory that it copies was recorded anew since; record it anew"))
	case k.graph.Recording() == nil:
		r.report(call, graphError(call, key, "there is no such graph: nothing was recorded that could be launched"))
	default:
		return k, f, true
	}
	k.done()
	return nil, f, false
}

func (k *keyed) done() {
	k.mu.Unlock()
	k.recorder.mu.Unlock()
}

// GraphLaunch launches the graph of key.
func (r *Runtime) GraphLaunch(key uint64, stream uintptr) {
	const call = "mgpuxGraphLaunch"
	k, f, ok := r.use(call, key)
	if !ok {
		return
	}
	defer k.done()
	if e := f.k.pool.Find(stream); e != nil && e.Kind() != streampool.Stream {
		f.failed(graphError(call, key, "%#x is an event, not a stream", stream))
		return
	}
	if _, ok := f.findStream(stream); !ok {
		return
	}
	g, t := f.k.graphCalls, f.traits()
	switch {
	case f.unrecordable() != "":
		k.launchNotes(&f, driver.Stream(stream))
	case f.captures(driver.Stream(stream)):
		f.submitAll(k.graph.Recording(), driver.Stream(stream), 0)
	case !f.failed(k.graph.Restore(g, t, k.staging.idle(&f))):
		k.launchOn(&f, driver.Stream(stream), 0)
	}
}

// launchOn launches the graph, which is locked, from the part on that begins with a
// node. ok is false if none does.
func (k *keyed) launchOn(f *frame, s driver.Stream, node int) (launched, ok bool) {
	k.behind(f, s)
	err := submit(f.entryOf(s), nil, func() (err error) {
		ok, err = k.graph.Launch(f.k.graphCalls, s, node)
		return err
	})
	if ok {
		k.noteLaunch(f, s, err)
	}
	return ok && !f.failed(err), ok
}

// launchPart is launchOn for the part that begins with a node.
func (k *keyed) launchPart(f *frame, s driver.Stream, node int) {
	k.behind(f, s)
	err := submit(f.entryOf(s), nil, func() error { return k.graph.LaunchPart(f.k.graphCalls, s, node) })
	k.noteLaunch(f, s, err)
	f.failed(err)
}

func (k *keyed) noteLaunch(f *frame, s driver.Stream, err error) {
	if err != nil {
		return
	}
	k.latest = s
	k.staging.launched(f, s, f.k.graphs.GraphTraits().Pinned)
	if v, ok := f.r.graphs.latest.Load(s); !ok || v != k {
		f.r.graphs.latest.Store(s, k)
	}
}

// behind makes the stream follow the graph's launches on another one: launches of one
// graph never overlap, but its parts would, and what else uses memory that it holds.
func (k *keyed) behind(f *frame, s driver.Stream) {
	e := f.k.pool.Find(uintptr(k.latest))
	if k.latest == s || !e.Pending() || e.State() == streampool.Gone {
		return
	}
	f.failed(f.waitForStream(s, f.entryOf(s), k.latest, e))
}

// GraphUpdate makes the graph of key do what that of other does. It returns 1 where
// its nodes were changed, 0 where it was made anew, -1 after an error.
func (r *Runtime) GraphUpdate(key, other uint64) int32 {
	const call = "mgpuxGraphUpdate"
	if key == other {
		if k, _, ok := r.use(call, key); ok {
			k.done()
			return 1
		}
		return -1
	}
	from, f, ok := r.use(call, other)
	if !ok {
		return -1
	}
	what := from.graph.Recording().Clone()
	device, staged, held := from.device, from.staging.used(), len(from.held) > 0
	from.done()
	to, _, ok := r.use(call, key)
	if !ok {
		return -1
	}
	defer to.done()
	if device != to.device {
		r.report(call, graphError(call, key, "it belongs to device %d, graph %#x to device %d", to.device, other, device))
		return -1
	}
	if held {
		r.report(call, graphError(call, key, "graph %#x allocates memory, which stays its own", other))
		return -1
	}
	if staged {
		r.report(call, graphError(call, key, "graph %#x holds copies of host memory, which stay its own", other))
		return -1
	}
	o, err := to.become(&f, what)
	to.copies = false
	if f.failed(err) {
		return -1
	}
	if o == launchgraph.Replaced {
		return 0
	}
	return 1
}

// GraphDestroy destroys the graph of key.
func (r *Runtime) GraphDestroy(key uint64) {
	const call = "mgpuxGraphDestroy"
	f, ok := r.enterGraphs(call)
	if !ok {
		return
	}
	g := &r.graphs
	g.mu.Lock()
	k := g.byKey[key]
	if k == nil || !k.recorded.CompareAndSwap(false, true) {
		g.mu.Unlock()
		what := "there is no such graph"
		if k != nil {
			what = "it is being recorded"
		}
		r.report(call, graphError(call, key, "%s", what))
		return
	}
	delete(g.byKey, key)
	g.recorders.Delete(k.recorder.id)
	g.mu.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	f.failed(k.graph.Destroy(f.k.graphCalls, f.traits(), k.staging.idle(&f)))
	k.staging.free(&f)
	for _, is := range k.held {
		f.release(is.ptr)
	}
	if k.stream != 0 {
		_, err := f.k.pool.Put(f.meter, k.stream)
		f.failed(err)
	}
	g.latest.Range(func(s, of any) bool {
		if of == k {
			g.latest.CompareAndDelete(s, of)
		}
		return true
	})
}
