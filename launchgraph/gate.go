package launchgraph

import (
	"fmt"
	"slices"
	"sync"
)

// Costs are what launches took, in nanoseconds: until the call that made each had
// returned, and, of those that the program waited for next, until the wait was over.
type Costs struct{ Issue, Wait []uint64 }

// Verdict is what is known of launches through graphs on one device.
type Verdict struct {
	Device   int
	Measured int    // how often
	Graph    bool   // whether they are made so; false too before anything was measured
	Final    bool   // whether that is so for good
	Reason   string // why they are not; empty if they are, or nothing was measured
	// Medians in nanoseconds of the latest measurement, zero where there is none.
	PlainIssue, GraphIssue, PlainWait, GraphWait uint64
}

// Gate holds the verdicts of all devices.
type Gate struct {
	mu sync.Mutex
	by map[int]*Verdict
}

const (
	fewest    = 16   // measured waits that count
	worth     = 0.90 // of a plain launch's cost: what a graph's may be to be worth it
	tolerance = 1.01 // of a plain launch and wait: what a graph's may be, since clocks are no better
)

// Judge takes a measurement, and tells whether launches through graphs won: the
// call costs clearly less and, where the program waits, that is over no later.
func (g *Gate) Judge(device int, plain, graph Costs) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := g.at(device)
	v.Measured++
	v.PlainIssue, v.GraphIssue = median(plain.Issue), median(graph.Issue)
	v.PlainWait, v.GraphWait = 0, 0
	if len(plain.Wait) >= fewest && len(graph.Wait) >= fewest {
		v.PlainWait, v.GraphWait = median(plain.Wait), median(graph.Wait)
	}
	v.Reason = ""
	switch {
	case float64(v.GraphIssue) > worth*float64(v.PlainIssue):
		v.Reason = "they cost too much"
	case float64(v.GraphWait) > tolerance*float64(v.PlainWait):
		v.Reason = "waits for them take longer"
	}
	v.Graph = v.Reason == "" && !v.Final
	return v.Graph
}

// Retreat ends launches through graphs on the device for good.
func (g *Gate) Retreat(device int, why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := g.at(device)
	v.Graph, v.Final = false, true
	if why != "" {
		v.Reason = why
	}
}

// Verdicts lists what is known, by device.
func (g *Gate) Verdicts() []Verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []Verdict
	for _, v := range g.by {
		all = append(all, *v)
	}
	slices.SortFunc(all, func(a, b Verdict) int { return a.Device - b.Device })
	return all
}

func (g *Gate) at(device int) *Verdict {
	if g.by == nil {
		g.by = map[int]*Verdict{}
	}
	if g.by[device] == nil {
		g.by[device] = &Verdict{Device: device}
	}
	return g.by[device]
}

// String tells the choice and the costs behind it.
func (v Verdict) String() string {
	costs := "not measured"
	if v.Measured > 0 {
		costs = fmt.Sprintf("plain %s, graph %s", microseconds(v.PlainIssue), microseconds(v.GraphIssue))
		if v.PlainWait != 0 {
			costs += fmt.Sprintf("; with a wait %s, %s", microseconds(v.PlainWait), microseconds(v.GraphWait))
		}
	}
	choice := "graph"
	switch {
	case !v.Graph && v.Reason == "":
		choice = "plain"
	case !v.Graph:
		choice = "plain: " + v.Reason
	}
	return fmt.Sprintf("launches on device %d: %s (%s)", v.Device, choice, costs)
}

func microseconds(ns uint64) string { return fmt.Sprintf("%.2f us", float64(ns)/1e3) }

func median(v []uint64) uint64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}
