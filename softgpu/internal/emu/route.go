package emu

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// route is what a wave did from a program counter on to a barrier or its end.
type route struct {
	from   uint32
	serial uint64 // the run of the dispatch; zero: none is known
	text   uint64
	mode   uint32
	ok     bool // it has runs only
	bind.Route
}

// alike reports whether all waves are where the first one is, run and have its MODE.
func (g *group) alike() bool {
	if g.d.order != nil {
		return false
	}
	a := &g.waves[0]
	for i := range g.waves {
		if w := &g.waves[i]; w.Status != wave.Running || w.PC != a.PC || w.Mode != a.Mode || w.TextBase != a.TextBase {
			return false
		}
	}
	return true
}

// route returns the route that a wave has taken from where all waves are; nil: none is known, or they are at different
// places.
func (g *group) route() *route {
	if !g.abreast {
		return nil
	}
	w := &g.waves[0]
	r := g.routes[uint8(w.PC)]
	if r == nil || !r.ok || r.from != w.PC || r.serial != g.d.serial || r.mode != w.Mode || r.text != w.TextBase {
		return nil
	}
	return r
}

// follow is round for waves that are all at the beginning of r.
func (g *group) follow(r *route) (used int, over bool) {
	all := len(g.waves)
	g.asleep = false
	for i := 0; ; i++ {
		done, n, on, op := r.Follow(g.waves[i:], g.files[i:])
		if used += n; done == all && g.barrier.Members == all && g.barrier.Arrived == 0 {
			switch r.Then() {
			case wave.Ended:
				g.barrier.Members = 0
				return used, true
			case wave.AtBarrier: // all have arrived, and pass
				return used, false
			}
		}
		g.abreast = false
		for range done {
			r.Stop(&g.waves[i])
			g.settle(i)
			i++
		}
		if i == all {
			return used, g.barrier.Members == 0
		}
		if g.current = i; on != nil {
			used += g.d.Kernel.program.resume(&g.waves[i], on, op, &g.at)
		}
		if g.waves[i].Status == wave.Running {
			used += g.turn(i)
		}
		if g.settle(i) {
			return used, true
		}
		if i == all-1 {
			return used, g.barrier.Members == 0
		}
	}
}

// forgetRoutes lets go of the code that routes lead through.
func (g *group) forgetRoutes() {
	if !g.learned {
		return
	}
	g.learned = false
	for _, r := range g.routes {
		if r != nil {
			*r = route{}
		}
	}
}

// learn keeps the route that w has just taken, if another wave may take it.
func (g *group) learn(w *wave.Wave, from uint32) {
	if len(g.waves) == 1 && g.d.groups == 1 {
		return
	}
	if w.Status != wave.AtBarrier && w.Status != wave.Ended || g.at.pages == nil || g.at.text != w.TextBase || g.d.order != nil {
		return
	}
	r := g.routes[uint8(from)]
	switch {
	case r == nil:
		r = new(route)
		g.routes[uint8(from)] = r
	case r.from == from && r.serial == g.d.serial:
		return
	}
	g.learned = true
	*r = route{from: from, serial: g.d.serial, text: w.TextBase, mode: w.Mode}
	first, last := g.at.run(from), g.at.run(g.at.last)
	if first != nil && last != nil {
		r.Route, r.ok = bind.NewRoute(w, first, last)
	}
}

// run returns the run that begins at the word pc of c's segment, or nil.
func (c *cursor) run(pc uint32) *bind.Run {
	at := pc - c.base
	if at >= c.words {
		return nil
	}
	if g := c.pages[at>>pageShift].Load(); g != nil {
		return g.runs[pc]
	}
	return nil
}
