package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// whyNoOneNode returns why launches don't go through one-node graphs; empty if they may.
func (r *Runtime) whyNoOneNode(k *core) string {
	_, callsInC := k.drv.(driver.CCaller)
	switch {
	case k.graphs == nil:
		return "the driver has no graphs"
	case !callsInC:
		return fmt.Sprintf("the %s driver's launches are the library's own already", k.drv.Name())
	case r.cfg.GraphsOff != "":
		return r.cfg.GraphsOff
	case r.cfg.Graphs == GraphAuto, r.cfg.Graphs == GraphAlways:
		return ""
	case r.cfg.Graphs == GraphDefault && k.graphs.GraphTraits().Auto:
		return ""
	case r.cfg.Graphs == GraphDefault:
		return fmt.Sprintf("MGPU_GRAPH=auto asks for it, the %s driver does not", k.drv.Name())
	}
	return "MGPU_GRAPH=" + string(r.cfg.Graphs)
}

// OneNode is a graph of one launch, which C updates and launches.
type OneNode struct {
	launchgraph.OneNode
	Updates int            // how many updates the driver allows; zero: any number
	Params  []driver.Param // layout of the kernel's parameters
	Known   bool           // Params is known
}

// MakeOneNode makes a graph of a launch that the program repeats. If ok is false, C makes plain launches; if failed is
// true, so do all later launches on the device.
func (r *Runtime) MakeOneNode(l *Launch, device int) (node OneNode, ok, failed bool) {
	k := r.core.Load()
	f := r.frameOf(k, launchKernel)
	grid, okGrid := dim3(l.Grid)
	block, okBlock := dim3(l.Block)
	if !okGrid || !okBlock {
		return OneNode{}, false, false
	}
	info := f.kernelTraits(l.Function)
	if info.Refusal != "" {
		return OneNode{}, false, false
	}
	if current, err := f.device(); err != nil || current != device {
		return OneNode{}, false, false
	}
	restore := f.relaxCapture()
	defer restore()
	graph, err := launchgraph.NewOneNode(k.graphCalls, driver.Function(l.Function), driver.Launch{Grid: grid, Block: block, Params: l.Params})
	if err != nil {
		r.gate.Retreat(device, r.withKernelName(err, l.Function).Error())
		return OneNode{}, false, true
	}
	k.resets.madeOneNode(graph.Exec)
	return OneNode{graph, k.graphs.GraphTraits().Updates, info.Params, info.Err == nil}, true, false
}

// DropOneNode destroys a graph from MakeOneNode. stream is the stream of the graph's latest launch.
func (r *Runtime) DropOneNode(node launchgraph.OneNode, stream uintptr) {
	k := r.core.Load()
	if !k.resets.droppedOneNode(node.Exec) {
		return // the device's reset has destroyed the graph
	}
	f := r.frameOf(k, launchKernel)
	restore := f.relaxCapture()
	defer restore()
	if e := k.pool.FindStream(stream); k.graphs.GraphTraits().Pinned && e.Pending() && e.Pin() {
		_ = f.meter.StreamSynchronize(driver.Stream(stream)) // the program's next wait reports the failure
		e.Unpin()
	}
	_ = node.Destroy(k.graphCalls) // a graph that can't be destroyed is leaked
}

// JudgeOneNode records measured launches of both kinds on a device. It returns whether launches go through graphs.
func (r *Runtime) JudgeOneNode(device int, plain, graph launchgraph.Costs) bool {
	won := r.gate.Judge(device, plain, graph)
	if t := r.cfg.Trace.On(); t != nil {
		t.Instant(trace.Verdict, r.lastVerdict())
	}
	return won
}

// RetreatOneNode ends launches through graphs on a device permanently. status is that of a failed launch of function,
// or zero if measurements decided.
func (r *Runtime) RetreatOneNode(device int, function uintptr, status int32) {
	why := ""
	if status != 0 {
		why = r.withKernelName(r.core.Load().waiter.Status(callNames[launchKernel], status), function).Error()
	}
	r.gate.Retreat(device, why)
}
