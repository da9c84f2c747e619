package emu

import (
	"runtime"
	"time"
)

// worker runs workgroups of one dispatch on one goroutine.
type worker struct {
	d     *Dispatch
	done  uint64 // number of instructions since the worker began
	idle  int    // passes in a row in which all resident workgroups slept
	since int    // instructions since the last pause; a workgroup's start counts as startWork
	spare *group // storage of the latest workgroup that ended; nil: none. The machine's needs a lock
}

// work starts and runs workgroups until the grid has no more.
func (w *worker) work() error {
	d := w.d
	defer func() {
		d.machine.executed.Add(w.done)
		if w.spare != nil {
			d.machine.keep(w.spare)
		}
	}()
	for !d.stop.Load() {
		g, err := w.startNext()
		if err != nil {
			d.stop.Store(true)
			return err
		}
		if g == nil {
			return nil
		}
		if w.turn(g, d.order.turn(firstTurn)) {
			d.stood(g)
			w.finish(g)
		} else if err := w.interleave(g); err != nil {
			return err
		}
		w.share()
	}
	return nil
}

// interleave runs g and, alternately, workgroups that were started after it, until none is resident. Workgroups may
// wait for each other: each turn that does not end its workgroup lets another one start.
func (w *worker) interleave(g *group) (failure error) {
	d := w.d
	now, next := []*group{g}, []*group(nil)
	for len(now) > 0 {
		asleep := true
		next = next[:0]
		for i, g := range now {
			if d.stop.Load() || w.turn(g, d.order.turn(groupTurn)) {
				d.stood(g)
				w.finish(g)
				asleep = false
				continue
			}
			asleep = asleep && g.asleep
			next = append(next, g)
			if len(next)+len(now)-i-1 >= d.most {
				continue
			}
			another, err := w.startNext()
			if err != nil {
				failure = err
				d.stop.Store(true)
			}
			if another != nil {
				next = append(next, another)
				asleep = false
			}
		}
		now, next = next, now
		w.rest(asleep)
	}
	return failure
}

// startNext starts the next workgroup of the grid, if there is one.
func (w *worker) startNext() (*group, error) {
	d := w.d
	if d.next.Load() >= d.groups {
		return nil, nil
	}
	n := d.next.Add(1) - 1
	if n >= d.groups {
		return nil, nil
	}
	w.since += startWork
	d.order.between()
	g := w.spare
	if w.spare = nil; g == nil {
		g = d.machine.takeStorage()
	}
	return d.machine.start(d, d.order.number(n), g)
}

// finish ends a workgroup and keeps its storage for the next one.
func (w *worker) finish(g *group) {
	g.finish()
	if w.spare == nil {
		w.spare = g
	} else {
		w.d.machine.keep(g)
	}
}

// rest lets other goroutines have the core if all that is resident here waits.
func (w *worker) rest(asleep bool) {
	if !asleep {
		w.idle = 0
		return
	}
	w.idle++
	runtime.Gosched()
	if w.idle > 64 {
		time.Sleep(20 * time.Microsecond)
	}
}

// turn runs g for about budget instructions. It reports whether g has ended.
func (w *worker) turn(g *group, budget int) (over bool) {
	for budget > 0 {
		mode := swapFloatEnv(nearestAllDenormals)
		used, over := g.rounds(min(budget, waveTurn-w.since))
		swapFloatEnv(mode)
		w.done += uint64(used)
		w.d.serve()
		budget -= max(used, 1)
		if w.since += used; w.since >= waveTurn || g.asleep {
			w.pause()
		}
		if over || w.d.stop.Load() {
			return true
		}
		if g.asleep {
			g.naps++
			if g.naps > 16 {
				g.naps = 0
				return false
			}
			continue
		}
		g.naps = 0
	}
	return false
}

// pause checks the dispatch's clock and lets other goroutines run.
func (w *worker) pause() {
	w.since = 0
	w.share()
	w.d.checkClock()
	runtime.Gosched()
}

// share asks for another worker once the dispatch has executed enough instructions.
func (w *worker) share() {
	if w.done > soloWork {
		w.d.callHelp()
	}
}
