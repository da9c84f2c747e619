package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// GraphMode says which launches go through graphs.
type GraphMode string

// Modes. The default is GraphAuto for drivers whose one-node graphs were measured to
// be cheaper than their launches, and GraphOff for others.
const (
	GraphDefault GraphMode = ""
	GraphOff     GraphMode = "off"
	GraphAuto    GraphMode = "auto"   // repeated launches, where that is measured to cost less
	GraphAlways  GraphMode = "always" // the same without measuring, for tests
)

// whyNoOneNode tells why single launches don't go through graphs, empty if they
// may.
func (r *Runtime) whyNoOneNode(k *core) string {
	_, direct := k.drv.(driver.Direct)
	switch {
	case k.graphs == nil:
		return "the driver has no graphs"
	case !direct:
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

// OneNode is a graph of one launch for the caller to launch.
type OneNode struct {
	launchgraph.OneNode
	Updates int            // how many it stands; zero: any number
	Params  []driver.Param // of the kernel
	Known   bool           // whether Params is
}

// MakeOneNode makes a graph of a launch that the caller makes again and again. Without
// one the launch is due plainly, and where making it failed all launches on the device
// are from now on.
func (r *Runtime) MakeOneNode(l *Launch, device int) (node OneNode, ok, failed bool) {
	k := r.core.Load()
	f := r.frameOf(k, launchKernel)
	grid, okGrid := dim3(l.Grid)
	block, okBlock := dim3(l.Block)
	if !okGrid || !okBlock {
		return OneNode{}, false, false
	}
	info := f.kernelInfoOf(l.Function)
	if info.refusal != "" {
		return OneNode{}, false, false
	}
	if current, err := f.device(); err != nil || current != device {
		return OneNode{}, false, false
	}
	restore := f.relaxCapture()
	defer restore()
	graph, err := launchgraph.Keep(k.graphCalls, driver.Function(l.Function), driver.Launch{Grid: grid, Block: block, Params: l.Params})
	if err != nil {
		r.gate.Retreat(device, r.withKernelName(err, l.Function).Error())
		return OneNode{}, false, true
	}
	return OneNode{graph, k.graphs.GraphTraits().Updates, info.params, info.err == nil}, true, false
}

// DropOneNode destroys what MakeOneNode gave; stream is where it was launched.
func (r *Runtime) DropOneNode(node launchgraph.OneNode, stream uintptr) {
	k := r.core.Load()
	f := r.frameOf(k, launchKernel)
	restore := f.relaxCapture()
	defer restore()
	if k.graphs.GraphTraits().Pinned && !k.pool.Find(stream).Stale() {
		_ = f.meter.StreamSynchronize(driver.Stream(stream)) // its failure is told to who waits for it next, or was
	}
	_ = node.Drop(k.graphCalls) // nothing can be done about what is not destroyed
}

// JudgeOneNode takes a measurement of launches on a device, and tells whether those
// through graphs won.
func (r *Runtime) JudgeOneNode(device int, plain, graph launchgraph.Costs) bool {
	return r.gate.Judge(device, plain, graph)
}

// RetreatOneNode ends launches through graphs on a device for good: because of status,
// which a launch of function gave, or of the verdicts if that is zero.
func (r *Runtime) RetreatOneNode(device int, function uintptr, status int32) {
	why := ""
	if status != 0 {
		why = r.withKernelName(r.core.Load().waiter.Status(callNames[launchKernel], status), function).Error()
	}
	r.gate.Retreat(device, why)
}
