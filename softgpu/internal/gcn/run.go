package gcn

import (
	"reflect"
	"sort"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Part is how an instruction runs as part of a run: as ops without a call for each, for waves
// whose lanes are all active and whose MODE has some bits.
type Part struct {
	step    Step // what it does otherwise
	ops     []alu.Op
	need    uint32 // bits of MODE
	vectors int    // vector registers that the wave must have
	lanes   bool   // it minds EXEC
	keep    []any  // what ops have addresses of
}

// BindPart is [Bind] for the usual MODE. It also returns how the instruction runs as a part;
// nil: it runs as a step only.
func BindPart(i *Inst) (Step, *Part) {
	c := *i
	c.asPart = new(Part)
	step := Bind(&c, false)
	if step == nil || !alu.HasRuns {
		return step, nil
	}
	p := c.asPart
	switch {
	case reflect.ValueOf(i.Row.Do).Pointer() == reflect.ValueOf(nothing).Pointer():
		return step, &Part{step: step}
	case p.step != nil && sameStep(p.step, step):
		return step, p
	}
	if p := scalarPart(i); p != nil {
		p.step = step
		return step, p
	}
	return step, nil
}

// Run is parts that follow each other.
type Run struct {
	parts   []*Part
	next    []uint32 // program counter behind each
	first   []int    // op of each
	ops     []alu.Op
	need    uint32
	vectors int
	lanes   bool
}

// Add puts a part behind those that r has; next is the program counter behind it.
func (r *Run) Add(p *Part, next uint32) {
	r.parts, r.next, r.first = append(r.parts, p), append(r.next, next), append(r.first, len(r.ops))
	r.ops = append(r.ops, p.ops...)
	r.need |= p.need
	r.vectors = max(r.vectors, p.vectors)
	r.lanes = r.lanes || p.lanes
}

// Len is how many parts r has.
func (r *Run) Len() int { return len(r.parts) }

// End is the program counter behind the last part.
func (r *Run) End() uint32 { return r.next[len(r.next)-1] }

// Step returns what carries r out. A wave that faults stays behind the instruction that it
// faults at, by its program counter.
func (r *Run) Step() Step {
	r.ops = append(r.ops[:len(r.ops):len(r.ops)], alu.Op{Code: alu.Code(alu.OpEnd)})
	return r.run
}

func (r *Run) run(w *Wave) {
	if w.Mode&(r.need|gprIndex) != r.need || r.lanes && !w.full() || len(w.V) < r.vectors {
		r.slowly(w)
		return
	}
	for at := 0; ; {
		declined := w.runOps(r.ops[at:])
		if declined < 0 {
			w.PC = r.End()
			return
		}
		n := sort.SearchInts(r.first, at+declined+1) - 1
		w.PC = r.next[n]
		if r.parts[n].step(w); w.Status != Running {
			return
		}
		at = r.first[n] + len(r.parts[n].ops)
	}
}

// slowly takes one step after the other.
func (r *Run) slowly(w *Wave) {
	for n, p := range r.parts {
		w.PC = r.next[n]
		if p.step(w); w.Status != Running {
			return
		}
	}
}
