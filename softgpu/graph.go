package softgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var _ driver.Grapher = (*Driver)(nil)

// graph is a list of nodes' work in an order that respects their dependencies, since a node is added after the nodes on
// which it depends. A launch executes them one after another.
type graph struct {
	dev     *device
	mu      sync.Mutex
	work    []*piece
	handles []uintptr
}

// graphNode is the place of a node in a graph.
type graphNode struct {
	of    *graph
	index int
}

// piece is the work of a node. It does not change after it was made.
type piece struct {
	op
	block []byte // of a launch: what op.args is copied from; its module is retained
}

func (p *piece) release() {
	if p.kind == opLaunch {
		p.fn.module.release()
	}
}

func noGraph(call, what string, h uintptr) error {
	return invalidValue.of(call, "no %s has the handle %#x", what, h)
}

// GraphTraits implements driver.Grapher.
func (d *Driver) GraphTraits() driver.GraphTraits { return driver.GraphTraits{} }

// GraphCreate implements driver.Grapher.
func (d *Driver) GraphCreate() (driver.Graph, error) {
	return driver.Graph(d.graphs.add(&graph{dev: d.current()})), nil
}

// GraphDestroy implements driver.Grapher.
func (d *Driver) GraphDestroy(h driver.Graph) error {
	g := d.graphs.remove(uintptr(h))
	if g == nil {
		return noGraph("hipGraphDestroy", "graph", uintptr(h))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, p := range g.work {
		d.nodes.remove(g.handles[i])
		p.release()
	}
	g.work, g.handles = nil, nil
	return nil
}

// add appends a piece. It calls make after the arguments have been checked.
func (d *Driver) add(call string, h driver.Graph, after []driver.Node, make func(*device) (*piece, error)) (driver.Node, error) {
	g := d.graphs.get(uintptr(h))
	if g == nil {
		return 0, noGraph(call, "graph", uintptr(h))
	}
	for _, n := range after {
		if at := d.nodes.get(uintptr(n)); at == nil || at.of != g {
			return 0, noGraph(call, "node of the graph", uintptr(n))
		}
	}
	p, err := make(g.dev)
	if err != nil {
		return 0, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	node := d.nodes.add(&graphNode{g, len(g.work)})
	g.work, g.handles = append(g.work, p), append(g.handles, node)
	return driver.Node(node), nil
}

// GraphAddKernel implements driver.Grapher.
func (d *Driver) GraphAddKernel(h driver.Graph, after []driver.Node, f driver.Function, l driver.Launch) (driver.Node, error) {
	return d.add("hipGraphAddKernelNode", h, after, func(dev *device) (*piece, error) {
		return d.kernelPiece("hipGraphAddKernelNode", dev, f, &l)
	})
}

// GraphAddCopy implements driver.Grapher.
func (d *Driver) GraphAddCopy(h driver.Graph, after []driver.Node, c driver.Copy) (driver.Node, error) {
	return d.add("hipGraphAddMemcpyNode1D", h, after, func(*device) (*piece, error) { return d.copyPiece("hipGraphAddMemcpyNode1D", c) })
}

// GraphAddFill implements driver.Grapher.
func (d *Driver) GraphAddFill(h driver.Graph, after []driver.Node, f driver.Fill) (driver.Node, error) {
	return d.add("hipGraphAddMemsetNode", h, after, func(*device) (*piece, error) { return d.fillPiece("hipGraphAddMemsetNode", f) })
}

// GraphAddEmpty implements driver.Grapher.
func (d *Driver) GraphAddEmpty(h driver.Graph, after []driver.Node) (driver.Node, error) {
	return d.add("hipGraphAddEmptyNode", h, after, func(*device) (*piece, error) { return &piece{op: op{kind: opWait}}, nil })
}

func (d *Driver) kernelPiece(call string, dev *device, h driver.Function, l *driver.Launch) (*piece, error) {
	f := d.functions.get(uintptr(h))
	if f == nil {
		return nil, invalidHandle.of(call, "no function has the handle %#x", uintptr(h))
	}
	if err := f.checkSizes(l); err != nil {
		return nil, err
	}
	if f.module.dev != dev {
		return nil, invalidHandle.of(f.call, "the kernel is loaded on device %d, the graph belongs to device %d", f.module.dev.index, dev.index)
	}
	b := make([]byte, f.launchBlock())
	if err := f.readLaunch(b, l); err != nil {
		return nil, invalidValue.of(f.call, "%v", err)
	}
	if !f.module.retain() {
		return nil, invalidHandle.of(f.call, "the module was unloaded meanwhile")
	}
	return &piece{op{kind: opLaunch, fn: f, grid: dims(l.Grid), block: dims(l.Block), lds: l.SharedBytes}, b}, nil
}

func (d *Driver) copyPiece(call string, c driver.Copy) (*piece, error) {
	if c.Bytes == 0 {
		return nil, invalidValue.of(call, "a copy of no bytes")
	}
	for _, p := range []driver.Ptr{c.Dst, c.Src} {
		if _, err := d.place(p, c.Bytes); err != nil {
			return nil, invalidValue.of(call, "%v", err)
		}
	}
	return &piece{op: op{kind: opCopy, dst: uintptr(c.Dst), src: uintptr(c.Src), bytes: c.Bytes}}, nil
}

func (d *Driver) fillPiece(call string, f driver.Fill) (*piece, error) {
	kinds := map[uint32]opKind{2: opFill16, 4: opFill32}
	kind, ok := kinds[f.Size]
	if !ok || f.Count == 0 || f.Count > 1<<60 {
		return nil, invalidValue.of(call, "%d elements of %d bytes", f.Count, f.Size)
	}
	bytes := f.Count * uint64(f.Size)
	if _, err := d.place(f.Dst, bytes); err != nil {
		return nil, invalidValue.of(call, "%v", err)
	}
	return &piece{op: op{kind: kind, dst: uintptr(f.Dst), bytes: bytes, value: f.Value}}, nil
}
