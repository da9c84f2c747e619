package mgpu

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Graph functions are no part of MLIR's ABI and have no statistics of their own: their driver
// calls are charged to launches.

// regionGraphs holds the program's region graphs and the recordings under way.
type regionGraphs struct {
	mu             sync.Mutex
	byKey          map[uint64]*regionGraph
	lastNumber     uintptr
	reasonsPrinted sync.Map // reasons why recordings ended that were printed

	recorders    sync.Map // uintptr -> *recorder, by number
	lastLaunched sync.Map // driver.Stream -> *regionGraph that the stream launched last
	destroyed    []RegionStats
}

// regionGraph is the graph of a key, with its recorder.
type regionGraph struct {
	key        uint64
	recorder   recorder
	recording  atomic.Bool // a thread is between GraphBegin and GraphEnd, or destroys the graph
	destroying atomic.Bool
	ran        regionCounters

	mu                 sync.Mutex
	graph              launchgraph.Graph
	lastStream         driver.Stream // stream of the latest launch
	device             int
	spare              *launchgraph.Recording
	ownStream          driver.Stream // stream for recordings whose streams were destroyed; zero: none yet
	hostCopies         hostCopies
	blocks             []regionBlock // memory that recorded calls allocate and free
	unloadedKernel     string        // first unloaded kernel of this graph; the graph can't be launched again
	readsHostCopies    bool          // graph copies from hostCopies
	hostCopiesReplaced bool          // a later recording, which did not become the graph, overwrote hostCopies
	relaunch           relaunch
}

// lookup returns the graph of a key, nil if there is none. With make set it creates one.
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

// claim returns the graph of a key for the caller to record, nil if another thread records it.
func (g *regionGraphs) claim(key uint64) *regionGraph {
	for {
		k := g.lookup(key, true)
		if k.recording.CompareAndSwap(false, true) {
			return k
		}
		if g.lookup(key, false) == k && !k.destroying.Load() {
			return nil
		} // else destroyed since it was found, or about to be
		time.Sleep(20 * time.Microsecond)
	}
}

func graphError(call string, key uint64, format string, args ...any) error {
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", call, key), Code: driver.InvalidValue, Detail: fmt.Sprintf(format, args...)}
}

// enterGraphs begins the call of a graph function: see enter.
func (r *Runtime) enterGraphs(call string) (f frame, ok bool) {
	k := r.core.Load()
	if k == nil {
		if k = r.open(); k == nil {
			r.failedToOpen(call)
			return frame{}, false
		}
	}
	return r.frameOf(k, launchKernel), true
}

// unrecordable returns why no region can be recorded at all, empty if regions can.
func (f *frame) unrecordable() string {
	switch {
	case f.k.graphs == nil:
		return fmt.Sprintf("the %s driver has no graphs", f.k.drv.Name())
	case !f.k.cached:
		return "MGPU_CACHE=off leaves nothing known of streams"
	}
	return ""
}

// Region is a recording that a thread has begun.
//
//mgpu:struct region
type Region struct {
	Recording uintptr // its number; zero: none began
	Records   bool    // calls become nodes; false: they are made, and only noted
}

// GraphBegin begins to record the calling thread's calls for the graph of key. recorded is the
// number of the recording that the thread has already, zero for none.
func (r *Runtime) GraphBegin(key uint64, recorded uintptr) Region {
	const call = "mgpuxGraphBegin"
	f, ok := r.enterGraphs(call)
	if !ok {
		return Region{}
	}
	if recorded != 0 {
		r.report(call, graphError(call, key, "this thread records a graph already"))
		return Region{}
	}
	device, err := f.device()
	if err != nil {
		r.report(call, err)
		return Region{}
	}
	k := r.graphs.claim(key)
	if k == nil {
		r.report(call, graphError(call, key, "another thread records this graph"))
		return Region{}
	}
	k.recorder.mu.Lock()
	defer k.recorder.mu.Unlock()
	if why := f.unrecordable(); why != "" {
		r.printOnce(key, why)
		k.recorder.begin(r, &f, device, k.takeSpare())
		k.recorder.callByCall = true
	} else {
		k.recorder.begin(r, &f, device, k.takeSpare())
		k.recorder.startReplay()
	}
	return Region{Recording: k.recorder.id, Records: !k.recorder.callByCall}
}

// takeSpare returns an empty recording, reusing the spare one.
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

// printOnce prints why a recording came to nothing, once per reason.
func (r *Runtime) printOnce(key uint64, why string) {
	if _, printed := r.graphs.reasonsPrinted.LoadOrStore(why, true); !printed {
		r.printLine(fmt.Sprintf("mgpu: graph %#x is executed call by call: %s", key, why))
	}
}

// GraphRecording reports whether a recording is open and its calls become nodes.
func (r *Runtime) GraphRecording(id uintptr) bool {
	rec := r.recorder(id)
	if rec == nil {
		return false
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return !rec.ended && !rec.callByCall
}

// GraphEnd ends a recording and launches its graph. launched is false if calls were executed
// one by one; w is the wait that the recorded calls asked for.
func (r *Runtime) GraphEnd(id uintptr) (launched bool, w Wait) {
	rec := r.recorder(id)
	if rec == nil {
		if f, ok := r.enterGraphs("mgpuxGraphEnd"); ok {
			f.failed(&driver.Error{Call: "mgpuxGraphEnd", Code: driver.InvalidValue, Detail: "this thread records no graph"})
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

// GraphAbandon drops a recording whose thread has ended.
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
