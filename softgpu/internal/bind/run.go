package bind

import (
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
	ops := append([]alu.Op(nil), p.Ops...)
	last := &ops[len(ops)-1]
	if p.Memory {
		last.Code = alu.Code(alu.OpDecline)
		return ops
	}
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
	instructions int

	parts   []*encoding.Part
	next    []uint32 // program counter after each
	Whole   form
	masked  atomic.Pointer[form] // made when first needed
	need    uint32
	vectors int
	lanes   bool
}

// form is the ops of a run, and which is the first of each part.
type form struct {
	Ops   []alu.Op
	first []int
}

func (f *form) add(ops []alu.Op) {
	f.first = append(f.first, len(f.Ops))
	f.Ops = append(f.Ops, ops...)
}

func (f *form) end() {
	f.first = append(f.first, len(f.Ops))
	f.Ops = append(f.Ops[:len(f.Ops):len(f.Ops)], alu.Op{Code: alu.Code(alu.OpEnd)})
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
	r.parts, r.next = append(r.parts, p), append(r.next, next)
	r.Whole.add(p.Ops)
	r.need |= p.Need
	r.vectors = max(r.vectors, p.Vectors)
	r.lanes = r.lanes || p.Lanes
}

// Len is how many instructions r has.
func (r *Run) Len() int { return r.instructions }

// End is the program counter after the last part.
func (r *Run) End() uint32 { return r.next[len(r.next)-1] }

// Step returns what carries r out. A wave that faults stays after the instruction that it
// faults at, by its program counter.
func (r *Run) Step() encoding.Step {
	r.Whole.end()
	return r.Run
}

// someLanes is the form for waves of which some lanes are not active.
func (r *Run) someLanes() *form {
	f := r.masked.Load()
	if f == nil {
		f = new(form)
		for _, p := range r.parts {
			f.add(maskedOps(p))
		}
		f.end()
		r.masked.Store(f)
	}
	return f
}

// Run carries the run out.
func (r *Run) Run(w *wave.Wave) {
	if w.Mode&(r.need|wave.GPRIndex) != r.need || len(w.V) < r.vectors {
		r.slowly(w)
		return
	}
	f := &r.Whole
	if r.lanes && !w.Full() {
		f = r.someLanes()
	}
	for at := 0; ; {
		declined := w.RunOps(f.Ops[at:])
		if declined < 0 {
			w.PC = r.End()
			return
		}
		n := sort.SearchInts(f.first, at+declined+1) - 1
		w.PC = r.next[n]
		if r.parts[n].Step(w); w.Status != wave.Running {
			return
		}
		at = f.first[n+1]
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
