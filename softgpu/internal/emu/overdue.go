package emu

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Overdue is the error of a dispatch that was ended at its time limit.
type Overdue struct {
	Kernel                 string
	After                  time.Duration
	Ended, Running, Groups uint64  // numbers of workgroups: ended, resident, in the grid
	Waves                  []Stand // by workgroup and number, at most mostStands
	More                   int     // number of waves that are not in Waves
}

// Stand is the position of a wave.
type Stand struct {
	Group       [3]uint32
	Wave        int
	Function    string // empty if it is in none
	Offset      uint32 // of the next instruction in Function, else in the text, in bytes
	Instruction string // in assembly; empty if there is no instruction
	Barrier     bool   // the wave waited for the others of its workgroup

	number uint64 // of the workgroup
}

// mostStands bounds the positions in a report.
const mostStands = 32

// Error returns the summary. Lines are the rest.
func (o *Overdue) Error() string {
	return fmt.Sprintf("kernel %s did not end within %v: of %d workgroups %d were over, %d ran and %d had not begun",
		o.Kernel, o.After, o.Groups, o.Ended, o.Running, o.Groups-o.Ended-o.Running)
}

// Lines returns the position of each wave.
func (o *Overdue) Lines() []string {
	var lines []string
	for _, s := range o.Waves {
		where, what := s.Function, "`"+s.Instruction+"`"
		if where == "" {
			where = "text"
		}
		if s.Instruction == "" {
			what = "no instruction"
		}
		if s.Barrier {
			what += ", waiting at a barrier"
		}
		lines = append(lines, fmt.Sprintf("  workgroup (%d,%d,%d) wave %d at %s+%#x: %s",
			s.Group[0], s.Group[1], s.Group[2], s.Wave, where, s.Offset, what))
	}
	if o.More > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more waves", o.More))
	}
	return lines
}

// clock ends a dispatch at its time limit.
type clock struct {
	end     time.Time // zero: never
	expired atomic.Bool

	mu      sync.Mutex
	running uint64
	stands  []Stand
}

func (d *Dispatch) startClock() {
	d.clock.end = time.Time{}
	if d.Timeout > 0 {
		d.clock.end = time.Now().Add(d.Timeout)
	}
	d.clock.expired.Store(false)
	d.clock.running, d.clock.stands = 0, nil
}

// checkClock is called between turns.
func (d *Dispatch) checkClock() {
	if !d.clock.end.IsZero() && !d.stop.Load() && time.Now().After(d.clock.end) {
		d.clock.expired.Store(true)
		d.stop.Store(true)
	}
}

// stood notes the positions of the waves of g, which will not run any more.
func (d *Dispatch) stood(g *group) {
	if !d.clock.expired.Load() || g.barrier.Members == 0 {
		return
	}
	prog := d.Kernel.program
	d.clock.mu.Lock()
	defer d.clock.mu.Unlock()
	d.clock.running++
	number := uint64(g.id[0]) + uint64(d.Grid[0])*(uint64(g.id[1])+uint64(d.Grid[1])*uint64(g.id[2]))
	for i := range g.waves {
		w := &g.waves[i]
		if w.Status == wave.Ended {
			continue
		}
		s := Stand{Group: g.id, Wave: i, Instruction: prog.text(w.PC), Barrier: w.Status == wave.AtBarrier, number: number}
		s.Function, s.Offset = prog.place(w.PC)
		d.clock.stands = append(d.clock.stands, s)
	}
}

// overdue returns the error; nil if the time limit was not reached.
func (d *Dispatch) overdue() *Overdue {
	if !d.clock.expired.Load() {
		return nil
	}
	started := min(d.next.Load(), d.groups)
	o := &Overdue{Kernel: d.Kernel.Name, After: d.Timeout, Groups: d.groups, Running: d.clock.running, Waves: d.clock.stands}
	o.Ended = started - o.Running
	slices.SortFunc(o.Waves, func(a, b Stand) int { return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.Wave, b.Wave)) })
	if extra := len(o.Waves) - mostStands; extra > 0 {
		o.Waves, o.More = o.Waves[:mostStands], extra
	}
	return o
}
