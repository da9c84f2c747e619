package watch

import (
	"strings"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// spread finds the lanes, with their addresses, of one access of an instruction.
type spread interface {
	lanes(w *wave.Wave, a *wave.Access)
}

// several is a spread of any number of accesses.
type several interface {
	each(w *wave.Wave, a *wave.Access, f func() bool) bool
}

// spanned quickly finds the range that a full wave accesses.
type spanned interface {
	span(w *wave.Wave) (s wave.Span, ok bool)
}

// watched is an instruction that accesses memory, in one or two places.
type watched struct {
	touch   wave.Touch
	places  []spread
	spanned spanned       // all places, if they are spanned
	prepare encoding.Step // computes the address; nil: registers have it
}

// see calls w's watch, and returns whether w may continue.
func (x *watched) see(w *wave.Wave) bool {
	if x.prepare != nil {
		if x.prepare(w); w.Status == wave.Faulted {
			return false
		}
	}
	if x.spanned != nil {
		if s, ok := x.spanned.span(w); ok && w.Watch.Fine(w, &x.touch, s) {
			return true
		}
	}
	a := w.Watch.Room()
	return x.each(w, a, func() bool { return w.Watch.Access(w, a) })
}

// each fills a in for each access, and calls f while f returns true.
func (x *watched) each(w *wave.Wave, a *wave.Access, f func() bool) bool {
	for _, p := range x.places {
		a.Touch, a.Lanes = x.touch, 0
		if many, ok := p.(several); ok {
			if !many.each(w, a, f) {
				return false
			}
			continue
		}
		if p.lanes(w, a); a.Lanes != 0 && !f() {
			return false
		}
	}
	return true
}

// bind finds the places of an instruction.
func (x *watched) bind(i *encoding.Inst) {
	c, prepare, _ := bind.Addressed(i)
	x.places, x.prepare = spreads(&c, &x.touch), prepare
}

// Places are the places that an instruction accesses, for callers that ask before it executes.
type Places struct{ watched }

// PlacesOf returns the places of i; nil if it accesses no memory.
func PlacesOf(i *encoding.Inst) *Places {
	touch, ok := Touches(i)
	if !ok {
		return nil
	}
	p := &Places{watched{touch: touch}}
	p.bind(i)
	return p
}

// Each calls f for each place that some lanes access. The argument is valid until f returns.
func (p *Places) Each(w *wave.Wave, room *wave.Access, f func(*wave.Access)) {
	if p.prepare != nil {
		p.prepare(w)
	}
	p.each(w, room, func() bool {
		f(room)
		return true
	})
}

// Watched returns step, to which i was bound, for waves that have a Watch.
func Watched(i *encoding.Inst, step encoding.Step, m wave.Manner) encoding.Step {
	if step := named(i, step); step != nil {
		return step
	}
	if name := i.Row.Kin(); name == "s_barrier" || strings.HasPrefix(name, "s_barrier_signal") && !bind.OfCluster(i) {
		return func(w *wave.Wave) {
			w.Watch.Barrier(w)
			step(w)
		}
	}
	if strings.HasPrefix(i.Row.Kin(), "ds_gws") {
		return func(w *wave.Wave) {
			if !w.Gws.Waits {
				w.Watch.Arrives(w)
			}
			if step(w); w.Status == wave.Running {
				w.Watch.Leaves(w)
			}
		}
	}
	x := &watched{}
	touch, ok := Touches(i)
	if !ok {
		return step
	}
	x.touch = touch
	x.touch.Manner, x.touch.Note = m, new(atomic.Uint32)
	x.bind(i)
	x.spanned = spanning(x.places)
	return func(w *wave.Wave) {
		if x.see(w) {
			step(w)
		}
		w.Watch.Done()
	}
}

// named returns the watched step of a signal to a barrier with a number, or of a wait for one; nil for other
// instructions.
func named(i *encoding.Inst, step encoding.Step) encoding.Step {
	switch name := i.Row.Kin(); {
	case strings.HasPrefix(name, "s_barrier_signal") && bind.OfNamed(i):
		number := bind.NumberOfBarrier(i)
		return func(w *wave.Wave) {
			if n := number(w); n != 0 {
				w.Watch.Signals(w, int(n))
			}
			step(w)
		}
	case name == "s_barrier_wait" && bind.OfNamed(i):
		return func(w *wave.Wave) {
			if step(w); w.Status == wave.Running && w.Joined() != 0 {
				w.Watch.Waited(w, w.Joined())
			}
		}
	}
	return nil
}

// noMemory are instructions with memory encodings that access no memory.
var noMemory = []string{"ds_nop", "ds_swizzle", "ds_permute", "ds_bpermute", "ds_gws", "s_dcache", "s_mem", "s_atc", "buffer_wb", "buffer_inv", "buffer_gl", "s_gl1", "global_inv", "global_wb", "s_prefetch", "s_buffer_prefetch", "tensor_save", "tensor_stop"}

// Touches reports whether i accesses memory, and how, from its name.
func Touches(i *encoding.Inst) (t wave.Touch, ok bool) {
	switch i.Enc {
	case encoding.DS, encoding.FLAT, encoding.MUBUF, encoding.MTBUF, encoding.SMEM:
	case encoding.VTENSOR:
		t = wave.Touch{Op: wave.Reads, Words: uint32(i.Size) / 4, Scalar: true, Tensor: true}
		if i.Row.Name == "tensor_store_from_lds" {
			t.Op = wave.Writes
		}
		return t, true
	default:
		return t, false
	}
	name := i.Row.Kin()
	for _, n := range noMemory {
		if strings.HasPrefix(name, n) {
			return t, false
		}
	}
	t = wave.Touch{Size: SizeInName(name), Words: uint32(i.Size) / 4, Scalar: i.Enc == encoding.SMEM, Coherent: (i.GLC || i.SC1 || i.Scope != 0) && i.Enc != encoding.SMEM}
	switch {
	case strings.Contains(name, "_load") || strings.HasPrefix(name, "ds_read"):
		t.Op = wave.Reads
	case strings.Contains(name, "_store"):
		t.Op = wave.Writes
	case strings.HasPrefix(name, "ds_write"):
		t.Op = wave.Writes
	default:
		t.Op, t.Arrives = wave.Updates, strings.Contains(name, "_barrier_arrive_")
	}
	if t.Op == wave.Writes && !converts(name) && !asynchronous(i) {
		t.Data, t.High = storedData(i), strings.HasSuffix(name, "_d16_hi")
	}
	return t, true
}

// converts reports whether memory has other bytes than registers: those of a buffer's format, which tells the size.
func converts(name string) bool { return strings.Contains(name, "_format_") }

// sizes are the parts of names that say how much a lane moves, with longer ones before those that they contain.
var sizes = []struct {
	part  string
	bytes uint64
}{
	{"dwordx16", 64}, {"dwordx8", 32}, {"dwordx4", 16}, {"dwordx3", 12}, {"dwordx2", 8}, {"dword", 4},
	{"ubyte", 1}, {"sbyte", 1}, {"_byte", 1}, {"ushort", 2}, {"sshort", 2}, {"_short", 2},
	{"b128", 16}, {"b96", 12}, {"64", 8}, {"_x2", 8}, {"32", 4}, {"_b16", 2}, {"_u16", 2}, {"_i16", 2}, {"_b8", 1}, {"_u8", 1}, {"_i8", 1},
}

// SizeInName returns the number of bytes that a lane moves, from an instruction's name.
func SizeInName(name string) uint64 {
	name = strings.Replace(name, "st64", "", 1)
	for _, s := range sizes {
		if strings.Contains(name, s.part) {
			return s.bytes
		}
	}
	return 4
}

// storedData finds the registers whose data a store writes: the vector source that is not the address. It does not look
// at those of a scalar store, and the second ones of ds_write2.
func storedData(i *encoding.Inst) wave.Registers {
	n := 1
	switch {
	case i.Enc == encoding.MUBUF || strings.Contains(i.Row.Kin(), "_addtid_"):
		n = 0
	case i.Enc == encoding.SMEM || strings.HasPrefix(i.Row.Kin(), "ds_write2"):
		return wave.Registers{}
	}
	if i.Src[n].Kind != encoding.VReg && i.Src[n].Kind != encoding.AReg {
		return wave.Registers{}
	}
	return bind.BindRegisters(&i.Src[n])
}
