package region

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Regions holds the program's region graphs and the recordings in progress.
type Regions struct {
	runtime Runtime

	mu             locks.Mutex[locks.Graphs]
	byKey          map[uint64]*graph
	lastNumber     uintptr
	reasonsPrinted sync.Map // reasons for the end of a recording that were printed

	recorders    sync.Map // uintptr -> *recorder, by number
	lastLaunched sync.Map // driver.Stream -> *graph that the stream launched last
	destroyed    []Stats
}

// New returns the regions of a runtime.
func New(r Runtime) *Regions { return &Regions{runtime: r} }

// graph is the graph of a key, with its recorder.
type graph struct {
	regions    *Regions
	key        uint64
	recorder   recorder
	recording  atomic.Bool // a thread is between GraphBegin and GraphEnd, or is destroying the graph
	destroying atomic.Bool
	ran        counters

	mu                 locks.Mutex[locks.Graph]
	graph              launchgraph.Graph
	lastStream         driver.Stream // stream of the latest launch
	device             int
	spare              *launchgraph.Recording
	ownStream          driver.Stream // stream for recordings whose streams were destroyed; zero: not created yet
	hostCopies         hostCopies
	blocks             []block // memory that recorded calls allocate and free
	unloadedKernel     string  // first unloaded kernel of this graph; the graph can't be launched again
	readsHostCopies    bool    // the graph copies from hostCopies
	hostCopiesReplaced bool    // a later recording that did not become the graph has overwritten hostCopies
	relaunch           relaunch
}

// lookup returns the graph of a key; nil if there is none. If make is set, it creates the graph.
func (r *Regions) lookup(key uint64, make bool) *graph {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.byKey[key]
	if k == nil && make {
		if r.byKey == nil {
			r.byKey = map[uint64]*graph{}
		}
		k = &graph{regions: r, key: key}
		k.recorder.regions, k.recorder.graph = r, k
		r.lastNumber++
		k.recorder.id = r.lastNumber
		r.recorders.Store(r.lastNumber, &k.recorder)
		r.byKey[key] = k
	}
	return k
}

// claim returns the graph of a key for the caller to record; nil if another thread is recording it.
func (r *Regions) claim(key uint64) *graph {
	for {
		k := r.lookup(key, true)
		if k.recording.CompareAndSwap(false, true) {
			return k
		}
		if r.lookup(key, false) == k && !k.destroying.Load() {
			return nil
		} // otherwise the graph was destroyed since it was found, or is about to be
		time.Sleep(20 * time.Microsecond)
	}
}

func graphError(call string, key uint64, format string, args ...any) error {
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", call, key), Code: driver.InvalidValue, Detail: fmt.Sprintf(format, args...)}
}

// enter begins the call of a graph function. If no driver can be opened, it reports the failure and returns nil.
func (r *Regions) enter(call string) Calls {
	if !r.runtime.Open(call) {
		return nil
	}
	return r.runtime.On(LaunchKernel)
}

// all returns the graphs of all keys.
func (r *Regions) all() (all []*graph) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.byKey {
		all = append(all, k)
	}
	return all
}

// Begun is a recording that a thread has begun.
type Begun struct {
	Recording uintptr // number of the recording; zero: none has begun
	Records   bool    // calls become nodes; false: they are made at once and only noted
}

// GraphBegin begins to record the calling thread's calls for the graph of key. recorded is the number of the recording
// that the thread already has; zero: none.
func (r *Regions) GraphBegin(key uint64, recorded uintptr) Begun {
	const call = "mgpuxGraphBegin"
	c := r.enter(call)
	if c == nil {
		return Begun{}
	}
	if recorded != 0 {
		r.runtime.Report(call, graphError(call, key, "this thread records a graph already"))
		return Begun{}
	}
	device, err := c.CurrentDevice()
	if err != nil {
		r.runtime.Report(call, err)
		return Begun{}
	}
	k := r.claim(key)
	if k == nil {
		r.runtime.Report(call, graphError(call, key, "another thread records this graph"))
		return Begun{}
	}
	k.recorder.mu.Lock()
	defer k.recorder.mu.Unlock()
	k.recorder.begin(c, device, k.takeSpare())
	return Begun{Recording: k.recorder.id, Records: k.recorder.commands.records()}
}

// takeSpare returns an empty recording, which reuses the storage of spare.
func (k *graph) takeSpare() *launchgraph.Recording {
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

// printOnce prints why calls are not recorded, once per reason.
func (r *Regions) printOnce(key uint64, why string) {
	if _, printed := r.reasonsPrinted.LoadOrStore(why, true); !printed {
		r.runtime.PrintLine(fmt.Sprintf("mgpu: graph %#x is executed call by call: %s", key, why))
	}
}

// GraphRecording reports whether a recording is open and its calls become nodes.
func (r *Regions) GraphRecording(id uintptr) bool {
	rec := r.recorder(id)
	if rec == nil {
		return false
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return rec.recording() && rec.commands.records()
}

// End ends a recording and launches its graph. launched is false if the calls were executed one by one. wait is the
// stream that the caller has to wait for because of the recorded calls; zero: none.
func (r *Regions) End(id uintptr) (launched bool, wait driver.Stream) {
	rec := r.recorder(id)
	if rec == nil {
		if c := r.enter("mgpuxGraphEnd"); c != nil {
			c.Failed(&driver.Error{Call: "mgpuxGraphEnd", Code: driver.InvalidValue, Detail: "this thread records no graph"})
		}
		return false, 0
	}
	defer rec.graph.recording.Store(false)
	rec.mu.Lock()
	defer rec.mu.Unlock()
	switch {
	case rec.state != open:
		return false, 0
	case rec.rec.Len() == 0 && rec.commands.records():
		rec.endEmpty()
		return false, 0
	}
	return rec.commands.end(rec)
}

// GraphAbandon drops a recording whose thread has ended.
func (r *Regions) GraphAbandon(id uintptr) {
	rec := r.recorder(id)
	if rec == nil {
		return
	}
	rec.mu.Lock()
	if rec.recording() {
		rec.over()
		rec.stopReplay()
		if rec.stream != 0 {
			rec.orderStreamsBehind(rec.on(LaunchKernel), rec.stream)
		}
		rec.releaseRecording(rec.rec)
	}
	rec.mu.Unlock()
	rec.graph.recording.Store(false)
}

func (r *Regions) recorder(id uintptr) *recorder {
	if v, ok := r.recorders.Load(id); ok {
		return v.(*recorder)
	}
	return nil
}
