package softgpu

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// graphLaunches numbers the launches of graphs.
var graphLaunches atomic.Uint64

// graphExec is an executable graph, with its own pieces.
type graphExec struct {
	dev  *device
	mu   sync.Mutex
	of   *graph
	work []*piece
	last fence // fence after its latest launch
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

// GraphLaunch implements driver.Grapher. Kernel arguments are copied first, so that either the whole graph is submitted
// or nothing.
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
	if x.last.s != nil && x.last.s != s && x.last.s.unsettled() {
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
	launch := graphLaunches.Add(1)
	for _, o := range ops {
		o.graph = launch
		x.last = s.dev.submitOrdered(s, o, false)
	}
	return nil
}

// ready returns the operation for one launch of a piece. It checks again, since memory may have been freed since the
// piece was made.
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

// placeLaunch makes the block for one launch of a piece. The caller has retained the module.
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
