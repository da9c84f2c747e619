package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Route is the runs, one or two, that a wave has executed from a program counter to a barrier or its end. Waves after it
// probably execute the same, and RunWaves lets them do so with one call.
type Route struct {
	ops  alu.Route
	runs [2]*Run
}

// NewRoute makes the route of w through the runs first and last, which may be the same. ok is false if w can't execute
// their ops, or if last does not end with a step.
func NewRoute(w *wave.Wave, first, last *Run) (r Route, ok bool) {
	r.ops.Exec, r.ops.PC, r.ops.Budget = placeOfS(wave.ExecLo), placeOfPC, mostRepeated
	for _, run := range [...]*Run{first, last} {
		if !run.suits(w) {
			return r, false
		}
		if run == last && run.last == nil {
			return r, false
		}
		n := r.ops.Count
		r.runs[n] = run
		r.ops.Legs[n] = alu.Leg{Ops: hostAddress(&run.Whole.Ops[0]), From: uintptr(run.Start)}
		if run != last && (run.last != nil || run.End() != last.Start) {
			r.ops.Legs[n].Leave = alu.RunLeft
		}
		r.ops.Count++
		r.ops.End = uintptr(run.End())
		if run == last {
			break
		}
	}
	return r, true
}

// suits reports whether w can execute r's ops, whatever its EXEC.
func (r *Run) suits(w *wave.Wave) bool {
	return w.Mode&(r.need|wave.GPRIndex) == r.need && len(w.V) >= r.vectors
}

// Follow lets waves that are at the beginning of r take it, up to the first that goes another way. done is the number of
// those before it, and used the number of executed instructions. If the other one is inside of a run, that is on, which
// has to resume at op and counts itself.
func (r *Route) Follow(waves []wave.Wave, files []alu.Files) (done, used int, on *Run, op uintptr) {
	done, leg, stopped, repeated := alu.RunWaves(&r.ops, &files[0], len(waves))
	used = repeated
	for n, run := range r.runs[:r.ops.Count] {
		used += done * run.Len()
		if n < leg {
			used += run.Len()
		}
	}
	if done == len(waves) {
		return done, used, nil, 0
	}
	run := r.runs[leg]
	switch stopped {
	case alu.RunLeft: // the op has set PC
		return done, used + run.Len(), nil, 0
	case alu.RunNotBegun:
		waves[done].PC = run.Start
		return done, used, nil, 0
	case alu.RunEnded:
		return done, used, run, hostAddress(&run.Whole.Ops[len(run.Whole.Ops)-1])
	}
	return done, used, run, stopped
}

// Stop executes the step at the end of r.
func (r *Route) Stop(w *wave.Wave) { r.runs[r.ops.Count-1].last(w) }

// Then is the status of waves at the end of r: wave.Ended, wave.AtBarrier after s_barrier, or wave.Running for others.
func (r *Route) Then() wave.Status { return r.runs[r.ops.Count-1].then }
