package mgpu

import (
	"fmt"
	"math"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// recorder is a recording of one thread. Others touch it only to end it.
type recorder struct {
	of *keyed
	id uintptr

	mu     sync.Mutex
	over   bool // it has ended, or has not begun
	r      *Runtime
	f      frame
	device int
	rec    *launchgraph.Recording
	joins  []join
	last   uintptr // the stream that was used last
	staged int     // bytes of host memory taken along
	kernel kernelFacts
	burst  *burst // nil: it is a thread's
}

// kernelFacts is what is known of the function that was launched last.
type kernelFacts struct {
	function uintptr
	of       *kernel
	*facts
}

func (rec *recorder) begin(r *Runtime, f *frame, device int, into *launchgraph.Recording) {
	rec.r, rec.f, rec.device, rec.rec = r, *f, device, into
	rec.joins, rec.last, rec.staged = rec.joins[:0], 0, 0
	rec.kernel = kernelFacts{}
	rec.over = false
}

// join is a stream whose work from before the recording the graph follows.
type join struct {
	stream driver.Stream
	event  driver.Event
}

// The methods below record a call. false: the recording is over, what was recorded has
// been executed, and the call is to be made as any other.

// with runs record unless the recording is over. What it returns is why the call can't
// be recorded, empty if it was.
func (r *Runtime) with(id uintptr, record func(*recorder) string) bool {
	rec := r.recorder(id)
	if rec == nil {
		return false
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.over {
		return false
	}
	if rec.burst != nil {
		return rec.burst.with(record)
	}
	if why := record(rec); why != "" {
		rec.end(why)
		return false
	}
	return true
}

// RecordEnd ends a recording because of a call that can't be recorded.
func (r *Runtime) RecordEnd(id uintptr, call string) {
	r.with(id, func(*recorder) string { return call + " can't be recorded" })
}

// RecordLaunch records a launch.
func (r *Runtime) RecordLaunch(id uintptr, l *Launch) bool {
	return r.with(id, func(rec *recorder) string {
		f := rec.at(launchKernel)
		if ok, why := rec.stream(f, l.Stream); !ok {
			return why
		}
		grid, okGrid := dim3(l.Grid)
		block, okBlock := dim3(l.Block)
		if !okGrid || !okBlock || l.Shared < 0 {
			f.failed(f.invalidLaunch(l))
			return ""
		}
		if !f.admits(driver.Function(l.Function)) {
			return ""
		}
		if l.Extra != 0 {
			return "a launch with packed arguments can't be recorded"
		}
		if rec.kernel.facts == nil || rec.kernel.function != l.Function || rec.kernel.of != r.kernelOf(l.Function) {
			rec.kernel = kernelFacts{l.Function, r.kernelOf(l.Function), f.factsOf(l.Function)}
		}
		params, err := rec.kernel.params, rec.kernel.err
		switch {
		case rec.kernel.why != "":
			return rec.kernel.why
		case err != nil:
			return fmt.Sprintf("the parameters of kernel %s are not known: %v", r.kernelName(l.Function), err)
		case len(params) > 0 && l.Params == 0:
			return fmt.Sprintf("kernel %s has parameters and got none", r.kernelName(l.Function))
		}
		s := driver.Stream(l.Stream)
		values := rec.rec.Launch(s, driver.Function(l.Function), driver.Launch{Grid: grid, Block: block, SharedBytes: uint32(l.Shared)}, params)
		if err := f.k.readParams(values, l.Params, params); err != nil {
			rec.rec.Unlaunch(s)
			return fmt.Sprintf("parameters of kernel %s: %v", r.kernelName(l.Function), err)
		}
		return ""
	})
}

// readParams copies parameters. Where launches are made by drivers of vendors, which
// read them just so, they are read without asking whether they are there.
func (k *core) readParams(values []byte, params uintptr, sizes []driver.Param) error {
	if _, direct := k.drv.(driver.Direct); direct {
		launchgraph.Read(values, params, sizes)
		return nil
	}
	for i, p := range sizes {
		at, err := hostmem.ReadUint64(params + uintptr(8*i))
		if err == nil {
			err = hostmem.Read(values[:p.Size], uintptr(at))
		}
		if err != nil {
			return err
		}
		values = values[p.Size:]
	}
	return nil
}

// RecordMemcpy records a copy.
func (r *Runtime) RecordMemcpy(id, dst, src uintptr, bytes uint64, stream uintptr) bool {
	return r.with(id, func(rec *recorder) string {
		f := rec.at(memcpy)
		if bytes == 0 {
			return ""
		}
		if ok, why := rec.stream(f, stream); !ok {
			return why
		}
		to, from, why := f.places(dst, src)
		switch {
		case why != "":
			return why
		case to != driver.DeviceOnly:
			return "a copy to host memory can't be recorded"
		case from == driver.Pageable:
			if src, why = rec.stage(f, src, bytes); why != "" {
				return why
			}
		}
		rec.rec.Copy(driver.Stream(stream), driver.Copy{Dst: driver.Ptr(dst), Src: driver.Ptr(src), Bytes: bytes})
		return ""
	})
}

func (f *frame) places(dst, src uintptr) (to, from driver.Place, why string) {
	p, ok := f.k.drv.(driver.Placer)
	if !ok {
		return 0, 0, fmt.Sprintf("the %s driver does not tell what lies at an address", f.k.drv.Name())
	}
	to, err := p.PlaceOf(driver.Ptr(dst))
	if err == nil {
		from, err = p.PlaceOf(driver.Ptr(src))
	}
	if err != nil {
		return 0, 0, err.Error()
	}
	return to, from, ""
}

// RecordMemset records a fill of elements of size bytes.
func (r *Runtime) RecordMemset(id, dst uintptr, value, size uint32, count uint64, stream uintptr) bool {
	return r.with(id, func(rec *recorder) string {
		f := rec.at(memset32)
		if count == 0 {
			return ""
		}
		if ok, why := rec.stream(f, stream); !ok {
			return why
		}
		to, _, why := f.places(dst, dst)
		switch {
		case why != "":
			return why
		case to == driver.Pageable:
			return "a fill of host memory can't be recorded"
		case count > math.MaxInt64/4:
			return "a fill of more than memory has"
		}
		rec.rec.Fill(driver.Stream(stream), driver.Fill{Dst: driver.Ptr(dst), Value: value, Size: size, Count: count})
		return ""
	})
}

// RecordStreamCreated notes a stream that was made while recording: no work from
// before is pending on it.
func (r *Runtime) RecordStreamCreated(id, stream uintptr) {
	r.with(id, func(rec *recorder) string {
		rec.rec.Note(driver.Stream(stream))
		if rec.burst != nil {
			rec.burst.created = stream
		}
		return ""
	})
}

// RecordSynchronize records a wait for a stream. Before anything was recorded it is
// made: then neither is true.
func (r *Runtime) RecordSynchronize(id, stream uintptr) (recorded, over bool) {
	still := r.with(id, func(rec *recorder) string {
		if rec.rec.Len() == 0 {
			if rec.burst != nil {
				rec.burst.pay()
			}
			return ""
		}
		f := rec.at(streamSynchronize)
		ok, why := rec.stream(f, stream)
		if ok {
			rec.rec.Synchronize(driver.Stream(stream))
			if rec.burst != nil && !rec.burst.check && rec.burst.created == stream {
				// Nothing was ever put into it: it goes back to the pool as idle as it came.
				e := f.k.pool.Find(stream)
				e.Synchronized(e.Submissions())
			}
		}
		recorded = why == "" && (rec.burst == nil || !rec.burst.check)
		return why
	})
	return recorded && still, !still
}

// RecordEventRecord records that an event is recorded.
func (r *Runtime) RecordEventRecord(id, event, stream uintptr) bool {
	return r.with(id, func(rec *recorder) string {
		f := rec.at(eventRecord)
		e, ok := f.find(event)
		if !ok {
			return ""
		}
		if e == nil || e.Kind() != streampool.Event {
			return "an event that the library did not make can't be recorded"
		}
		if ok, why := rec.stream(f, stream); !ok {
			return why
		}
		rec.rec.Record(driver.Event(event), driver.Stream(stream))
		return ""
	})
}

// RecordStreamWait records that a stream waits for an event, or a stream in its place.
func (r *Runtime) RecordStreamWait(id, stream, event uintptr) bool {
	return r.with(id, func(rec *recorder) string {
		f := rec.at(streamWaitEvent)
		if ok, why := rec.stream(f, stream); !ok {
			return why
		}
		e, ok := f.find(event)
		switch {
		case !ok:
			return ""
		case e != nil && e.Kind() == streampool.Stream:
			if ok, why := rec.stream(f, event); !ok {
				return why
			}
			rec.rec.WaitFor(driver.Stream(stream), driver.Stream(event))
			return ""
		case rec.rec.Wait(driver.Stream(stream), driver.Event(event)):
			return ""
		}
		return "a wait for an event from before can't be recorded"
	})
}

// RecordEventSynchronize records a wait for an event, or a stream in its place. An
// event from before is waited for.
func (r *Runtime) RecordEventSynchronize(id, event uintptr) (recorded, over bool) {
	recorded = true
	still := r.with(id, func(rec *recorder) string {
		f := rec.at(eventSynchronize)
		e, ok := f.find(event)
		switch {
		case !ok:
			return ""
		case e != nil && e.Kind() == streampool.Stream:
			ok, why := rec.stream(f, event)
			if ok {
				rec.rec.Synchronize(driver.Stream(event))
			}
			return why
		case rec.burst != nil:
			recorded = false
			return "a wait for an event"
		}
		recorded = rec.rec.SynchronizeEvent(driver.Event(event))
		return ""
	})
	return recorded && still, !still
}

// RecordEventDestroyed notes that an event is about to be destroyed.
func (r *Runtime) RecordEventDestroyed(id, event uintptr) {
	r.with(id, func(rec *recorder) string {
		rec.rec.Forget(driver.Event(event))
		return ""
	})
}

// at is the frame for a call's row.
func (rec *recorder) at(row int) *frame {
	if rec.f.row != row {
		rec.f = frame{meter: &rec.f.k.views[row], k: rec.f.k, r: rec.r, c: rec.r.stats.cell(row)}
	}
	return &rec.f
}

// stream makes a stream part of the recording. ok is false where the call is over: a
// misuse that was reported, or why it can't be recorded.
func (rec *recorder) stream(f *frame, stream uintptr) (ok bool, why string) {
	if stream == rec.last {
		if e := f.k.pool.Find(stream); e != nil && !e.Stale() {
			return true, ""
		}
	}
	if stream == 0 {
		return false, "work on the default stream can't be recorded"
	}
	e, ok := f.findStream(stream)
	switch {
	case !ok:
		return false, ""
	case e == nil:
		return false, "work on a stream that the library did not make can't be recorded"
	case e.Device() != rec.device:
		return false, "work on another device can't be recorded"
	}
	s := driver.Stream(stream)
	rec.last = stream
	if rec.rec.Knows(s) {
		return true, ""
	}
	if e.Pending() {
		if why := rec.join(f, s); why != "" {
			return false, why
		}
	}
	rec.rec.Note(s)
	return true, ""
}

// join sees to it that the graph follows what is pending on a stream.
func (rec *recorder) join(f *frame, s driver.Stream) string {
	ev, _, err := f.k.pool.GetEvent(f.meter, rec.device)
	if err == nil {
		f.tag(f.k.pool.Find(uintptr(s)))
		err = f.EventRecord(ev, s)
		f.k.pool.Find(uintptr(ev)).Submitted()
		rec.joins = append(rec.joins, join{s, ev})
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// end executes what was recorded, call by call. rec.mu is held.
func (rec *recorder) end(why string) {
	rec.over = true
	rec.r.tellOnce(rec.of.key, why)
	f := rec.at(launchKernel)
	if rec.rec.Len() > 0 {
		if on, ok := rec.follow(f); ok {
			rec.rec.Submit(f.meter, on, func(fn driver.Function, err error) { f.failed(rec.r.ofKernel(err, uintptr(fn))) })
			f.k.pool.Find(uintptr(on)).Submitted()
			rec.settle(f, on)
			if rec.rec.Waited() {
				f.waitHere(on)
			}
			rec.of.mu.Lock()
			rec.of.staging.launched(f, on, false)
			rec.of.mu.Unlock()
		}
	}
	rec.finish(rec.rec)
}

// waitHere waits for a stream, in Go.
func (f *frame) waitHere(s driver.Stream) {
	e := f.k.pool.Find(uintptr(s))
	covered := e.Submissions()
	if f.failed(f.r.ofGraph(f.meter.StreamSynchronize(s), uintptr(s))) {
		f.drop(e)
		return
	}
	e.Synchronized(covered)
	f.deliver()
}

// follow chooses the stream that everything goes to, and makes it follow what was
// pending before.
func (rec *recorder) follow(f *frame) (on driver.Stream, ok bool) {
	if e := f.k.pool.Find(rec.last); rec.burst == nil && e != nil && !e.Stale() && e.Kind() == streampool.Stream {
		on = driver.Stream(rec.last)
	} else if on, ok = rec.ownStream(f); !ok {
		return 0, false
	}
	for _, j := range rec.joins {
		if j.stream != on {
			f.failed(f.StreamWaitEvent(on, j.event))
			f.k.pool.Find(uintptr(j.event)).Submitted()
			f.k.pool.Find(uintptr(on)).Submitted()
		}
	}
	return on, true
}

// ownStream is a stream of the recording's own.
func (rec *recorder) ownStream(f *frame) (on driver.Stream, ok bool) {
	if rec.of.stream == 0 {
		s, _, err := f.k.pool.Get(f.meter, rec.device)
		if f.failed(err) {
			return 0, false
		}
		rec.of.stream = s
	}
	return rec.of.stream, true
}

// settle lets the program's streams and events know what was submitted to on.
func (rec *recorder) settle(f *frame, on driver.Stream) {
	var done driver.Event
	rec.rec.Streams(func(s driver.Stream) {
		e := f.k.pool.Find(uintptr(s))
		if s == on || e == nil || e.Stale() {
			return
		}
		if done == 0 {
			ev, _, err := f.k.pool.GetEvent(f.meter, rec.device)
			if f.failed(err) {
				return
			}
			f.failed(f.EventRecord(ev, on))
			done = ev
		}
		f.failed(f.StreamWaitEvent(s, done))
		e.Submitted()
	})
	if done != 0 {
		f.k.pool.Find(uintptr(done)).Submitted()
		_, err := f.k.pool.PutEvent(f.meter, done)
		f.failed(err)
	}
	rec.rec.Events(func(ev driver.Event) {
		if e := f.k.pool.Find(uintptr(ev)); e != nil && !e.Stale() {
			f.failed(f.EventRecord(ev, on))
			e.Submitted()
		}
	})
}

// finish gives back what the recording used, and a recording that can be used again.
func (rec *recorder) finish(spare *launchgraph.Recording) {
	f := rec.at(launchKernel)
	for _, j := range rec.joins {
		_, err := f.k.pool.PutEvent(f.meter, j.event)
		f.failed(err)
	}
	rec.joins = rec.joins[:0]
	if spare != nil {
		rec.of.mu.Lock()
		rec.of.spare = spare
		rec.of.mu.Unlock()
	}
	rec.rec = nil
}

// finishEmpty ends a recording of no work. Events may have been recorded.
func (rec *recorder) finishEmpty() {
	rec.over = true
	f := rec.at(launchKernel)
	if on, ok := rec.follow(f); ok {
		rec.settle(f, on)
	}
	rec.finish(rec.rec)
}

// launch makes a graph of the recording, or changes the one that there is, and
// launches it. rec.mu is held.
func (rec *recorder) launch() (launched bool, w Wait) {
	f := rec.at(launchKernel)
	k := rec.of
	k.mu.Lock()
	restore := f.relax()
	g := meteredGraphs{f.meter, f.k.graphs}
	t := f.k.graphs.GraphTraits()
	idle := k.staging.idle(f)
	if k.gone != "" {
		_ = k.graph.Destroy(g, t, idle)
		k.gone = ""
	}
	unused, _, err := k.graph.Become(g, t, rec.rec, idle)
	restore()
	if err != nil {
		k.mu.Unlock()
		rec.end("the driver made no graph: " + err.Error())
		return false, Wait{}
	}
	k.device = rec.device
	on, ok := rec.follow(f)
	if ok {
		launched = k.launchOn(f, on)
	}
	k.mu.Unlock()
	rec.over = true
	if launched {
		rec.settle(f, on)
		if rec.rec.Waited() {
			w = rec.r.frameOf(f.k, streamSynchronize).synchronizeStream(uintptr(on), f.k.pool.Find(uintptr(on)))
		}
	}
	rec.finish(unused)
	return launched, w
}

// moduleGone ends the recording if it has a kernel of the module.
func (rec *recorder) moduleGone(m driver.Module) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.burst != nil {
		rec.burst.moduleGone(m)
		return
	}
	uses := ""
	if !rec.over {
		rec.rec.Functions(func(fn driver.Function) {
			if known := rec.r.kernelOf(uintptr(fn)); known != nil && known.module == m {
				uses = known.name
			}
		})
	}
	if uses != "" {
		rec.end("its kernel " + uses + " is unloaded")
	}
}
