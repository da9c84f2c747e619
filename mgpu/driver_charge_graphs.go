package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// meteredGraphs makes graph calls of a driver and charges each to launches.
type meteredGraphs struct {
	*meter
	g driver.Grapher
}

func (m *meteredGraphs) GraphCreate() (driver.Graph, error) {
	defer m.charge().stop()
	return m.g.GraphCreate()
}

func (m *meteredGraphs) GraphDestroy(a driver.Graph) error {
	defer m.charge().stop()
	return m.g.GraphDestroy(a)
}

func (m *meteredGraphs) GraphAddKernel(g driver.Graph, after []driver.Node, f driver.Function, l driver.Launch) (driver.Node, error) {
	defer m.charge().stop()
	return m.g.GraphAddKernel(g, after, f, l)
}

func (m *meteredGraphs) GraphAddCopy(g driver.Graph, after []driver.Node, c driver.Copy) (driver.Node, error) {
	defer m.charge().stop()
	return m.g.GraphAddCopy(g, after, c)
}

func (m *meteredGraphs) GraphAddFill(g driver.Graph, after []driver.Node, f driver.Fill) (driver.Node, error) {
	defer m.charge().stop()
	return m.g.GraphAddFill(g, after, f)
}

func (m *meteredGraphs) GraphAddEmpty(g driver.Graph, after []driver.Node) (driver.Node, error) {
	defer m.charge().stop()
	return m.g.GraphAddEmpty(g, after)
}

func (m *meteredGraphs) GraphInstantiate(g driver.Graph) (driver.GraphExec, error) {
	defer m.charge().stop()
	return m.g.GraphInstantiate(g)
}

func (m *meteredGraphs) GraphExecDestroy(a driver.GraphExec) error {
	defer m.charge().stop()
	return m.g.GraphExecDestroy(a)
}

func (m *meteredGraphs) GraphLaunch(a driver.GraphExec, s driver.Stream) error {
	defer m.timed(s, trace.Work{Region: true}).stop()
	defer m.charge().stop()
	return m.g.GraphLaunch(a, s)
}

func (m *meteredGraphs) GraphSetKernel(x driver.GraphExec, n driver.Node, f driver.Function, l driver.Launch) error {
	defer m.charge().stop()
	return m.g.GraphSetKernel(x, n, f, l)
}

func (m *meteredGraphs) GraphSetCopy(x driver.GraphExec, n driver.Node, c driver.Copy) error {
	defer m.charge().stop()
	return m.g.GraphSetCopy(x, n, c)
}

func (m *meteredGraphs) GraphSetFill(x driver.GraphExec, n driver.Node, f driver.Fill) error {
	defer m.charge().stop()
	return m.g.GraphSetFill(x, n, f)
}
