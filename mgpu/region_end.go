package mgpu

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// end executes what was recorded, call by call. rec.mu is held.
func (rec *recorder) end(why string) {
	if rec.notes {
		rec.endNotes(false)
		return
	}
	rec.over = true
	rec.r.tellOnce(rec.of.key, why)
	f := rec.at(launchKernel)
	rec.depart()
	if rec.rec.Len() > 0 {
		if on, ok := rec.follow(f); ok {
			rec.of.mu.Lock()
			rec.of.behind(f, on)
			rec.of.mu.Unlock()
			rec.submit(f, on)
			rec.settle(f, on)
			if rec.rec.Waited() {
				f.waitHere(on)
			}
			rec.of.mu.Lock()
			rec.of.staging.launched(f, on, false)
			rec.of.mu.Unlock()
		}
	} else {
		rec.order()
	}
	rec.finish(rec.rec)
}

// submit executes what was not launched yet, call by call.
func (rec *recorder) submit(f *frame, on driver.Stream) {
	f.submitAll(rec.rec, on, rec.launched)
}

// submitAll executes what was recorded, from a node on, call by call.
func (f *frame) submitAll(rec *launchgraph.Recording, on driver.Stream, from int) {
	_ = submit(f.entryOf(on), nil, func() error {
		rec.Submit(f.meter, on, from, func(fn driver.Function, err error) { f.failed(f.r.ofKernel(err, uintptr(fn))) })
		return nil
	})
}

// waitHere waits for a stream, in Go.
func (f *frame) waitHere(s driver.Stream) {
	e := f.k.pool.Find(uintptr(s))
	covered := e.Submissions()
	if !f.failed(f.r.ofGraph(f.meter.StreamSynchronize(s), uintptr(s))) {
		e.Synchronized(covered)
	}
}

// follow chooses the stream that everything goes to, and makes it follow what was
// pending before.
func (rec *recorder) follow(f *frame) (on driver.Stream, ok bool) {
	if on = rec.on; on != 0 {
	} else if e := f.k.pool.Find(rec.last); e != nil && !e.Stale() && e.Kind() == streampool.Stream && e.Device() == rec.device {
		on = driver.Stream(rec.last)
	} else if on, ok = rec.ownStream(f); !ok {
		return 0, false
	}
	for _, j := range rec.joins[rec.followed:] {
		if j.stream != on && !j.awaited {
			f.failed(f.waitForEvent(on, f.entryOf(on), j.event, f.k.pool.Find(uintptr(j.event))))
		}
	}
	rec.followed = len(rec.joins)
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
			f.failed(f.recordOwn(ev, on))
			done = ev
		}
		f.failed(f.waitForEvent(s, e, done, f.k.pool.Find(uintptr(done))))
	})
	if done != 0 {
		_, err := f.k.pool.PutEvent(f.meter, done)
		f.failed(err)
	}
	rec.rec.Events(func(ev driver.Event) {
		if e := f.k.pool.Find(uintptr(ev)); e != nil && !e.Stale() {
			f.failed(f.recordOwn(ev, on))
		}
	})
}

// finish gives back what the recording used, and a recording that can be used again.
func (rec *recorder) finish(spare *launchgraph.Recording) {
	f := rec.at(launchKernel)
	rec.waitAsFreesDo(f)
	if !rec.waiting {
		rec.dropJoins(f)
	}
	rec.of.mu.Lock()
	rec.keep(f, false)
	if spare != nil {
		rec.of.spare = spare
	}
	rec.of.mu.Unlock()
	rec.rec = nil
}

// finishEmpty ends a recording of no work. Events may have been recorded.
func (rec *recorder) finishEmpty() {
	rec.over = true
	rec.order()
	rec.finish(rec.rec)
}

// order makes the order that was recorded between streams and events, where there is no
// work yet: they follow what was pending before.
func (rec *recorder) order() {
	if !rec.rec.Orders() {
		return
	}
	rec.depart()
	f := rec.at(launchKernel)
	if on, ok := rec.follow(f); ok {
		rec.settle(f, on)
	}
}

// launch makes a graph of the recording, or changes the one that there is, and
// launches it. rec.mu is held.
func (rec *recorder) launch() (launched bool, w Wait) {
	if rec.captured() {
		rec.end(isCaptured)
		return false, Wait{}
	}
	f := rec.at(launchKernel)
	k := rec.of
	k.mu.Lock()
	unused, err := rec.become(f)
	if err != nil {
		k.mu.Unlock()
		rec.end("the driver made no graph: " + err.Error())
		return false, Wait{}
	}
	k.device, k.copies, k.retaken = rec.device, rec.staged > 0, false
	on, ok := rec.follow(f)
	if ok {
		var begun bool
		if launched, begun = k.launchOn(f, on, rec.launched); !begun {
			rec.submit(f, on)
		}
		launched = launched || rec.launched > 0
	}
	rec.keep(f, true)
	k.mu.Unlock()
	rec.over = true
	if launched {
		rec.settle(f, on)
		if rec.rec.Waited() {
			wait := rec.r.frameOf(f.k, streamSynchronize)
			w = wait.synchronizeStream(uintptr(on), f.k.pool.Find(uintptr(on)))
		}
	}
	rec.finish(unused)
	return launched, w
}

// become makes the key's graph do what was recorded, and gives a recording that is not
// used any more. rec.of.mu is held.
func (rec *recorder) become(f *frame) (unused *launchgraph.Recording, err error) {
	k, g, t := rec.of, f.k.graphCalls, f.k.graphs.GraphTraits()
	idle := k.staging.idle(f)
	if rec.rec.Complete() {
		if rec.prepare(f, t) == nil {
			unused = rec.rec
			k.graph.Repeated(unused)
			rec.rec = k.graph.Recording()
			return unused, nil
		}
	}
	rec.depart()
	restore := f.relax()
	defer restore()
	if k.gone != "" {
		_ = k.graph.Destroy(g, t, idle)
		k.gone = ""
	}
	unused, _, err = k.graph.Become(g, t, rec.rec, idle)
	return unused, err
}

// moduleGone ends the recording if it has a kernel of the module.
func (rec *recorder) moduleGone(m driver.Module) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	uses := ""
	if !rec.over {
		rec.depart()
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
