package launchgraph

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

//go:generate go tool mockgen -source=driver.go -destination=mock_test.go -package=launchgraph

// Driver is the part of a driver that the package calls, on the calling thread's current
// device.
type Driver interface {
	GraphCreate() (driver.Graph, error)
	GraphDestroy(driver.Graph) error
	GraphAddKernel(g driver.Graph, after []driver.Node, f driver.Function, l driver.Launch) (driver.Node, error)
	GraphAddCopy(g driver.Graph, after []driver.Node, c driver.Copy) (driver.Node, error)
	GraphAddFill(g driver.Graph, after []driver.Node, f driver.Fill) (driver.Node, error)
	GraphInstantiate(driver.Graph) (driver.GraphExec, error)
	GraphExecDestroy(driver.GraphExec) error
	GraphLaunch(driver.GraphExec, driver.Stream) error
	GraphSetKernel(x driver.GraphExec, n driver.Node, f driver.Function, l driver.Launch) error
	GraphSetCopy(x driver.GraphExec, n driver.Node, c driver.Copy) error
	GraphSetFill(x driver.GraphExec, n driver.Node, f driver.Fill) error
}
