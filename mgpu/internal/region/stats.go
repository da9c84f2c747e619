package region

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Stats counts what happened to a region.
type Stats struct {
	Key        uint64 `json:"key"`
	Nodes      int    `json:"nodes"`        // nodes of the latest execution
	Launches   uint64 `json:"by_graph"`     // executions by its graph
	CallByCall uint64 `json:"call_by_call"` // executions whose calls were made one by one
	Built      uint64 `json:"graphs_made"`  // times that the driver built a graph of the region
}

// counters counts what happened to a region.
type counters struct {
	nodes                       atomic.Int64
	launches, callByCall, built atomic.Uint64
}

// count counts an execution of a region's calls by its graph, or call by call.
func (n *counters) count(c Calls, ran *launchgraph.Recording, byGraph bool) {
	n.nodes.Store(int64(ran.Len()))
	if byGraph {
		n.launches.Add(1)
	} else {
		n.callByCall.Add(1)
	}
	if c.Counts() {
		ran.Launches(func(fn driver.Function, l driver.Launch) { c.Launched(fn, l.Grid, l.Block, byGraph) })
	}
}

// countCallByCall counts an execution whose calls were made and counted one by one.
func (c *counters) countCallByCall(noted *launchgraph.Recording) {
	c.nodes.Store(int64(noted.Len()))
	c.callByCall.Add(1)
}

// countBuilt counts a graph that was built, if one was.
func (c *counters) countBuilt(o launchgraph.Outcome, err error) {
	if err == nil && o == launchgraph.Replaced {
		c.built.Add(1)
	}
}

func (k *graph) stats() Stats {
	return Stats{Key: k.key, Nodes: int(k.ran.nodes.Load()), Launches: k.ran.launches.Load(), CallByCall: k.ran.callByCall.Load(), Built: k.ran.built.Load()}
}

// maxDestroyed is the number of destroyed regions that have a row.
const maxDestroyed = 256

// withRegion adds s to the row of its key, or as a new row. If there are most rows already, a new one is dropped.
func withRegion(rows []Stats, s Stats, most int) []Stats {
	if i := slices.IndexFunc(rows, func(r Stats) bool { return r.Key == s.Key }); i >= 0 {
		r := &rows[i]
		r.Nodes = s.Nodes
		r.Launches, r.CallByCall, r.Built = r.Launches+s.Launches, r.CallByCall+s.CallByCall, r.Built+s.Built
	} else if len(rows) < most {
		rows = append(rows, s)
	}
	return rows
}

// Stats returns a row for each region, by key.
func (r *Regions) Stats() []Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows := slices.Clone(r.destroyed)
	for _, k := range r.byKey {
		rows = withRegion(rows, k.stats(), math.MaxInt)
	}
	slices.SortFunc(rows, func(a, b Stats) int { return cmp.Compare(a.Key, b.Key) })
	return rows
}
