package null

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

var (
	_ driver.Grapher       = (*Driver)(nil)
	_ driver.ParamLayouter = (*Driver)(nil)
)

func (d *Driver) GraphTraits() driver.GraphTraits { return driver.GraphTraits{} }

func (d *Driver) GraphCreate() (driver.Graph, error)                { return driver.Graph(d.handle()), nil }
func (d *Driver) GraphDestroy(driver.Graph) error                   { return nil }
func (d *Driver) GraphExecDestroy(driver.GraphExec) error           { return nil }
func (d *Driver) GraphLaunch(driver.GraphExec, driver.Stream) error { return nil }

func (d *Driver) GraphInstantiate(driver.Graph) (driver.GraphExec, error) {
	return driver.GraphExec(d.handle()), nil
}

func (d *Driver) GraphAddKernel(driver.Graph, []driver.Node, driver.Function, driver.Launch) (driver.Node, error) {
	return driver.Node(d.handle()), nil
}

func (d *Driver) GraphAddCopy(driver.Graph, []driver.Node, driver.Copy) (driver.Node, error) {
	return driver.Node(d.handle()), nil
}

func (d *Driver) GraphAddFill(driver.Graph, []driver.Node, driver.Fill) (driver.Node, error) {
	return driver.Node(d.handle()), nil
}

func (d *Driver) GraphAddEmpty(driver.Graph, []driver.Node) (driver.Node, error) {
	return driver.Node(d.handle()), nil
}

func (d *Driver) GraphSetKernel(driver.GraphExec, driver.Node, driver.Function, driver.Launch) error {
	return nil
}
func (d *Driver) GraphSetCopy(driver.GraphExec, driver.Node, driver.Copy) error { return nil }
func (d *Driver) GraphSetFill(driver.GraphExec, driver.Node, driver.Fill) error { return nil }

// FunctionParams returns no parameters, since kernels compute nothing.
func (d *Driver) FunctionParams(driver.Function, []byte, string) ([]driver.Param, error) {
	return nil, nil
}
