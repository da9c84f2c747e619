package launchgraph

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// PartEnd is how many nodes there are with the part that begins with a node. last
// tells that it is the last one.
func (g *Graph) PartEnd(node int) (to int, last bool) {
	for i := range g.parts {
		if g.parts[i].from == node {
			return g.parts[i].to, i == len(g.parts)-1
		}
	}
	return 0, true
}

// Prepare makes the part that begins with a node do what a repetition of the graph
// has for it. Where that fails the repetition can't go on.
func (g *Graph) Prepare(d Driver, t driver.GraphTraits, rec *Recording, node int) error {
	p := 0
	for p < len(g.parts) && g.parts[p].from != node {
		p++
	}
	if p == len(g.parts) || rec.like != g.now {
		return errElsewhere
	}
	for i := node; i < g.parts[p].to; i++ {
		n := &g.now.nodes[i]
		l, same := n.launch, true
		if n.kind == Kernel {
			c := &g.now.calls[n.call]
			l.Grid, l.Block, l.SharedBytes = c.grid, c.block, c.shared
			same = l == n.launch && string(of(rec.values, n.values)) == string(of(g.now.values, n.values))
		}
		if same && !g.ahead[i] {
			continue
		}
		g.ahead[i] = true
		if err := g.set(d, t, p, i, n, g.args.of(l, n, rec.values)); err != nil {
			return err
		}
		g.ahead[i] = !same
	}
	return nil
}

// errElsewhere says that the graph is not the one that is repeated.
var errElsewhere = &driver.Error{Call: "GraphUpdate", Name: "another graph", Code: driver.NotSupported}

// Repeated makes what a complete repetition says what the graph does, once all parts
// were prepared. The repetition is over; it is not used any more.
func (g *Graph) Repeated(rec *Recording) {
	rec.replay.close()
	for i := range g.now.nodes {
		if n := &g.now.nodes[i]; g.ahead[i] && n.kind == Kernel {
			c := &g.now.calls[n.call]
			n.launch.Grid, n.launch.Block, n.launch.SharedBytes = c.grid, c.block, c.shared
		}
		g.ahead[i] = false
	}
	g.now.values, rec.values = rec.values, g.now.values
	rec.like, rec.replay = nil, nil
}
