package soft

import (
	"slices"
	"sync"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var (
	_ driver.Grapher       = (*Driver)(nil)
	_ driver.ParamLayouter = (*Driver)(nil)
	_ driver.Placer        = (*Driver)(nil)
)

// graph is a list of pieces of work in an order that agrees with their
// dependencies, since those of a node are added before it. A launch does them one
// after another.
type graph struct {
	dev     *device
	mu      sync.Mutex
	work    []*piece
	handles []uintptr
}

// graphExec is a graph made ready, with pieces of its own.
type graphExec struct {
	dev  *device
	mu   sync.Mutex
	of   *graph
	work []*piece
	last fence // behind its latest launch
}

// graphNode is a place in a graph.
type graphNode struct {
	of    *graph
	index int
}

// piece is the work of a node. It is not changed once it is made.
type piece struct {
	op
	block []byte // a launch's: what op.args is a copy of; its module is retained
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
	dev, err := d.current("hipGraphCreate")
	if err != nil {
		return 0, err
	}
	return driver.Graph(d.graphs.add(&graph{dev: dev})), nil
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

// add appends a piece, which make makes once the arguments are known to be good.
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

// GraphInstantiate implements driver.Grapher.
func (d *Driver) GraphInstantiate(h driver.Graph) (driver.GraphExec, error) {
	g := d.graphs.get(uintptr(h))
	if g == nil {
		return 0, noGraph("hipGraphInstantiate", "graph", uintptr(h))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	x := &graphExec{dev: g.dev, of: g, work: slices.Clone(g.work)}
	for i, p := range x.work {
		if p.kind == opLaunch && !p.fn.module.retain() {
			for _, q := range x.work[:i] {
				q.release()
			}
			return 0, invalidHandle.of("hipGraphInstantiate", "the module of kernel %s is gone", p.fn.name)
		}
	}
	return driver.GraphExec(d.execs.add(x)), nil
}

// GraphExecDestroy implements driver.Grapher.
func (d *Driver) GraphExecDestroy(h driver.GraphExec) error {
	x := d.execs.remove(uintptr(h))
	if x == nil {
		return noGraph("hipGraphExecDestroy", "executable graph", uintptr(h))
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, p := range x.work {
		p.release()
	}
	x.work = nil
	return nil
}

// GraphLaunch implements driver.Grapher. Kernel arguments are copied first, so that
// either all of the graph is submitted or nothing.
func (d *Driver) GraphLaunch(h driver.GraphExec, on driver.Stream) error {
	const call = "hipGraphLaunch"
	x := d.execs.get(uintptr(h))
	if x == nil {
		return noGraph(call, "executable graph", uintptr(h))
	}
	s, err := d.stream(call, on)
	if err != nil {
		return err
	}
	if s.dev != x.dev {
		return invalidHandle.of(call, "the graph belongs to device %d, the stream to device %d", x.dev.index, s.dev.index)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	ops := make([]op, 0, len(x.work)+1)
	first := op{kind: opWait}
	if x.last.s != nil && x.last.s != s && !x.last.passed() {
		first.after[0] = x.last
	}
	ops = append(ops, first)
	for _, p := range x.work {
		o, err := d.ready(call, x.dev, p)
		if err != nil {
			for _, made := range ops {
				if made.kind == opLaunch {
					d.heap.free(made.args, devices)
					made.fn.module.release()
				}
			}
			return err
		}
		ops = append(ops, o)
	}
	s.dev.order.Lock()
	defer s.dev.order.Unlock()
	for _, o := range ops {
		x.last = s.dev.submitOrdered(s, o, false)
	}
	return nil
}

// ready gives the operation of one launch of a piece. Memory may have been freed
// since the piece was made.
func (d *Driver) ready(call string, dev *device, p *piece) (op, error) {
	o := p.op
	var err error
	switch {
	case o.kind == opLaunch:
		o.args, err = d.placeLaunch(dev, p)
		return o, err
	case o.kind == opCopy:
		if _, err = d.place(driver.Ptr(o.src), o.bytes); err == nil {
			_, err = d.place(driver.Ptr(o.dst), o.bytes)
		}
	case p.isFill():
		_, err = d.place(driver.Ptr(o.dst), o.bytes)
	}
	if err != nil {
		return o, invalidValue.of(call, "%v", err)
	}
	return o, nil
}

// placeLaunch makes the block of one launch of a piece, for which the module is
// retained.
func (d *Driver) placeLaunch(dev *device, p *piece) (uintptr, error) {
	args, err := d.heap.alloc(uint64(len(p.block)), dev.index, devices)
	if err != nil {
		return 0, outOfMemory.of(p.fn.call, "%v", err)
	}
	b := bytesAt(args, uint64(len(p.block)))
	copy(b, p.block)
	p.fn.finishLaunch(b, extent{p.grid, p.op.block, p.lds, dev.queue}, args)
	if !p.fn.module.retain() {
		d.heap.free(args, devices)
		return 0, invalidHandle.of(p.fn.call, "the module is gone")
	}
	return args, nil
}

// set replaces the piece of a node in an exec.
func (d *Driver) set(call string, h driver.GraphExec, n driver.Node, make func(*device) (*piece, error)) error {
	x := d.execs.get(uintptr(h))
	if x == nil {
		return noGraph(call, "executable graph", uintptr(h))
	}
	at := d.nodes.get(uintptr(n))
	if at == nil || at.of != x.of {
		return noGraph(call, "node of the graph", uintptr(n))
	}
	p, err := make(x.dev)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if at.index >= len(x.work) || p.isFill() != x.work[at.index].isFill() || !p.isFill() && p.kind != x.work[at.index].kind {
		p.release()
		return invalidValue.of(call, "the node does something of another kind")
	}
	x.work[at.index].release()
	x.work[at.index] = p
	return nil
}

func (p *piece) isFill() bool { return p.kind == opFill16 || p.kind == opFill32 }

// GraphSetKernel implements driver.Grapher.
func (d *Driver) GraphSetKernel(h driver.GraphExec, n driver.Node, f driver.Function, l driver.Launch) error {
	return d.set("hipGraphExecKernelNodeSetParams", h, n, func(dev *device) (*piece, error) {
		return d.kernelPiece("hipGraphExecKernelNodeSetParams", dev, f, &l)
	})
}

// GraphSetCopy implements driver.Grapher.
func (d *Driver) GraphSetCopy(h driver.GraphExec, n driver.Node, c driver.Copy) error {
	return d.set("hipGraphExecMemcpyNodeSetParams1D", h, n, func(*device) (*piece, error) {
		return d.copyPiece("hipGraphExecMemcpyNodeSetParams1D", c)
	})
}

// GraphSetFill implements driver.Grapher.
func (d *Driver) GraphSetFill(h driver.GraphExec, n driver.Node, f driver.Fill) error {
	return d.set("hipGraphExecMemsetNodeSetParams", h, n, func(*device) (*piece, error) {
		return d.fillPiece("hipGraphExecMemsetNodeSetParams", f)
	})
}

// FunctionParams implements driver.ParamLayouter.
func (d *Driver) FunctionParams(h driver.Function, _ []byte, name string) ([]driver.Param, error) {
	f := d.functions.get(uintptr(h))
	if f == nil {
		return nil, invalidHandle.of("FunctionParams("+name+")", "no function has the handle %#x", uintptr(h))
	}
	params := make([]driver.Param, len(f.explicit))
	for i, a := range f.explicit {
		params[i] = driver.Param{Offset: a.Offset, Size: a.Size}
	}
	return params, nil
}

// PlaceOf implements driver.Placer.
func (d *Driver) PlaceOf(p driver.Ptr) (driver.Place, error) {
	at, err := d.place(p, 1)
	switch {
	case err != nil || at == pageable:
		return driver.Pageable, nil
	case at == pinned || d.managed.holds(uintptr(p), 1):
		return driver.Shared, nil
	}
	return driver.DeviceOnly, nil
}
