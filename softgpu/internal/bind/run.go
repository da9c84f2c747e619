package bind

import (
	"sort"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Run is parts that follow each other.
type Run struct {
	parts   []*encoding.Part
	next    []uint32 // program counter behind each
	first   []int    // op of each
	Ops     []alu.Op
	need    uint32
	vectors int
	lanes   bool
}

// Add puts a part behind those that r has; next is the program counter behind it.
func (r *Run) Add(p *encoding.Part, next uint32) {
	r.parts, r.next, r.first = append(r.parts, p), append(r.next, next), append(r.first, len(r.Ops))
	r.Ops = append(r.Ops, p.Ops...)
	r.need |= p.Need
	r.vectors = max(r.vectors, p.Vectors)
	r.lanes = r.lanes || p.Lanes
}

// Len is how many parts r has.
func (r *Run) Len() int { return len(r.parts) }

// End is the program counter behind the last part.
func (r *Run) End() uint32 { return r.next[len(r.next)-1] }

// Step returns what carries r out. A wave that faults stays behind the instruction that it
// faults at, by its program counter.
func (r *Run) Step() encoding.Step {
	r.Ops = append(r.Ops[:len(r.Ops):len(r.Ops)], alu.Op{Code: alu.Code(alu.OpEnd)})
	return r.Run
}

// Run carries the run out.
func (r *Run) Run(w *wave.Wave) {
	if w.Mode&(r.need|wave.GPRIndex) != r.need || r.lanes && !w.Full() || len(w.V) < r.vectors {
		r.slowly(w)
		return
	}
	for at := 0; ; {
		declined := w.RunOps(r.Ops[at:])
		if declined < 0 {
			w.PC = r.End()
			return
		}
		n := sort.SearchInts(r.first, at+declined+1) - 1
		w.PC = r.next[n]
		if r.parts[n].Step(w); w.Status != wave.Running {
			return
		}
		at = r.first[n] + len(r.parts[n].Ops)
	}
}

// slowly takes one step after the other.
func (r *Run) slowly(w *wave.Wave) {
	for n, p := range r.parts {
		w.PC = r.next[n]
		if p.Step(w); w.Status != wave.Running {
			return
		}
	}
}
