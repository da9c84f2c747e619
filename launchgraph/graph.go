package launchgraph

import (
	"runtime"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Graph is a driver's graph of a recording. The zero value has none.
type Graph struct {
	now     *Recording // what it does
	graph   driver.Graph
	exec    driver.GraphExec
	nodes   []driver.Node
	updates int
	args    arguments
}

// Outcome says how a graph came to do what a recording says.
type Outcome uint8

// Outcomes.
const (
	Same     Outcome = iota // it did already
	Updated                 // nodes were changed
	Replaced                // made anew
)

// Recording is what the graph does, nil if there is no graph.
func (g *Graph) Recording() *Recording { return g.now }

// Become makes the graph do what the recording says, and gives back a recording that
// it does not use any more, or nil. On a failure there is no graph, and rec is given
// back. idle is called before an exec is changed or destroyed that a driver of these
// traits can't bear to be executing.
func (g *Graph) Become(d Driver, t driver.GraphTraits, rec *Recording, idle func() error) (unused *Recording, o Outcome, err error) {
	if g.now != nil && g.now.sameShape(rec) {
		unused = g.now
		if o, err = g.update(d, t, rec, idle); err == nil {
			g.now = rec
			return unused, o, nil
		}
	}
	if err = g.Destroy(d, t, idle); err == nil {
		err = g.build(d, rec)
	}
	if err != nil {
		return rec, Replaced, err
	}
	return unused, Replaced, nil
}

// errSpent says that an exec was changed as often as it may be.
var errSpent = &driver.Error{Call: "GraphUpdate", Name: "too many updates", Code: driver.NotSupported}

func (g *Graph) update(d Driver, t driver.GraphTraits, rec *Recording, idle func() error) (Outcome, error) {
	o := Same
	for i := range rec.nodes {
		if rec.sameNode(g.now, i) {
			continue
		}
		if o == Same && t.Pinned {
			if err := idle(); err != nil {
				return Same, err
			}
		}
		if g.updates++; t.Updates != 0 && g.updates > t.Updates {
			return Same, errSpent
		}
		o = Updated
		n := &rec.nodes[i]
		var err error
		switch n.kind {
		case Kernel:
			err = d.GraphSetKernel(g.exec, g.nodes[i], n.function, g.args.of(rec, n))
		case Copy:
			err = d.GraphSetCopy(g.exec, g.nodes[i], n.copy)
		case Fill:
			err = d.GraphSetFill(g.exec, g.nodes[i], n.fill)
		}
		if err != nil {
			return Same, err
		}
	}
	return o, nil
}

func (g *Graph) build(d Driver, rec *Recording) (err error) {
	if g.graph, err = d.GraphCreate(); err != nil {
		return err
	}
	var after []driver.Node
	for i := range rec.nodes {
		n := &rec.nodes[i]
		after = after[:0]
		for _, k := range of(rec.edges, n.after) {
			after = append(after, g.nodes[k])
		}
		var node driver.Node
		switch n.kind {
		case Kernel:
			node, err = d.GraphAddKernel(g.graph, after, n.function, g.args.of(rec, n))
		case Copy:
			node, err = d.GraphAddCopy(g.graph, after, n.copy)
		case Fill:
			node, err = d.GraphAddFill(g.graph, after, n.fill)
		}
		if err != nil {
			break
		}
		g.nodes = append(g.nodes, node)
	}
	if err == nil {
		g.exec, err = d.GraphInstantiate(g.graph)
	}
	if err != nil {
		_ = d.GraphDestroy(g.graph)
		g.graph, g.nodes = 0, g.nodes[:0]
		return err
	}
	g.now = rec
	return nil
}

// Launch launches the graph.
func (g *Graph) Launch(d Driver, s driver.Stream) error { return d.GraphLaunch(g.exec, s) }

// Destroy destroys the driver's graph, if there is one.
func (g *Graph) Destroy(d Driver, t driver.GraphTraits, idle func() error) error {
	if g.now == nil {
		return nil
	}
	if t.Pinned {
		_ = idle() // a failure of what it executed is told to who waits for that
	}
	err := d.GraphExecDestroy(g.exec)
	if gerr := d.GraphDestroy(g.graph); err == nil {
		err = gerr
	}
	*g = Graph{nodes: g.nodes[:0], args: g.args}
	return err
}

// Submitter submits single pieces of work.
type Submitter interface {
	LaunchKernel(f driver.Function, l driver.Launch) error
	Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error
	Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error
	Memset16(dst driver.Ptr, value uint16, count uint64, s driver.Stream) error
}

// Submit submits what was recorded to one stream, in its order. Each failure is told
// to failed, with the function of a launch, and what follows is submitted even so.
func (r *Recording) Submit(d Submitter, s driver.Stream, failed func(driver.Function, error)) {
	var args arguments
	for i := range r.nodes {
		n := &r.nodes[i]
		var err error
		switch {
		case n.kind == Kernel:
			l := args.of(r, n)
			l.Stream = s
			err = d.LaunchKernel(n.function, l)
		case n.kind == Copy:
			err = d.Memcpy(n.copy.Dst, n.copy.Src, n.copy.Bytes, s)
		case n.fill.Size == 4:
			err = d.Memset32(n.fill.Dst, n.fill.Value, n.fill.Count, s)
		default:
			err = d.Memset16(n.fill.Dst, uint16(n.fill.Value), n.fill.Count, s)
		}
		if err != nil {
			failed(n.function, err)
		}
	}
	runtime.KeepAlive(&args)
}
