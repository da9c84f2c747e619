package device

import (
	"fmt"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// handles is the latest handle of a graph: of all models, since C keeps graphs of the programs before.
var handles atomic.Uintptr

// Updates is how often the node of an exec may be changed.
const Updates = 5

// oneNode is a launch: what a graph of one node has.
type oneNode struct {
	function    driver.Function
	code        int // Model.code of the function
	grid, block driver.Dim3
	value       uint64 // the kernel's parameter
}

// exec is a graph that can be launched.
type exec struct {
	node    oneNode
	updates int
	inside  bool  // a thread launches it
	last    *Work // the latest launch
}

func (x *exec) executes() bool { return x.last != nil && !x.last.done }

func (d *Model) complain(format string, args ...any) {
	d.wrong = append(d.wrong, fmt.Sprintf(format, args...))
}

// Replace gives a function's handle to other code, as a driver does that unloads a module and loads another one.
func (d *Model) Replace(f driver.Function) {
	d.lock()
	defer d.unlock()
	d.code[f]++
}

func (d *Model) ModuleLoad([]byte) (driver.Module, error) {
	d.begin()
	defer d.end()
	d.next += 64
	return driver.Module(d.next), nil
}

func (d *Model) ModuleUnload(driver.Module) error { return nil }

func (d *Model) ModuleGetFunction(m driver.Module, name string) (driver.Function, error) {
	return driver.Function(uintptr(m) + uintptr(name[0])), nil
}

func (d *Model) FunctionParams(driver.Function, []byte, string) ([]driver.Param, error) {
	return []driver.Param{{Size: 8}}, nil
}

func (d *Model) GraphTraits() driver.GraphTraits {
	return driver.GraphTraits{Updates: Updates, Pinned: d.Pinned}
}

func (d *Model) GraphCreate() (driver.Graph, error) {
	d.begin()
	defer d.end()
	g := driver.Graph(handles.Add(1))
	d.graphs[g] = oneNode{}
	return g, nil
}

// AddKernel adds a launch with the value of its parameter to a graph.
func (d *Model) AddKernel(g driver.Graph, f driver.Function, l driver.Launch, value uint64) driver.Node {
	d.begin()
	defer d.end()
	d.graphs[g] = oneNode{f, d.code[f], l.Grid, l.Block, value}
	return driver.Node(g)
}

func (d *Model) GraphDestroy(g driver.Graph) error {
	d.begin()
	defer d.end()
	delete(d.graphs, g)
	return nil
}

func (d *Model) GraphInstantiate(g driver.Graph) (driver.GraphExec, error) {
	d.begin()
	defer d.end()
	h := driver.GraphExec(handles.Add(1))
	d.execs[h] = &exec{node: d.graphs[g]}
	return h, nil
}

func (d *Model) GraphExecDestroy(h driver.GraphExec) error {
	d.begin()
	defer d.end()
	switch x := d.execs[h]; {
	case uintptr(h) <= d.others:
		return nil
	case x == nil:
		d.complain("a graph is destroyed twice")
	case x.inside:
		d.complain("a graph is destroyed while a thread launches it")
	case d.Pinned && x.executes():
		d.complain("a graph is destroyed while it executes")
	}
	delete(d.execs, h)
	return nil
}

// LaunchExec launches a graph of one node: of what the program launches, after a change if set is true.
func (d *Model) LaunchExec(h driver.GraphExec, f driver.Function, l driver.Launch, value uint64, set bool) error {
	d.lock()
	x, asked := d.execs[h], oneNode{f, d.code[f], l.Grid, l.Block, value}
	if x == nil {
		d.complain("a destroyed graph is launched")
		d.unlock()
		return nil
	}
	if x.inside {
		d.complain("two threads launch a graph")
	}
	x.inside = true
	if set {
		if d.Pinned && x.executes() {
			d.complain("a graph is changed while it executes")
		}
		if x.updates++; x.updates > Updates {
			d.complain("a graph is changed more than %d times", Updates)
		}
		x.node = asked
	}
	if x.node != asked {
		d.complain("a graph launches %v instead of %v", x.node, asked)
	}
	d.unlock()
	op := d.submit(l.Stream)
	d.lock()
	x.inside, x.last = false, op
	d.unlock()
	return nil
}
