package emu

import (
	"runtime"
	"time"
)

// worker runs workgroups of one dispatch on one goroutine.
type worker struct {
	d        *Dispatch
	done     uint64   // instructions since the worker began
	resident []*group // beyond the first: workgroups that take turns
	idle     int      // turns in a row in which nothing but sleeping happened
	since    int      // instructions since the Go scheduler was called
}

// work starts and runs workgroups until the grid has no more.
func (w *worker) work() error {
	d := w.d
	for !d.stop.Load() {
		n := d.next.Add(1) - 1
		if n >= d.groups {
			return nil
		}
		g, err := d.machine.start(d, n)
		if err != nil {
			return w.giveUp(err)
		}
		if w.turn(g, firstTurn) {
			d.machine.finish(g)
		} else if err := w.interleave(g); err != nil {
			return w.giveUp(err)
		}
		w.share()
	}
	return nil
}

func (w *worker) giveUp(err error) error {
	w.d.stop.Store(true)
	return err
}

// interleave keeps running g and, in turns with it, workgroups started after
// it, until none is resident. Workgroups may be waiting for each other.
func (w *worker) interleave(g *group) error {
	d := w.d
	w.resident = append(w.resident[:0], g)
	defer func() {
		for _, g := range w.resident {
			d.machine.finish(g)
		}
		w.resident = w.resident[:0]
	}()
	for len(w.resident) > 0 && !d.stop.Load() {
		if len(w.resident) < d.most && d.next.Load() < d.groups {
			if n := d.next.Add(1) - 1; n < d.groups {
				g, err := d.machine.start(d, n)
				if err != nil {
					return err
				}
				w.resident = append(w.resident, g)
			}
		}
		kept := w.resident[:0]
		asleep := true
		for _, g := range w.resident {
			if w.turn(g, groupTurn) {
				d.machine.finish(g)
				asleep = false
				continue
			}
			asleep = asleep && g.asleep
			kept = append(kept, g)
		}
		w.resident = kept
		w.rest(asleep)
	}
	return nil
}

// rest lets others have the core when all that is resident here only waits.
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

// turn runs g for about budget instructions. It reports whether g is over.
func (w *worker) turn(g *group, budget int) (over bool) {
	for budget > 0 {
		used, over := g.round()
		w.done += uint64(used)
		budget -= max(used, 1)
		if over || w.d.stop.Load() {
			return true
		}
		if w.since += used; w.since >= waveTurn || g.asleep {
			w.since = 0
			w.share()
			runtime.Gosched()
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

// share asks for another worker once the dispatch has proved worth one.
func (w *worker) share() {
	if w.done > soloWork {
		w.d.callHelp()
	}
}
