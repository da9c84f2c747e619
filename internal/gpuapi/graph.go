package gpuapi

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// GraphTraits implements driver.Grapher.
func (d *Driver) GraphTraits() driver.GraphTraits { return d.api.Traits }

// GraphCreate makes an empty graph.
func (d *Driver) GraphCreate() (driver.Graph, error) {
	v := C.gpu_graph_create(d.t, 0)
	return driver.Graph(v.value), d.check(v.status)
}

// GraphDestroy destroys a graph.
func (d *Driver) GraphDestroy(g driver.Graph) error {
	return d.check(C.gpu_graph_destroy(d.t, C.uintptr_t(g)))
}

// nodes returns a list of nodes for C. It allocates nothing, and C does not keep the pointer.
func nodes(after []driver.Node) (*C.uintptr_t, C.size_t) {
	return (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(after))), C.size_t(len(after))
}

// kernel returns a launch for C.
func kernel(f driver.Function, l driver.Launch) C.struct_kernel {
	return C.struct_kernel{
		function: C.uintptr_t(f),
		grid:     [3]C.uint32_t{C.uint32_t(l.Grid.X), C.uint32_t(l.Grid.Y), C.uint32_t(l.Grid.Z)},
		block:    [3]C.uint32_t{C.uint32_t(l.Block.X), C.uint32_t(l.Block.Y), C.uint32_t(l.Block.Z)},
		shared:   C.uint32_t(l.SharedBytes),
		params:   C.uintptr_t(l.Params),
		extra:    C.uintptr_t(l.Extra),
	}
}

// GraphAddKernel adds a launch.
func (d *Driver) GraphAddKernel(g driver.Graph, after []driver.Node, f driver.Function, l driver.Launch) (driver.Node, error) {
	if err := d.allow(f, l.SharedBytes); err != nil {
		return 0, err
	}
	list, n := nodes(after)
	v := C.gpu_graph_kernel(d.t, C.uintptr_t(g), list, n, kernel(f, l))
	return driver.Node(v.value), d.check(v.status)
}

// GraphAddCopy adds a copy.
func (d *Driver) GraphAddCopy(g driver.Graph, after []driver.Node, c driver.Copy) (driver.Node, error) {
	list, n := nodes(after)
	v := C.gpu_graph_copy(d.t, C.uintptr_t(g), list, n, C.uintptr_t(c.Dst), C.uintptr_t(c.Src), C.uintptr_t(c.Bytes))
	return driver.Node(v.value), d.check(v.status)
}

// GraphAddFill adds a fill.
func (d *Driver) GraphAddFill(g driver.Graph, after []driver.Node, f driver.Fill) (driver.Node, error) {
	list, n := nodes(after)
	v := C.gpu_graph_fill(d.t, C.uintptr_t(g), list, n, C.uintptr_t(f.Dst), C.uintptr_t(f.Value), C.uintptr_t(f.Size), C.uintptr_t(f.Count))
	return driver.Node(v.value), d.check(v.status)
}

// GraphAddEmpty adds a node that does nothing.
func (d *Driver) GraphAddEmpty(g driver.Graph, after []driver.Node) (driver.Node, error) {
	list, n := nodes(after)
	v := C.gpu_graph_empty(d.t, C.uintptr_t(g), list, n)
	return driver.Node(v.value), d.check(v.status)
}

// GraphInstantiate makes a graph ready to launch.
func (d *Driver) GraphInstantiate(g driver.Graph) (driver.GraphExec, error) {
	v := C.gpu_graph_instantiate(d.t, C.uintptr_t(g), 0)
	return driver.GraphExec(v.value), d.check(v.status)
}

// GraphLaunch launches an exec.
func (d *Driver) GraphLaunch(x driver.GraphExec, s driver.Stream) error {
	return d.check(C.gpu_graph_launch(d.t, C.uintptr_t(x), C.uintptr_t(s)))
}

// GraphExecDestroy destroys an exec.
func (d *Driver) GraphExecDestroy(x driver.GraphExec) error {
	return d.check(C.gpu_graph_exec_destroy(d.t, C.uintptr_t(x)))
}

// GraphSetKernel changes the launch of a node.
func (d *Driver) GraphSetKernel(x driver.GraphExec, n driver.Node, f driver.Function, l driver.Launch) error {
	if err := d.allow(f, l.SharedBytes); err != nil {
		return err
	}
	return d.check(C.gpu_graph_set_kernel(d.t, C.uintptr_t(x), C.uintptr_t(n), kernel(f, l)))
}

// GraphSetCopy changes the copy of a node.
func (d *Driver) GraphSetCopy(x driver.GraphExec, n driver.Node, c driver.Copy) error {
	return d.check(C.gpu_graph_set_copy(d.t, C.uintptr_t(x), C.uintptr_t(n),
		C.uintptr_t(c.Dst), C.uintptr_t(c.Src), C.uintptr_t(c.Bytes)))
}

// GraphSetFill changes the fill of a node.
func (d *Driver) GraphSetFill(x driver.GraphExec, n driver.Node, f driver.Fill) error {
	return d.check(C.gpu_graph_set_fill(d.t, C.uintptr_t(x), C.uintptr_t(n),
		C.uintptr_t(f.Dst), C.uintptr_t(f.Value), C.uintptr_t(f.Size), C.uintptr_t(f.Count)))
}
