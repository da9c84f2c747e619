package launchgraph

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// OneNode is a graph of one launch.
type OneNode struct {
	Graph driver.Graph
	Exec  driver.GraphExec
	Node  driver.Node
}

// NewOneNode makes a graph of the launch l of f; l.Stream is ignored.
func NewOneNode(d Driver, f driver.Function, l driver.Launch) (k OneNode, err error) {
	if k.Graph, err = d.GraphCreate(); err != nil {
		return OneNode{}, err
	}
	if k.Node, err = d.GraphAddKernel(k.Graph, nil, f, l); err == nil {
		k.Exec, err = d.GraphInstantiate(k.Graph)
	}
	if err != nil {
		_ = d.GraphDestroy(k.Graph)
		return OneNode{}, err
	}
	return k, nil
}

// Destroy destroys the graph.
func (k OneNode) Destroy(d Driver) error {
	err := d.GraphExecDestroy(k.Exec)
	if gerr := d.GraphDestroy(k.Graph); err == nil {
		err = gerr
	}
	return err
}
