package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// A burst is what all threads submit until somebody looks at results: one recording
// under one lock, since threads may order their calls among themselves in ways that
// the library does not see. Waits of the host for streams are recorded and not made;
// that is the program's promise (docs/graphs.md). A burst ends at a call that needs
// what was submitted, or can't be recorded, and when it is long enough. All bursts go
// to one stream, so each follows the one before.
type burst struct {
	recorder
	base   keyed // its staging and stream
	check  bool
	known  map[uint64]*sequence
	tick   uint64
	owed   bool // a wait of the host was put off beyond the flush
	before []contents

	flushes, graphs, differences uint64
}

// sequence is a burst that was seen, by its shape.
type sequence struct {
	keyed
	used uint64
	bad  bool // the driver makes no graph of it
}

const (
	mostInBurst   = 512 // nodes
	mostSequences = 32
)

// startBursts puts off what is submitted from now on, if that is asked for.
func (r *Runtime) startBursts(k *core) {
	check := r.cfg.Graphs == GraphCheck
	if r.cfg.RecordAll == nil || r.cfg.Graphs != GraphBurst && !check {
		return
	}
	f := r.frameOf(k, launchKernel)
	why := f.unrecordable()
	switch {
	case why != "":
	case r.cfg.GraphsOff != "":
		why = r.cfg.GraphsOff
	case k.devices != 1:
		why = fmt.Sprintf("there are %d devices", k.devices)
	case check && k.memory == nil:
		why = "nothing is known of allocations"
	}
	if why != "" {
		r.say(fmt.Sprintf("mgpu: MGPU_GRAPH=%s is off: %s", r.cfg.Graphs, why))
		return
	}
	b := &burst{check: check, known: map[uint64]*sequence{}}
	b.of, b.burst = &b.base, b
	b.begin(r, &f, 0, new(launchgraph.Recording))
	g := &r.graphs
	g.mu.Lock()
	g.next++
	b.id = g.next
	g.burst = b
	g.mu.Unlock()
	g.recorders.Store(b.id, &b.recorder)
	r.cfg.RecordAll(b.id)
}

// with records a call; the lock is held. false: it is to be made.
func (b *burst) with(record func(*recorder) string) bool {
	empty := b.rec.Len() == 0
	why := record(&b.recorder)
	if b.check && empty && b.rec.Len() > 0 {
		b.before = b.read(b.before)
	}
	switch {
	case why != "":
		b.flush()
		b.pay()
		return false
	case b.check: // made now, and once more when the burst ends
		if b.rec.Len() >= mostInBurst {
			b.flush()
		}
		return false
	case b.rec.Len() >= mostInBurst:
		b.flush()
	}
	return true
}

// Flush submits what has been put off.
func (r *Runtime) Flush() {
	r.graphs.mu.Lock()
	b := r.graphs.burst
	r.graphs.mu.Unlock()
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flush()
}

// pay makes the wait that the host was spared.
func (b *burst) pay() {
	if b.owed && b.base.stream != 0 {
		b.owed = false
		b.at(streamSynchronize).waitHere(b.base.stream)
	}
}

// flush submits the burst: as a graph, if one of the same shape was submitted before.
func (b *burst) flush() {
	f := b.at(launchKernel)
	if b.rec.Len() == 0 {
		if !b.check {
			b.order()
		}
		b.reset(nil)
		return
	}
	b.flushes++
	if b.check {
		b.compare(f)
		return
	}
	on, ok := b.follow(f)
	if !ok {
		b.reset(nil)
		return
	}
	done, unused := false, (*launchgraph.Recording)(nil)
	if s := b.sequence(f); s != nil {
		if unused, done = b.byGraph(f, s, on); done {
			b.graphs++
		}
	}
	if !done {
		b.rec.Submit(f.meter, on, 0, func(fn driver.Function, err error) { f.failed(b.r.ofKernel(err, uintptr(fn))) })
		f.submitted(uintptr(on))
		unused = b.rec
	}
	b.base.staging.launched(f, on, false)
	b.owed = b.owed || b.rec.Waited()
	b.settle(f, on)
	b.reset(unused)
}

// sequence is the graph for bursts of this shape, nil if this is the first.
func (b *burst) sequence(f *frame) *sequence {
	shape := b.rec.Shape()
	s := b.known[shape]
	b.tick++
	if s != nil {
		s.used = b.tick
		if s.bad {
			return nil
		}
		return s
	}
	if len(b.known) >= mostSequences {
		oldest := shape
		for at, s := range b.known {
			if oldest == shape || s.used < b.known[oldest].used {
				oldest = at
			}
		}
		b.drop(f, b.known[oldest])
		delete(b.known, oldest)
	}
	b.known[shape] = &sequence{used: b.tick}
	return nil
}

func (b *burst) drop(f *frame, s *sequence) {
	f.failed(s.graph.Destroy(f.k.graphCalls, f.k.graphs.GraphTraits(), s.staging.idle(f)))
	if s.staging.event != 0 {
		_, err := f.k.pool.PutEvent(f.meter, s.staging.event)
		f.failed(err)
		s.staging.event = 0
	}
}

// byGraph launches the burst as a graph.
func (b *burst) byGraph(f *frame, s *sequence, on driver.Stream) (unused *launchgraph.Recording, done bool) {
	t := f.k.graphs.GraphTraits()
	restore := f.relax()
	unused, _, err := s.graph.Become(f.k.graphCalls, t, b.rec, s.staging.idle(f))
	restore()
	if err != nil {
		s.bad = true
		b.r.tellOnce(b.rec.Shape(), "the driver made no graph: "+err.Error())
		return unused, false
	}
	_, err = s.graph.Launch(f.k.graphCalls, on, 0)
	f.submitted(uintptr(on))
	if err == nil {
		s.staging.launched(f, on, t.Pinned)
		b.r.graphs.latest.Store(on, &s.keyed)
	}
	return unused, !f.failed(err) || s.graph.Recording() == b.rec
}

// reset begins the next burst. into is a recording that may be used, nil for a new
// one.
func (b *burst) reset(into *launchgraph.Recording) {
	f := b.at(launchKernel)
	for _, j := range b.joins {
		_, err := f.k.pool.PutEvent(f.meter, j.event)
		f.failed(err)
	}
	if into == nil {
		if into = b.rec; into.Len() > 0 {
			into = new(launchgraph.Recording)
		}
	}
	into.Reset()
	b.begin(b.r, f, 0, into)
}

// moduleGone flushes, and drops graphs with kernels of the module.
func (b *burst) moduleGone(m driver.Module) {
	b.flush()
	f := b.at(launchKernel)
	for shape, s := range b.known {
		rec := s.graph.Recording()
		if rec == nil {
			continue
		}
		uses := false
		rec.Functions(func(fn driver.Function) {
			known := b.r.kernelOf(uintptr(fn))
			uses = uses || known != nil && known.module == m
		})
		if uses {
			b.drop(f, s)
			delete(b.known, shape)
		}
	}
}

// BurstStats tells what came of bursts.
type BurstStats struct {
	Flushes     uint64 // bursts that were submitted
	Graphs      uint64 // of them as graphs
	Differences uint64 // of those that were checked
}

func (r *Runtime) burstStats() (s BurstStats) {
	r.graphs.mu.Lock()
	b := r.graphs.burst
	r.graphs.mu.Unlock()
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		s = BurstStats{b.flushes, b.graphs, b.differences}
	}
	return s
}
