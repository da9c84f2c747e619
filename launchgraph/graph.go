package launchgraph

import (
	"slices"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Graph is a driver's graph of a recording. The zero value has no driver's graph.
type Graph struct {
	// Parts asks for several driver graphs if each node follows the previous one, so that the first graphs execute
	// while the last nodes are being recorded.
	Parts bool

	now   *Recording // the recording that the graph executes
	parts []part
	nodes []driver.Node
	ahead []bool // by node: it has the parameters of an unfinished replay, not those of now
	args  arguments
	whole whole
}

// part is a driver's graph of a contiguous range of the nodes.
type part struct {
	graph    driver.Graph
	exec     driver.GraphExec
	from, to int
	updates  int
}

// Outcome is the result of Become.
type Outcome uint8

// Outcomes.
const (
	Same     Outcome = iota // nothing had to be changed
	Updated                 // nodes were changed
	Replaced                // the driver's graph was built again
)

// Recording returns the recording that the graph executes, nil if there is no graph.
func (g *Graph) Recording() *Recording { return g.now }

// Become makes the graph execute rec. It returns the recording that the graph no longer uses, nil if there is none.
// After a failure there is no driver's graph, and rec is returned. If t says that the driver can't change or destroy an
// executing graph, Become first calls idle, which waits.
func (g *Graph) Become(d Driver, t driver.GraphTraits, rec *Recording, idle func() error) (unused *Recording, o Outcome, err error) {
	if g.now != nil && g.now.sameShape(rec) && !g.Divisible() {
		unused = g.now
		if o, err = g.update(d, t, rec, idle); err == nil {
			g.now = rec
			return unused, o, nil
		}
	}
	if err = g.Destroy(d, t, idle); err == nil {
		err = g.build(d, t, rec)
	}
	if err != nil {
		return rec, Replaced, err
	}
	return unused, Replaced, nil
}

// Note stores rec as the graph's recording without a driver's graph. It returns the previous recording.
func (g *Graph) Note(rec *Recording) (unused *Recording, o Outcome) {
	unused, o = g.now, Replaced
	if unused != nil && unused.sameShape(rec) {
		o = Updated
	}
	g.now = rec
	return unused, o
}

// errSpent says that a driver's graph has been updated as often as the driver allows.
var errSpent = &driver.Error{Call: "GraphUpdate", Code: driver.NotSupported, Detail: "too many updates"}

func (g *Graph) update(d Driver, t driver.GraphTraits, rec *Recording, idle func() error) (Outcome, error) {
	o := Same
	for p := range g.parts {
		for i := g.parts[p].from; i < g.parts[p].to; i++ {
			if !g.ahead[i] && rec.sameNode(g.now, i) {
				continue
			}
			if o == Same && t.Pinned {
				if err := idle(); err != nil {
					return Same, err
				}
			}
			o = Updated
			n := &rec.nodes[i]
			if err := g.set(d, t, p, i, n, g.args.bind(n.launch, n, rec.values)); err != nil {
				return Same, err
			}
			g.ahead[i] = false
		}
	}
	return o, nil
}

// set gives node i of part p the parameters of n. l is the launch with its arguments, if n is a launch.
func (g *Graph) set(d Driver, t driver.GraphTraits, p, i int, n *node, l driver.Launch) error {
	is := &g.parts[p]
	if is.updates++; t.Updates != 0 && is.updates > t.Updates {
		return errSpent
	}
	g.whole.changed()
	switch n.kind {
	case Copy:
		return d.GraphSetCopy(is.exec, g.nodes[i], n.copy)
	case Fill:
		return d.GraphSetFill(is.exec, g.nodes[i], n.fill)
	}
	return d.GraphSetKernel(is.exec, g.nodes[i], n.function, l)
}

// The first part is short, so that it is launched early. More and smaller parts would add time between the parts on the
// GPU.
const (
	firstPart  = 16
	laterParts = 32
	leastPart  = 8 // the fewest nodes of the last part
)

// partAt returns the end of the part that begins at node from in a graph of n nodes. Graphs that begin with the same
// nodes have the same first parts.
func partAt(from, n int) int {
	to := from + laterParts
	if from == 0 {
		to = firstPart
	}
	if n-to < leastPart {
		return n
	}
	return to
}

func (g *Graph) build(d Driver, t driver.GraphTraits, rec *Recording) (err error) {
	g.now = rec
	n := len(rec.nodes)
	inParts := g.Parts && rec.chain()
	for from, to := 0, 0; from < n && err == nil; from = to {
		if to = n; inParts {
			to = partAt(from, n)
		}
		var p part
		if p, g.nodes, err = g.buildPart(d, t.Chained, rec, from, to, g.nodes); err == nil {
			g.parts = append(g.parts, p)
		}
	}
	g.ahead = append(g.ahead, make([]bool, n)...)
	if err != nil {
		_ = g.Destroy(d, driver.GraphTraits{}, nil)
	}
	return err
}

// buildPart makes a driver's graph of the nodes from to to of rec. It appends the driver's nodes to nodes, which has
// those of earlier parts.
func (g *Graph) buildPart(d Driver, chained bool, rec *Recording, from, to int, nodes []driver.Node) (part, []driver.Node, error) {
	p, err := part{from: from, to: to}, error(nil)
	if p.graph, err = d.GraphCreate(); err != nil {
		return p, nodes, err
	}
	var after []driver.Node
	for i := from; i < to && err == nil; i++ {
		n := &rec.nodes[i]
		after = after[:0]
		for _, k := range elements(rec.edges, n.after) {
			if int(k) >= from {
				after = append(after, nodes[k])
			}
		}
		if chained && i > from {
			after = append(after[:0], nodes[i-1])
		}
		var node driver.Node
		switch n.kind {
		case Kernel:
			node, err = d.GraphAddKernel(p.graph, after, n.function, g.args.bind(n.launch, n, rec.values))
		case Copy:
			node, err = d.GraphAddCopy(p.graph, after, n.copy)
		case Fill:
			node, err = d.GraphAddFill(p.graph, after, n.fill)
		}
		nodes = append(nodes, node)
	}
	if err == nil {
		p.exec, err = d.GraphInstantiate(p.graph)
	}
	if err != nil {
		_ = d.GraphDestroy(p.graph)
	}
	return p, nodes, err
}

// Launch launches the parts from the one that begins at node; node zero launches all. If no part begins at node, Launch
// launches nothing and returns false.
func (g *Graph) Launch(d Driver, s driver.Stream, node int) (ok bool, err error) {
	if node == 0 && g.whole.usable() {
		return true, d.GraphLaunch(g.whole.exec, s)
	}
	for i := range g.parts {
		ok = ok || g.parts[i].from == node
		if ok && err == nil {
			err = d.GraphLaunch(g.parts[i].exec, s)
		}
	}
	return ok, err
}

// LaunchPart launches the part that begins at node.
func (g *Graph) LaunchPart(d Driver, s driver.Stream, node int) error {
	for i := range g.parts {
		if g.parts[i].from == node {
			return d.GraphLaunch(g.parts[i].exec, s)
		}
	}
	return errElsewhere
}

func (p *part) destroy(d Driver) error {
	err := d.GraphExecDestroy(p.exec)
	if gerr := d.GraphDestroy(p.graph); err == nil {
		err = gerr
	}
	return err
}

// Divisible reports whether the graph has one part and would have several if it were built again.
func (g *Graph) Divisible() bool {
	return g.Parts && len(g.parts) == 1 && partAt(0, len(g.now.nodes)) < len(g.now.nodes) && g.now.chain()
}

// InParts reports whether the graph has several parts.
func (g *Graph) InParts() bool { return len(g.parts) > 1 }

// Restore undoes the changes that an unfinished replay made to nodes. After a failure there is no driver's graph.
func (g *Graph) Restore(d Driver, t driver.GraphTraits, idle func() error) error {
	if !g.Ahead() {
		return nil
	}
	_, _, err := g.Become(d, t, g.now, idle)
	return err
}

// Ahead reports whether Restore has anything to do.
func (g *Graph) Ahead() bool { return slices.Contains(g.ahead, true) }

// Destroy destroys the driver's graph, if there is one.
func (g *Graph) Destroy(d Driver, t driver.GraphTraits, idle func() error) (err error) {
	if g.now == nil {
		return nil
	}
	if t.Pinned {
		_ = idle() // a failure of the graph's work is reported by the program's own wait
	}
	for _, p := range g.parts {
		if perr := p.destroy(d); err == nil {
			err = perr
		}
	}
	if werr := g.whole.destroy(d); err == nil {
		err = werr
	}
	*g = Graph{Parts: g.Parts, parts: g.parts[:0], nodes: g.nodes[:0], ahead: g.ahead[:0], args: g.args}
	return err
}
