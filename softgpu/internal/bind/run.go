package bind

import (
	"slices"
	"sort"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// maskedOps are ops of p that leave lanes alone that EXEC has not: the result goes to a temporary first.
func maskedOps(p *encoding.Part) []alu.Op {
	if !p.Lanes || len(p.Ops) == 0 {
		return p.Ops
	}
	if p.Whole {
		return []alu.Op{{Code: alu.Code(alu.OpDecline)}}
	}
	ops := append([]alu.Op(nil), p.Ops...)
	last := &ops[len(ops)-1]
	exec := placeOfS(wave.ExecLo)
	reg := last.At[0]
	if p.Results > 0 {
		last.File[0], last.At[0] = alu.Rest, placeOfTemp(3)
	}
	op := *last
	for n := range p.Results {
		to, from := reg+uintptr(n)*registerBytes, placeOfTemp(3)+uintptr(n)*registerBytes
		ops = append(ops, alu.Op{Code: alu.Code(alu.OpSelect),
			File: [8]uint8{alu.Vectors, alu.Vectors, alu.Rest, alu.Rest}, At: [6]uintptr{to, to, from, exec}})
	}
	if p.Mask >= 0 {
		to, and := op.At[p.Mask], alu.OpSAnd64
		if p.Single {
			and = alu.OpSAnd32
		}
		ops = append(ops, alu.Op{Code: alu.Code(and), // SCC's place is the temporary's
			File: [8]uint8{alu.Rest, alu.Rest, alu.Rest, 0, alu.Rest}, At: [6]uintptr{to, to, exec, 0, placeOfTemp(3)}})
	}
	return ops
}

// Run is parts that follow each other.
type Run struct {
	Start        uint32 // program counter of the first; branches go round to it
	instructions int

	parts   []*encoding.Part
	next    []uint32 // program counter after each
	done    []int    // instructions up to each, and that one
	Whole   form
	inside  []int                // for each part that is a branch to a later part, the number of that; 0 for others
	masked  atomic.Pointer[form] // made when first needed
	need    uint32
	vectors int
	lanes   bool
	exec    bool          // a part writes EXEC
	then    wave.Status   // after last, if that does nothing else or is s_barrier; wave.Running: unknown
	last    encoding.Step // follows the ops; nil: none
}

// mostRepeated bounds the instructions that a run repeats in one step, since waves take turns between steps.
const mostRepeated = 1024

// form is the ops of a run, and which is the first of each part.
type form struct {
	Ops   []alu.Op
	first []int
	other int // op that goes on in the other form unless this is the right one
	entry int // number of ops before the latest to which a branch goes
}

// append appends an op to f, or makes one op of it and the last.
func (f *form) append(op alu.Op) {
	if last := len(f.Ops) - 1; last >= f.entry {
		if both, ok := alu.Fused(f.Ops[last], op, placeOfS(wave.NullWritten)); ok {
			f.Ops[last] = both
			return
		}
	}
	f.Ops = append(f.Ops, op)
}

// add appends the ops of a part of r to f.
func (f *form) add(r *Run, p *encoding.Part, ops []alu.Op) {
	if slices.Contains(r.inside, len(f.first)) {
		f.entry = len(f.Ops)
	}
	f.first = append(f.first, len(f.Ops))
	for n, op := range ops {
		if n+1 < len(ops) {
			if _, ok := alu.Spread(op, ops[n+1]); ok {
				continue
			}
		}
		if n > 0 {
			if both, ok := alu.Spread(ops[n-1], op); ok {
				f.append(both)
				continue
			}
		}
		f.append(alu.Nearer(op))
	}
	if p.Exec && r.lanes {
		f.Ops = append(f.Ops, alu.Op{Code: alu.Code(f.other), File: [8]uint8{alu.Fixed, alu.Rest}, At: [6]uintptr{0, placeOfS(wave.ExecLo)}})
	}
}

// together puts ops that load for several of f's before these.
func (f *form) together() {
	for at := 0; at < len(f.Ops); at++ {
		if ahead, n := alu.LoadsAhead(f.Ops[at:]); n > 0 {
			f.Ops = slices.Insert(f.Ops, at, ahead)
			for k := range f.first {
				if f.first[k] > at {
					f.first[k]++
				}
			}
			at += n
		}
	}
}

// end appends the last op, and sets the targets of r's branches.
func (f *form) end(r *Run) {
	f.together()
	f.first = append(f.first, len(f.Ops))
	f.Ops = append(f.Ops[:len(f.Ops):len(f.Ops)], alu.Op{Code: alu.Code(alu.OpEnd)})
	for n, p := range r.parts {
		if !p.Leaves {
			continue
		}
		op := &f.Ops[f.first[n]]
		to := r.next[n] + uint32(p.By)
		op.At[alu.LeaveTo], op.At[alu.LeaveSkip] = uintptr(to), uintptr(r.instructions-r.done[n])
		switch part := r.inside[n]; {
		case to == r.Start:
			op.At[alu.LeaveCount], op.At[alu.LeaveRound] = uintptr(r.done[n]), hostAddress(&f.Ops[0])
		case part > 0:
			op.At[alu.LeaveCount] = -uintptr(r.done[part-1] - r.done[n]) // those that it skips
			op.At[alu.LeaveRound] = hostAddress(&f.Ops[f.first[part]])
		}
	}
}

// joined lets ops after writes of EXEC go from one form to the other.
func joined(a, b *form, parts []*encoding.Part) {
	for n, p := range parts {
		if p.Exec {
			at, to := a.first[n+1]-1, b.first[n+1]-1
			a.Ops[at].At[0], b.Ops[to].At[0] = hostAddress(&b.Ops[to+1]), hostAddress(&a.Ops[at+1])
		}
	}
}

// Add appends a part to r, with the part that is its second half. next is the program counter
// after it.
func (r *Run) Add(p *encoding.Part, next uint32) {
	r.instructions++
	for ; p != nil; p = p.Second {
		r.add(p, next)
	}
}

func (r *Run) add(p *encoding.Part, next uint32) {
	r.parts, r.next, r.done = append(r.parts, p), append(r.next, next), append(r.done, r.instructions)
	r.need |= p.Need
	r.vectors = max(r.vectors, p.Vectors)
	r.lanes = r.lanes || p.Lanes
	r.exec = r.exec || p.Exec
	if p.Always && !p.Leaves {
		r.last, r.then = p.Step, p.Then
	}
}

// Len is how many instructions r has.
func (r *Run) Len() int { return r.instructions }

// End is the program counter after the last part.
func (r *Run) End() uint32 { return r.next[len(r.next)-1] }

// laterPart returns the number of the part after part n that begins at pc, or 0.
func (r *Run) laterPart(n int, pc uint32) int {
	for ; n+1 < len(r.parts); n++ {
		if r.next[n] == pc && r.next[n+1] != pc {
			return n + 1
		}
	}
	return 0
}

// Step returns the step that executes r. The program counter of a wave that faults is after the
// instruction that it faults at.
func (r *Run) Step() encoding.Step {
	r.Whole.other = alu.OpIfFull
	r.inside = make([]int, len(r.parts))
	for n, p := range r.parts {
		if p.Leaves {
			r.inside[n] = r.laterPart(n, r.next[n]+uint32(p.By))
		}
	}
	for _, p := range r.parts {
		r.Whole.add(r, p, p.Ops)
	}
	r.Whole.end(r)
	if r.exec && r.lanes {
		joined(&r.Whole, r.someLanes(), r.parts)
	}
	return r.Run
}

// someLanes is the form for waves of which some lanes are not active.
func (r *Run) someLanes() *form {
	f := r.masked.Load()
	if f == nil {
		f = &form{other: alu.OpUnlessFull}
		for _, p := range r.parts {
			f.add(r, p, maskedOps(p))
		}
		f.end(r)
		r.masked.Store(f)
	}
	return f
}

// Run carries the run out.
func (r *Run) Run(w *wave.Wave) {
	if !r.suits(w) {
		r.slowly(w)
		return
	}
	f := &r.Whole
	if r.lanes && !w.Full() {
		f = r.someLanes()
	}
	r.from(w, f, 0)
}

// formWith returns the form of r with an op.
func (r *Run) formWith(op uintptr) *form {
	if r.Whole.holds(op) {
		return &r.Whole
	}
	return r.someLanes()
}

// Resume goes on with r at an op of it as Run does.
func (r *Run) Resume(w *wave.Wave, op uintptr) {
	f := r.formWith(op)
	r.from(w, f, f.number(op))
}

// from carries r out in the form f from the op with a number on.
func (r *Run) from(w *wave.Wave, f *form, at int) {
	budget := mostRepeated
	for {
		stopped := w.RunOps(&f.Ops[at], &budget)
		if stopped == alu.RunEnded {
			if w.PC = r.End(); r.last != nil {
				r.last(w)
			}
			break
		}
		if stopped == alu.RunLeft {
			break
		}
		if !f.holds(stopped) { // EXEC was written
			f = r.formWith(stopped)
		}
		n := sort.SearchInts(f.first, f.number(stopped)+1) - 1
		w.PC = r.next[n]
		if r.parts[n].Step(w); w.Status != wave.Running {
			break
		}
		at = f.first[n+1]
	}
	w.Repeated = mostRepeated - budget
}

// slowly takes one step after the other.
func (r *Run) slowly(w *wave.Wave) {
	for n, p := range r.parts {
		w.PC = r.next[n]
		if p.Step(w); w.Status != wave.Running {
			return
		}
		if w.PC != r.next[n] {
			w.Repeated = r.done[n] - r.instructions
			return
		}
	}
}
