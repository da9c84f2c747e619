package hip

// #include "graph.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var (
	_ driver.Grapher       = (*Driver)(nil)
	_ driver.ParamLayouter = (*Driver)(nil)
	_ driver.Placer        = (*Driver)(nil)
	_ driver.Capturer      = (*Driver)(nil)
)

// GraphTraits implements driver.Grapher: HIP keeps some 5 KiB of each change of a node,
// and has changed and freed arguments of graphs that were executing. Whether a
// one-node graph is cheaper than a launch differs from chip to chip.
func (d *Driver) GraphTraits() driver.GraphTraits {
	return driver.GraphTraits{Updates: 256, Pinned: true, KeepsHostcallsOut: true}
}

// GraphCreate makes an empty graph.
func (d *Driver) GraphCreate() (driver.Graph, error) {
	v := C.call_hipGraphCreate(d.t, 0)
	return driver.Graph(v.value), d.check(v.status)
}

// GraphDestroy destroys a graph.
func (d *Driver) GraphDestroy(g driver.Graph) error {
	return d.check(C.call_hipGraphDestroy(d.t, C.uintptr_t(g)))
}

// nodes gives C a list of nodes. It allocates nothing, and C keeps nothing.
func nodes(after []driver.Node) (*C.uintptr_t, C.size_t) {
	return (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(after))), C.size_t(len(after))
}

// GraphAddKernel adds a launch.
func (d *Driver) GraphAddKernel(g driver.Graph, after []driver.Node, f driver.Function, l driver.Launch) (driver.Node, error) {
	list, n := nodes(after)
	v := C.hip_graph_kernel(d.t, C.uintptr_t(g), list, n, C.uintptr_t(f),
		C.uint32_t(l.Grid.X), C.uint32_t(l.Grid.Y), C.uint32_t(l.Grid.Z),
		C.uint32_t(l.Block.X), C.uint32_t(l.Block.Y), C.uint32_t(l.Block.Z),
		C.uint32_t(l.SharedBytes), C.uintptr_t(l.Params), C.uintptr_t(l.Extra))
	return driver.Node(v.value), d.check(v.status)
}

// GraphAddCopy adds a copy.
func (d *Driver) GraphAddCopy(g driver.Graph, after []driver.Node, c driver.Copy) (driver.Node, error) {
	list, n := nodes(after)
	v := C.hip_graph_copy(d.t, C.uintptr_t(g), list, n, C.uintptr_t(c.Dst), C.uintptr_t(c.Src), C.uint64_t(c.Bytes))
	return driver.Node(v.value), d.check(v.status)
}

// GraphAddFill adds a fill.
func (d *Driver) GraphAddFill(g driver.Graph, after []driver.Node, f driver.Fill) (driver.Node, error) {
	list, n := nodes(after)
	v := C.hip_graph_fill(d.t, C.uintptr_t(g), list, n, C.uintptr_t(f.Dst), C.uint32_t(f.Value), C.uint32_t(f.Size), C.uint64_t(f.Count))
	return driver.Node(v.value), d.check(v.status)
}

// GraphAddEmpty adds a node that does nothing.
func (d *Driver) GraphAddEmpty(g driver.Graph, after []driver.Node) (driver.Node, error) {
	list, n := nodes(after)
	v := C.hip_graph_empty(d.t, C.uintptr_t(g), list, n)
	return driver.Node(v.value), d.check(v.status)
}

// GraphInstantiate makes a graph ready to launch.
func (d *Driver) GraphInstantiate(g driver.Graph) (driver.GraphExec, error) {
	v := C.call_hipGraphInstantiateWithFlags(d.t, C.uintptr_t(g), 0)
	return driver.GraphExec(v.value), d.check(v.status)
}

// GraphLaunch launches it.
func (d *Driver) GraphLaunch(x driver.GraphExec, s driver.Stream) error {
	return d.check(C.call_hipGraphLaunch(d.t, C.uintptr_t(x), C.uintptr_t(s)))
}

// GraphExecDestroy destroys it.
func (d *Driver) GraphExecDestroy(x driver.GraphExec) error {
	return d.check(C.call_hipGraphExecDestroy(d.t, C.uintptr_t(x)))
}

// GraphSetKernel changes what a node launches.
func (d *Driver) GraphSetKernel(x driver.GraphExec, n driver.Node, f driver.Function, l driver.Launch) error {
	return d.check(C.hip_graph_set_kernel(d.t, C.uintptr_t(x), C.uintptr_t(n), C.uintptr_t(f),
		C.uint32_t(l.Grid.X), C.uint32_t(l.Grid.Y), C.uint32_t(l.Grid.Z),
		C.uint32_t(l.Block.X), C.uint32_t(l.Block.Y), C.uint32_t(l.Block.Z),
		C.uint32_t(l.SharedBytes), C.uintptr_t(l.Params), C.uintptr_t(l.Extra)))
}

// GraphSetCopy changes what a node copies.
func (d *Driver) GraphSetCopy(x driver.GraphExec, n driver.Node, c driver.Copy) error {
	return d.check(C.call_hipGraphExecMemcpyNodeSetParams1D(d.t, C.uintptr_t(x), C.uintptr_t(n),
		C.uintptr_t(c.Dst), C.uintptr_t(c.Src), C.uintptr_t(c.Bytes), C.hip_copy_default))
}

// GraphSetFill changes what a node fills.
func (d *Driver) GraphSetFill(x driver.GraphExec, n driver.Node, f driver.Fill) error {
	return d.check(C.hip_graph_set_fill(d.t, C.uintptr_t(x), C.uintptr_t(n),
		C.uintptr_t(f.Dst), C.uint32_t(f.Value), C.uint32_t(f.Size), C.uint64_t(f.Count)))
}

// FunctionParams reads the code object's metadata.
func (d *Driver) FunctionParams(_ driver.Function, image []byte, name string) ([]driver.Param, error) {
	args, err := codeobj.Params(image, name)
	if err != nil {
		return nil, err
	}
	params := make([]driver.Param, len(args))
	for i := range args {
		params[i] = driver.Param{Offset: args[i].Offset, Size: args[i].Size}
	}
	return params, nil
}

// From this version of HIP on kinds of memory have other numbers.
const renumbered = 6_00_00000

// placesBefore6 and places say what HIP's kinds of memory are.
var (
	placesBefore6 = map[C.uintptr_t]driver.Place{0: driver.Shared, 1: driver.DeviceOnly, 3: driver.Shared}
	places        = map[C.uintptr_t]driver.Place{0: driver.Pageable, 1: driver.Shared, 2: driver.DeviceOnly, 3: driver.Shared, 11: driver.Shared}
)

// PlaceOf asks HIP. It knows nothing of pageable memory: every release answers
// hipErrorInvalidValue if asked whether such memory is managed. Asked for its type,
// HIP before 6.2 takes the pointer for a hipArray and reads what it points to.
func (d *Driver) PlaceOf(p driver.Ptr) (driver.Place, error) {
	answer := C.hip_pointer_attribute(d.t, C.hip_pointer_managed, C.uintptr_t(p))
	if answer.status&0xffff == C.hip_success {
		if answer.value&0xff != 0 {
			return driver.Shared, nil
		}
		answer = C.hip_pointer_attribute(d.t, C.hip_pointer_type, C.uintptr_t(p))
	}
	switch answer.status & 0xffff {
	case C.hip_success:
	case C.hip_invalid_value:
		return driver.Pageable, nil
	default:
		return driver.Pageable, d.check(answer.status)
	}
	of := places
	if d.version < renumbered {
		of = placesBefore6
	}
	place, ok := of[answer.value]
	if !ok {
		return driver.Pageable, d.fail(C.row_hipPointerGetAttribute, C.hip_not_supported)
	}
	return place, nil
}

// Capturing asks HIP.
func (d *Driver) Capturing(s driver.Stream) (bool, error) {
	v := C.hip_stream_capturing(d.t, C.uintptr_t(s))
	return v.value != 0, d.check(v.status)
}

// CaptureMode exchanges the thread's capture mode.
func (d *Driver) CaptureMode(mode uint32) (uint32, error) {
	v := C.hip_capture_mode(d.t, C.uint32_t(mode))
	return uint32(v.value), d.check(v.status)
}
