package mgpu

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// The functions of graphs are no functions of MLIR's ABI and have no rows of their
// own: their driver calls are charged to launches.

// graphs are the program's, and the recordings under way.
type graphs struct {
	mu    sync.Mutex
	byKey map[uint64]*keyed
	next  uintptr
	burst *burst   // nil: nothing is put off
	why   sync.Map // reasons for which recordings ended that were told

	recorders sync.Map // uintptr -> *recorder, by number
	latest    sync.Map // stream -> *keyed: what it launched last
}

// keyed is the graph of a key.
type keyed struct {
	key      uint64
	recorder recorder
	recorded atomic.Bool // a thread is between Begin and End

	mu      sync.Mutex
	graph   launchgraph.Graph
	latest  driver.Stream // where it was launched last
	device  int
	spare   *launchgraph.Recording
	stream  driver.Stream // of its own, for recordings whose streams are gone; zero: none yet
	staging staging
	gone    string // the name of a kernel of its that was unloaded; empty: none
}

// find returns the graph of a key, nil if there is none; make makes one.
func (g *graphs) find(key uint64, make bool) *keyed {
	g.mu.Lock()
	defer g.mu.Unlock()
	k := g.byKey[key]
	if k == nil && make {
		if g.byKey == nil {
			g.byKey = map[uint64]*keyed{}
		}
		k = &keyed{key: key}
		k.recorder.of, k.recorder.over = k, true
		g.next++
		k.recorder.id = g.next
		g.recorders.Store(g.next, &k.recorder)
		g.byKey[key] = k
	}
	return k
}

func graphError(call string, key uint64, format string, args ...any) error {
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", call, key), Name: "invalid value", Code: driver.InvalidValue, Detail: fmt.Sprintf(format, args...)}
}

// enterGraphs is enter for the functions of graphs.
func (r *Runtime) enterGraphs(call string) (f *frame, ok bool) {
	k := r.core.Load()
	if k == nil {
		if k = r.open(); k == nil {
			r.report(call, r.fail)
			return nil, false
		}
	}
	return r.frameOf(k, launchKernel), true
}

// unrecordable tells why nothing can be recorded at all; empty if it can.
func (f *frame) unrecordable() string {
	switch {
	case f.k.graphs == nil:
		return fmt.Sprintf("the %s driver has no graphs", f.k.drv.Name())
	case !f.k.cached:
		return "MGPU_CACHE=off leaves nothing known of streams"
	}
	return ""
}

// GraphBegin begins a recording of what the calling thread submits, for the graph
// of key. It gives the number of the recording, zero if there is none; recorded is
// the number of the one that the thread has already.
func (r *Runtime) GraphBegin(key uint64, recorded uintptr) uintptr {
	const call = "mgpuxGraphBegin"
	f, ok := r.enterGraphs(call)
	if !ok {
		return 0
	}
	if recorded != 0 {
		r.report(call, graphError(call, key, "this thread records a graph already"))
		return 0
	}
	device, err := f.device()
	if err != nil {
		r.report(call, err)
		return 0
	}
	r.flushBefore(call)
	k := r.graphs.find(key, true)
	if !k.recorded.CompareAndSwap(false, true) {
		r.report(call, graphError(call, key, "another thread records this graph"))
		return 0
	}
	k.recorder.mu.Lock()
	defer k.recorder.mu.Unlock()
	if why := f.unrecordable(); why != "" {
		r.tellOnce(key, why)
	} else {
		k.mu.Lock()
		rec := k.spare
		k.spare = nil
		k.mu.Unlock()
		if rec == nil {
			rec = new(launchgraph.Recording)
		}
		rec.Reset()
		k.recorder.begin(r, f, device, rec)
		k.recorder.repeat()
	}
	return k.recorder.id
}

// flushBefore submits what has been put off, and waits as far as the program did.
func (r *Runtime) flushBefore(call string) {
	r.graphs.mu.Lock()
	b := r.graphs.burst
	r.graphs.mu.Unlock()
	if b != nil {
		r.RecordEnd(b.id, call)
	}
}

// tellOnce prints why a recording came to nothing, once for each reason.
func (r *Runtime) tellOnce(key uint64, why string) {
	if _, told := r.graphs.why.LoadOrStore(why, true); !told {
		r.say(fmt.Sprintf("mgpu: graph %#x is executed call by call: %s", key, why))
	}
}

// GraphRecording tells whether a recording still records.
func (r *Runtime) GraphRecording(id uintptr) bool {
	rec := r.recorder(id)
	if rec == nil {
		return false
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return !rec.over
}

// GraphEnd ends a recording and launches its graph. It tells whether one was
// launched, and what is to be waited for.
func (r *Runtime) GraphEnd(id uintptr) (launched bool, w Wait) {
	rec := r.recorder(id)
	if rec == nil {
		if f, ok := r.enterGraphs("mgpuxGraphEnd"); ok {
			f.failed(&driver.Error{Call: "mgpuxGraphEnd", Name: "invalid value", Code: driver.InvalidValue, Detail: "this thread records no graph"})
		}
		return false, Wait{}
	}
	defer rec.of.recorded.Store(false)
	rec.mu.Lock()
	defer rec.mu.Unlock()
	switch {
	case rec.over:
		return false, Wait{}
	case rec.rec.Len() == 0:
		rec.finishEmpty()
		return false, Wait{}
	}
	return rec.launch()
}

// GraphAbandon drops a recording, whose thread has ended or is done with it.
func (r *Runtime) GraphAbandon(id uintptr) {
	rec := r.recorder(id)
	if rec == nil {
		return
	}
	rec.mu.Lock()
	if !rec.over {
		rec.over = true
		rec.depart()
		if rec.on != 0 {
			rec.settle(rec.at(launchKernel), rec.on)
		}
		rec.finish(rec.rec)
	}
	rec.mu.Unlock()
	rec.of.recorded.Store(false)
}

func (r *Runtime) recorder(id uintptr) *recorder {
	if v, ok := r.graphs.recorders.Load(id); ok {
		return v.(*recorder)
	}
	return nil
}

// use locks the graph of a key that can be launched; false: it can't, which has been
// told.
func (r *Runtime) use(call string, key uint64) (k *keyed, f *frame, ok bool) {
	f, ok = r.enterGraphs(call)
	if !ok {
		return nil, nil, false
	}
	if k = r.graphs.find(key, false); k == nil {
		r.report(call, graphError(call, key, "there is no such graph"))
		return nil, nil, false
	}
	k.mu.Lock()
	switch {
	case k.gone != "":
		r.report(call, graphError(call, key, "its kernel %s was unloaded; record it anew", k.gone))
	case k.graph.Recording() == nil:
		r.report(call, graphError(call, key, "there is no such graph: nothing was recorded that could be launched"))
	default:
		return k, f, true
	}
	k.mu.Unlock()
	return nil, nil, false
}

// interrupt ends the comparison of a recording that is under way for the key with what
// its graph does, since somebody else is about to use that.
func (r *Runtime) interrupt(key uint64) {
	if k := r.graphs.find(key, false); k != nil {
		k.recorder.mu.Lock()
		defer k.recorder.mu.Unlock()
		if !k.recorder.over {
			k.recorder.depart()
		}
	}
}

// GraphLaunch launches the graph of key.
func (r *Runtime) GraphLaunch(key uint64, stream uintptr) {
	const call = "mgpuxGraphLaunch"
	r.interrupt(key)
	k, f, ok := r.use(call, key)
	if !ok {
		return
	}
	defer k.mu.Unlock()
	if e := f.k.pool.Find(stream); e != nil && e.Kind() != streampool.Stream {
		f.failed(graphError(call, key, "%#x is an event, not a stream", stream))
		return
	}
	if _, ok := f.findStream(stream); !ok {
		return
	}
	g, t := meteredGraphs{f.meter, f.k.graphs}, f.k.graphs.GraphTraits()
	if !f.failed(k.graph.Restore(g, t, k.staging.idle(f))) {
		k.launchOn(f, driver.Stream(stream), 0)
	}
}

// launchOn launches the graph, which is locked, from the part on that begins with a
// node. ok is false if none does.
func (k *keyed) launchOn(f *frame, s driver.Stream, node int) (launched, ok bool) {
	k.behind(f, s)
	ok, err := k.graph.Launch(meteredGraphs{f.meter, f.k.graphs}, s, node)
	if ok {
		k.noteLaunch(f, s, err)
	}
	return ok && !f.failed(err), ok
}

// launchPart is launchOn for the part that begins with a node.
func (k *keyed) launchPart(f *frame, s driver.Stream, node int) {
	k.behind(f, s)
	err := k.graph.LaunchPart(meteredGraphs{f.meter, f.k.graphs}, s, node)
	k.noteLaunch(f, s, err)
	f.failed(err)
}

func (k *keyed) noteLaunch(f *frame, s driver.Stream, err error) {
	f.submitted(uintptr(s))
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
// graph never overlap, and its parts would.
func (k *keyed) behind(f *frame, s driver.Stream) {
	e := f.k.pool.Find(uintptr(k.latest))
	if k.latest == s || !e.Pending() || e.State() == streampool.Gone || !k.graph.InParts() {
		return
	}
	f.failed(f.waitForStream(s, k.latest, e))
	f.k.pool.Find(uintptr(s)).Submitted()
}

// GraphUpdate makes the graph of key do what that of other does. It returns 1 where
// its nodes were changed, 0 where it was made anew, -1 after an error.
func (r *Runtime) GraphUpdate(key, other uint64) int32 {
	const call = "mgpuxGraphUpdate"
	if key == other {
		if k, _, ok := r.use(call, key); ok {
			k.mu.Unlock()
			return 1
		}
		return -1
	}
	from, f, ok := r.use(call, other)
	if !ok {
		return -1
	}
	what := from.graph.Recording().Clone()
	device, staged := from.device, from.staging.used()
	from.mu.Unlock()
	r.interrupt(key)
	to, _, ok := r.use(call, key)
	if !ok {
		return -1
	}
	defer to.mu.Unlock()
	if device != to.device {
		r.report(call, graphError(call, key, "it belongs to device %d, graph %#x to device %d", to.device, other, device))
		return -1
	}
	if staged {
		r.report(call, graphError(call, key, "graph %#x holds copies of host memory, which stay its own", other))
		return -1
	}
	restore := f.relax()
	defer restore()
	_, o, err := to.graph.Become(meteredGraphs{f.meter, f.k.graphs}, f.k.graphs.GraphTraits(), what, to.staging.idle(f))
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
	f.failed(k.graph.Destroy(meteredGraphs{f.meter, f.k.graphs}, f.k.graphs.GraphTraits(), k.staging.idle(f)))
	k.staging.free(f)
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

// moduleGone is called before a module leaves the driver: what is recorded of its
// kernels is executed first, and graphs that hold them are not launched again.
func (r *Runtime) moduleGone(m driver.Module) {
	r.graphs.recorders.Range(func(_, v any) bool {
		v.(*recorder).moduleGone(m)
		return true
	})
	r.graphs.mu.Lock()
	var all []*keyed
	for _, k := range r.graphs.byKey {
		all = append(all, k)
	}
	r.graphs.mu.Unlock()
	for _, k := range all {
		k.mu.Lock()
		if rec := k.graph.Recording(); rec != nil {
			rec.Functions(func(fn driver.Function) {
				if known := r.kernelOf(uintptr(fn)); known != nil && known.module == m {
					k.gone = known.name
				}
			})
		}
		k.mu.Unlock()
	}
	r.forgetKernels(m)
}

// ofGraph adds the kernels of a graph to the failure of a wait for a stream.
func (r *Runtime) ofGraph(err error, stream uintptr) error {
	var e *driver.Error
	if !errors.As(err, &e) || e.Code != driver.LaunchFailure || strings.Contains(e.Call, "(") {
		return err
	}
	what := r.inGraph(stream)
	if what == "" {
		return err
	}
	said := *e
	if said.Detail != "" {
		said.Detail += "; "
	}
	said.Detail += what
	return &said
}

// inGraph names the kernels of the graph that a stream launched last, for failures
// that don't name one themselves; empty if there is none.
func (r *Runtime) inGraph(stream uintptr) string {
	v, ok := r.graphs.latest.Load(driver.Stream(stream))
	if !ok {
		return ""
	}
	k := v.(*keyed)
	k.mu.Lock()
	defer k.mu.Unlock()
	rec := k.graph.Recording()
	if rec == nil {
		return ""
	}
	text := ""
	seen := map[driver.Function]bool{}
	rec.Functions(func(fn driver.Function) {
		if !seen[fn] && len(seen) < 8 {
			if seen[fn] = true; text != "" {
				text += ", "
			}
			text += r.kernelName(uintptr(fn))
		}
	})
	return fmt.Sprintf("the stream last executed graph %#x of kernels %s", k.key, text)
}
