package mgpu

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// The functions of graphs are no functions of MLIR's ABI and have no rows of their
// own: their driver calls are charged to launches.

// regionGraphs are the program's, and the recordings under way.
type regionGraphs struct {
	mu          sync.Mutex
	byKey       map[uint64]*regionGraph
	lastNumber  uintptr
	reasonsTold sync.Map // reasons for which recordings ended that were told

	recorders    sync.Map // uintptr -> *recorder, by number
	lastLaunched sync.Map // stream -> *keyed: what it launched last
}

// regionGraph is the graph of a key.
type regionGraph struct {
	key       uint64
	recorder  recorder
	recording atomic.Bool // a thread is between Begin and End

	mu                 sync.Mutex
	graph              launchgraph.Graph
	lastStream         driver.Stream // where it was launched last
	device             int
	spare              *launchgraph.Recording
	ownStream          driver.Stream // of its own, for recordings whose streams are gone; zero: none yet
	hostCopies         hostCopies
	blocks             []regionBlock // what it allocates and frees
	unloadedKernel     string        // the name of a kernel of its that was unloaded; empty: none
	readsHostCopies    bool          // it copies what lies in staging
	hostCopiesReplaced bool          // where a recording, which it does not do, has put something else
}

// lookup returns the graph of a key, nil if there is none; make makes one.
func (g *regionGraphs) lookup(key uint64, make bool) *regionGraph {
	g.mu.Lock()
	defer g.mu.Unlock()
	k := g.byKey[key]
	if k == nil && make {
		if g.byKey == nil {
			g.byKey = map[uint64]*regionGraph{}
		}
		k = &regionGraph{key: key}
		k.recorder.graph, k.recorder.ended = k, true
		g.lastNumber++
		k.recorder.id = g.lastNumber
		g.recorders.Store(g.lastNumber, &k.recorder)
		g.byKey[key] = k
	}
	return k
}

func graphError(call string, key uint64, format string, args ...any) error {
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", call, key), Name: "invalid value", Code: driver.InvalidValue, Detail: fmt.Sprintf(format, args...)}
}

// enterGraphs is enter for the functions of graphs.
func (r *Runtime) enterGraphs(call string) (f frame, ok bool) {
	k := r.core.Load()
	if k == nil {
		if k = r.open(); k == nil {
			r.report(call, r.fail)
			return frame{}, false
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
	k := r.graphs.lookup(key, true)
	if !k.recording.CompareAndSwap(false, true) {
		r.report(call, graphError(call, key, "another thread records this graph"))
		return 0
	}
	k.recorder.mu.Lock()
	defer k.recorder.mu.Unlock()
	if why := f.unrecordable(); why != "" {
		r.tellOnce(key, why)
		k.recorder.begin(r, &f, device, k.takeSpare())
		k.recorder.callByCall = true
	} else {
		k.recorder.begin(r, &f, device, k.takeSpare())
		k.recorder.startReplay()
	}
	return k.recorder.id
}

// takeSpare is an empty recording.
func (k *regionGraph) takeSpare() *launchgraph.Recording {
	k.mu.Lock()
	rec := k.spare
	k.spare = nil
	k.mu.Unlock()
	if rec == nil {
		rec = new(launchgraph.Recording)
	}
	rec.Reset()
	return rec
}

// tellOnce prints why a recording came to nothing, once for each reason.
func (r *Runtime) tellOnce(key uint64, why string) {
	if _, told := r.graphs.reasonsTold.LoadOrStore(why, true); !told {
		r.printLine(fmt.Sprintf("mgpu: graph %#x is executed call by call: %s", key, why))
	}
}

// GraphRecording tells whether a recording still records, and not only notes.
func (r *Runtime) GraphRecording(id uintptr) bool {
	rec := r.recorder(id)
	if rec == nil {
		return false
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return !rec.ended && !rec.callByCall
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
	defer rec.graph.recording.Store(false)
	rec.mu.Lock()
	defer rec.mu.Unlock()
	switch {
	case rec.ended:
		return false, Wait{}
	case rec.callByCall:
		rec.endUnrecorded(rec.rec.Len() > 0)
		return false, Wait{}
	case rec.rec.Len() == 0:
		rec.endEmpty()
		return false, Wait{}
	}
	return rec.launchGraph()
}

// GraphAbandon drops a recording, whose thread has ended or is done with it.
func (r *Runtime) GraphAbandon(id uintptr) {
	rec := r.recorder(id)
	if rec == nil {
		return
	}
	rec.mu.Lock()
	if !rec.ended {
		rec.ended = true
		rec.stopReplay()
		if rec.stream != 0 {
			rec.orderStreamsBehind(rec.frameFor(launchKernel), rec.stream)
		}
		rec.releaseRecording(rec.rec)
	}
	rec.mu.Unlock()
	rec.graph.recording.Store(false)
}

func (r *Runtime) recorder(id uintptr) *recorder {
	if v, ok := r.graphs.recorders.Load(id); ok {
		return v.(*recorder)
	}
	return nil
}
