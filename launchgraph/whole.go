package launchgraph

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// Each part of a graph costs the GPU and the driver time per launch. So a graph in parts that the program launches
// repeatedly without changes also gets a driver's graph of all its nodes.

// whole is a driver's graph of all nodes of a graph that has parts.
type whole struct {
	part
	launches int  // launches of all nodes since a node was changed
	stale    bool // a node was changed since the graph was made
	failed   bool // the driver could not make a graph of the nodes as they are
}

// After launchesInParts launches in a row without a change, the next launch uses the whole graph. Making the whole
// graph costs about as much as the parts of that many launches have cost.
const launchesInParts = 16

// changed notes that a node was changed.
func (w *whole) changed() { w.launches, w.stale, w.failed = 0, true, false }

func (w *whole) destroy(d Driver) error {
	if w.exec == 0 {
		return nil
	}
	err := w.part.destroy(d)
	w.part = part{}
	return err
}

func (w *whole) usable() bool { return w.exec != 0 && !w.stale }

// Exec returns the driver's graph of all nodes, false if there is none.
func (g *Graph) Exec() (x driver.GraphExec, ok bool) {
	if len(g.parts) == 1 {
		return g.parts[0].exec, true
	}
	return g.whole.exec, g.whole.usable()
}

// WholeDue counts a launch of all nodes. It reports whether to call MakeWhole before the launch.
func (g *Graph) WholeDue() bool {
	w := &g.whole
	if !g.InParts() || w.usable() || w.failed {
		return false
	}
	w.launches++
	return w.launches > launchesInParts
}

// MakeWhole makes the driver's graph of all nodes. If that fails, the parts are launched.
func (g *Graph) MakeWhole(d Driver, t driver.GraphTraits, idle func() error) (made bool) {
	w := &g.whole
	if w.exec != 0 && t.Pinned {
		_ = idle()
	}
	err := w.destroy(d)
	if err == nil {
		w.part, _, err = g.buildPart(d, t.Chained, g.now, 0, len(g.now.nodes), nil)
	}
	if w.stale, w.failed = false, err != nil; w.failed {
		w.part = part{}
	}
	return !w.failed
}
