package emu

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Fault is an error that ended a dispatch.
type Fault struct {
	Kernel      string
	Function    string   // function of the instruction; empty if it is in none
	Offset      uint32   // offset of the instruction in Function, else in the text, in bytes
	PC          uint32   // the same in words from the beginning of the text
	Instruction string   // in assembly; empty if there is no instruction
	Words       []uint32 // words of the instruction, or the word that is not one
	Group       [3]uint32
	Wave        int       // in its workgroup; -1: not a single wave, and no place is known
	Lane        int       // in its wave; -1: not a single lane
	Item        [3]uint32 // work-item of Lane in its workgroup
	Addr        uint64    // for memory faults
	Reason      string
}

// OfMemory reports whether the fault is about an address.
func (f *Fault) OfMemory() bool { return f.Addr != 0 || f.Lane >= 0 }

// Brief returns the kernel, the reason, the address and the place.
func (f *Fault) Brief() string {
	text := fmt.Sprintf("kernel %s: %s", f.Kernel, f.Reason)
	if f.OfMemory() {
		text += fmt.Sprintf(", address %#x", f.Addr)
	}
	return fmt.Sprintf("%s, at %s+%#x", text, cmp.Or(f.Function, "text"), f.Offset)
}

// Error returns everything that helps to find the instruction in the source.
func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "kernel %s: %s", f.Kernel, f.Reason)
	if f.OfMemory() {
		fmt.Fprintf(&b, ", address %#x", f.Addr)
	}
	if f.Wave < 0 {
		return b.String()
	}
	where := f.Function
	if where == "" {
		where = "text"
	}
	if f.Instruction != "" {
		fmt.Fprintf(&b, ", in `%s`", f.Instruction)
	}
	if !f.OfMemory() && len(f.Words) > 0 {
		fmt.Fprintf(&b, ", words%s", hex(f.Words))
	}
	fmt.Fprintf(&b, " at %s+%#x, workgroup (%d,%d,%d)", where, f.Offset, f.Group[0], f.Group[1], f.Group[2])
	if f.Lane >= 0 {
		fmt.Fprintf(&b, ", work-item (%d,%d,%d)", f.Item[0], f.Item[1], f.Item[2])
	}
	fmt.Fprintf(&b, ", wave %d", f.Wave)
	if f.Lane >= 0 {
		fmt.Fprintf(&b, " lane %d", f.Lane)
	}
	return b.String()
}

func hex(words []uint32) string {
	s := ""
	for _, w := range words {
		s += fmt.Sprintf(" %08x", w)
	}
	return s
}

// fault returns the fault of w, the wave with that index in g.
func (g *group) fault(wave int, w *wave.Wave) *Fault {
	d := g.d
	f := &Fault{Kernel: d.Kernel.Name, Group: g.id, Wave: wave, Lane: -1, Reason: "wave stopped without a reason"}
	pc := w.PC
	if w.Fault != nil {
		f.Reason, f.Lane, f.Addr, pc = w.Fault.Reason, w.Fault.Lane, w.Fault.Addr, w.Fault.PC
	}
	prog := d.Kernel.program
	f.PC = pc
	f.Function, f.Offset = prog.place(pc)
	f.Instruction, f.Words = prog.text(pc), prog.words(pc)
	if f.Lane >= 0 {
		n := uint32(wave)*d.Kernel.lanes + uint32(f.Lane)
		f.Item = [3]uint32{n % g.block[0], n / g.block[0] % g.block[1], n / (g.block[0] * g.block[1])}
	}
	return f
}
