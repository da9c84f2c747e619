package launchgraph

import (
	"fmt"
	"slices"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// Costs are times of launches in nanoseconds. Issue has the duration of each launch call. Wait has, for launches that
// the program waited for next, the time from the launch to the end of the wait.
type Costs struct{ Issue, Wait []uint64 }

// Verdict is the decision about launches through one-node graphs on one device.
type Verdict struct {
	Device   int
	Measured int    // number of measurements
	Graph    bool   // launches go through graphs; false before the first measurement
	Final    bool   // the decision does not change any more
	Reason   string // why launches don't go through graphs; empty: they do, or nothing was measured
	// Medians of the latest measurement in nanoseconds, zero if there is none.
	PlainIssue, GraphIssue, PlainWait, GraphWait uint64
}

// Gate holds the verdicts of all devices.
type Gate struct {
	mu locks.Mutex[locks.Gate]
	by map[int]*Verdict
}

const (
	fewest    = 16   // waits to measure before they count
	worth     = 0.90 // a launch through a graph may take at most this share of a plain launch's time
	tolerance = 1.01 // a launch by graph with its wait may take this multiple of a plain one: clock precision
)

// Judge records a measurement and returns whether launches go through graphs. They do if the launch takes clearly less
// time and, if the program waits for launches, the waits end no later.
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

// Retreat ends launches through graphs on the device permanently.
func (g *Gate) Retreat(device int, why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := g.at(device)
	v.Graph, v.Final = false, true
	if why != "" {
		v.Reason = why
	}
}

// Verdicts returns the verdicts, by device.
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

// String returns the decision and the times that led to it.
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
