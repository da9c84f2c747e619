package mgpu

import (
	"fmt"
	"io"

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

// launchesByGraph tells why single launches don't go through graphs, empty if they
// may.
func (r *Runtime) launchesByGraph(k *core) string {
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
func (r *Runtime) MakeOneNode(l *Launch, device int) (kept OneNode, ok, failed bool) {
	k := r.core.Load()
	f := r.frameOf(k, launchKernel)
	grid, okGrid := dim3(l.Grid)
	block, okBlock := dim3(l.Block)
	if !okGrid || !okBlock {
		return OneNode{}, false, false
	}
	is := f.factsOf(l.Function)
	if is.why != "" {
		return OneNode{}, false, false
	}
	if now, err := f.device(); err != nil || now != device {
		return OneNode{}, false, false
	}
	restore := f.relax()
	defer restore()
	graph, err := launchgraph.Keep(k.graphCalls, driver.Function(l.Function), driver.Launch{Grid: grid, Block: block, Params: l.Params})
	if err != nil {
		r.gate.Retreat(device, r.ofKernel(err, l.Function).Error())
		return OneNode{}, false, true
	}
	return OneNode{graph, k.graphs.GraphTraits().Updates, is.params, is.err == nil}, true, false
}

// DropOneNode destroys what MakeOneNode gave; stream is where it was launched.
func (r *Runtime) DropOneNode(kept launchgraph.OneNode, stream uintptr) {
	k := r.core.Load()
	f := r.frameOf(k, launchKernel)
	restore := f.relax()
	defer restore()
	if k.graphs.GraphTraits().Pinned && !k.pool.Find(stream).Stale() {
		_ = f.meter.StreamSynchronize(driver.Stream(stream)) // its failure is told to who waits for it next, or was
	}
	_ = kept.Drop(k.graphCalls) // nothing can be done about what is not destroyed
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
		why = r.ofKernel(r.core.Load().waiter.Status(callNames[launchKernel], status), function).Error()
	}
	r.gate.Retreat(device, why)
}

// frameOf is a frame for what belongs to calls that have been counted.
func (r *Runtime) frameOf(k *core, row int) frame {
	return frame{meter: &k.views[row], k: k, r: r, c: r.stats.cell(row)}
}

// relax lets the thread make calls that would end captures of other threads, until
// what it returns is called.
func (f *frame) relax() (restore func()) {
	if c, ok := f.k.drv.(driver.Capturer); ok {
		return relaxed(c).end
	}
	return func() {}
}

// captureMode is the one that the thread had.
type captureMode struct {
	c      driver.Capturer // nil: nothing was changed
	before uint32
}

func relaxed(c driver.Capturer) captureMode {
	before, err := c.CaptureMode(driver.CaptureRelaxed)
	if err != nil {
		return captureMode{}
	}
	return captureMode{c, before}
}

func (m captureMode) end() {
	if m.c != nil {
		_, _ = m.c.CaptureMode(m.before)
	}
}

// LaunchStats tells how launches are made.
type LaunchStats struct {
	ByGraph  uint64 // launches of single kernels that went through graphs
	Off      string // why none do, where somebody asks; empty if it is left to the verdicts
	Verdicts []launchgraph.Verdict
}

func (r *Runtime) launchStats() (s LaunchStats) {
	if r.cfg.FastPath != nil {
		s.ByGraph = r.cfg.FastPath.GraphLaunches()
	}
	if k := r.core.Load(); k != nil && (r.cfg.Graphs != GraphDefault || r.cfg.GraphsOff != "") {
		s.Off = r.launchesByGraph(k)
	}
	s.Verdicts = r.gate.Verdicts()
	return s
}

func (s *LaunchStats) write(w io.Writer) {
	for _, v := range s.Verdicts {
		fmt.Fprintln(w, v)
	}
	if s.ByGraph > 0 {
		fmt.Fprintf(w, "launches through kept graphs: %d\n", s.ByGraph)
	}
	if s.Off != "" {
		fmt.Fprintf(w, "launches through kept graphs: none: %s\n", s.Off)
	}
}
