package mgpu

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// meteredGraphs are a driver's graphs as one mgpu function, launches, sees them.
type meteredGraphs struct {
	*meter
	g driver.Grapher
}

func (m *meteredGraphs) GraphCreate() (driver.Graph, error) {
	cell, t0 := m.in()
	v, err := m.g.GraphCreate()
	cell.out(t0)
	return v, err
}

func (m *meteredGraphs) GraphDestroy(a driver.Graph) error {
	cell, t0 := m.in()
	err := m.g.GraphDestroy(a)
	cell.out(t0)
	return err
}

func (m *meteredGraphs) GraphAddKernel(g driver.Graph, after []driver.Node, f driver.Function, l driver.Launch) (driver.Node, error) {
	cell, t0 := m.in()
	v, err := m.g.GraphAddKernel(g, after, f, l)
	cell.out(t0)
	return v, err
}

func (m *meteredGraphs) GraphAddCopy(g driver.Graph, after []driver.Node, c driver.Copy) (driver.Node, error) {
	cell, t0 := m.in()
	v, err := m.g.GraphAddCopy(g, after, c)
	cell.out(t0)
	return v, err
}

func (m *meteredGraphs) GraphAddFill(g driver.Graph, after []driver.Node, f driver.Fill) (driver.Node, error) {
	cell, t0 := m.in()
	v, err := m.g.GraphAddFill(g, after, f)
	cell.out(t0)
	return v, err
}

func (m *meteredGraphs) GraphAddEmpty(g driver.Graph, after []driver.Node) (driver.Node, error) {
	cell, t0 := m.in()
	v, err := m.g.GraphAddEmpty(g, after)
	cell.out(t0)
	return v, err
}

func (m *meteredGraphs) GraphInstantiate(g driver.Graph) (driver.GraphExec, error) {
	cell, t0 := m.in()
	v, err := m.g.GraphInstantiate(g)
	cell.out(t0)
	return v, err
}

func (m *meteredGraphs) GraphExecDestroy(a driver.GraphExec) error {
	cell, t0 := m.in()
	err := m.g.GraphExecDestroy(a)
	cell.out(t0)
	return err
}

func (m *meteredGraphs) GraphLaunch(a driver.GraphExec, s driver.Stream) error {
	cell, t0 := m.in()
	err := m.g.GraphLaunch(a, s)
	cell.out(t0)
	return err
}

func (m *meteredGraphs) GraphSetKernel(x driver.GraphExec, n driver.Node, f driver.Function, l driver.Launch) error {
	cell, t0 := m.in()
	err := m.g.GraphSetKernel(x, n, f, l)
	cell.out(t0)
	return err
}

func (m *meteredGraphs) GraphSetCopy(x driver.GraphExec, n driver.Node, c driver.Copy) error {
	cell, t0 := m.in()
	err := m.g.GraphSetCopy(x, n, c)
	cell.out(t0)
	return err
}

func (m *meteredGraphs) GraphSetFill(x driver.GraphExec, n driver.Node, f driver.Fill) error {
	cell, t0 := m.in()
	err := m.g.GraphSetFill(x, n, f)
	cell.out(t0)
	return err
}
