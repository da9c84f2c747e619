package launchgraph

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// PartEnd returns the end of the part that begins at node, and whether it is the last part.
func (g *Graph) PartEnd(node int) (to int, last bool) {
	for i := range g.parts {
		if g.parts[i].from == node {
			return g.parts[i].to, i == len(g.parts)-1
		}
	}
	return 0, true
}

// Prepare gives the part that begins at node the parameters of a replay. After an error the replay can't continue.
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
			same = l == n.launch && string(elements(rec.values, n.values)) == string(elements(g.now.values, n.values))
		}
		if same && !g.ahead[i] {
			continue
		}
		g.ahead[i] = true
		if err := g.set(d, t, p, i, n, g.args.bind(l, n, rec.values)); err != nil {
			return err
		}
		g.ahead[i] = !same
	}
	return nil
}

// errElsewhere says that the recording does not replay this graph.
var errElsewhere = &driver.Error{Call: "GraphUpdate", Code: driver.NotSupported, Detail: "another graph"}

// Repeated commits a complete replay whose parts were all prepared: its parameters become the graph's. The replay must
// not be used afterwards.
func (g *Graph) Repeated(rec *Recording) {
	for i := range g.now.nodes {
		if n := &g.now.nodes[i]; g.ahead[i] && n.kind == Kernel {
			c := &g.now.calls[n.call]
			n.launch.Grid, n.launch.Block, n.launch.SharedBytes = c.grid, c.block, c.shared
		}
		g.ahead[i] = false
	}
	g.now.values, rec.values = rec.values, g.now.values
	rec.replay = replay{}
}
