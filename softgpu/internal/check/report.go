package check

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Kind is the kind of a report.
type Kind string

// The kinds of reports.
const (
	OutOfBounds Kind = "memory"
	Misaligned  Kind = "misaligned"
	Race        Kind = "race"
	Uninit      Kind = "uninit"
	Divergence  Kind = "sync"
	Wait        Kind = "wait"
)

// place is a place of findings of one kind, of which the first is reported. It is a source line, or two lines whose
// accesses conflict; an instruction, if the code object has no line tables.
type place struct {
	kind      Kind
	at, other string
}

// instruction is the key by which accesses are counted: the instruction, and the one that it conflicts with, if any.
type instruction struct {
	kernel    string
	kind      Kind
	pc, other uint32
}

// tally counts the findings at a place.
type tally struct {
	place
	accesses, instructions uint64
}

// tallyOf returns the count of f's place. The caller has locked the checker.
func (l *Launch) tallyOf(f *finding) *tally {
	c, by := l.checker, instruction{l.kernel.Name, f.kind, f.pc, f.other}
	if t := c.counted[by]; t != nil {
		return t
	}
	at := place{kind: f.kind, at: l.lineOf(f.pc)}
	if f.other != 0 && l.source.Line(f.pc*4) != "" {
		at.other = l.lineOf(f.other - 1)
	}
	if at.other != "" && at.other < at.at {
		at.at, at.other = at.other, at.at
	}
	t := c.found[at]
	if t == nil {
		t = &tally{place: at}
		c.found[at] = t
	}
	t.instructions++
	c.counted[by] = t
	return t
}

// lineOf returns the line of an instruction, or its place in its kernel.
func (l *Launch) lineOf(pc uint32) string {
	if line := l.source.Line(pc * 4); line != "" {
		return strings.TrimPrefix(line, "near ")
	}
	return fmt.Sprintf("%s pc %#x", l.kernel.Name, pc*4)
}

// finding is the contents of a report.
type finding struct {
	kind  Kind
	what  string // "write of 4 bytes to ...", without who and where
	pc    uint32
	other uint32    // the conflicting instruction, plus one; zero: none
	id    [3]uint32 // of the workgroup
	wave  int
	lane  int    // -1: the whole wave
	lanes uint64 // all lanes with the same error
	addr  uint64 // zero: none, or not one that Blocks knows
	more  []string
}

// Reported reports whether the launch had a report about an instruction.
func (l *Launch) Reported(pc uint32) bool {
	l.checker.mu.Lock()
	defer l.checker.mu.Unlock()
	return l.reported[pc]
}

func (g *workgroup) report(f finding) {
	f.id = g.ID
	g.launch.report(f, g.Block)
}

// report writes f, if it is the first at its place. block is the size of workgroups.
func (l *Launch) report(f finding, block [3]uint32) {
	c := l.checker
	c.mu.Lock()
	defer c.mu.Unlock()
	t := l.tallyOf(&f)
	l.reported[f.pc] = true
	if t.accesses++; t.accesses > 1 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "mgpu check: %s: %s, in kernel %s", f.kind, f.what, l.kernel.Name)
	if l.call > 0 {
		fmt.Fprintf(&b, ", launched by mgpu call %d", l.call)
	}
	fmt.Fprintf(&b, "\n    at %s", l.locate(f.pc))
	fmt.Fprintf(&b, "\n    by %s", whoIn(f.id, block, l.kernel.Lanes(), f.wave, f.lane))
	if others := bits.OnesCount64(f.lanes) - 1; f.lane >= 0 && others > 0 {
		fmt.Fprintf(&b, ", and %d more of its wave", others)
	}
	if f.addr != 0 {
		if near := c.blocks.Describe(f.addr); near != "" {
			fmt.Fprintf(&b, "\n    %#x is %s", f.addr, near)
		} else {
			fmt.Fprintf(&b, "\n    %#x is near no block of the device", f.addr)
		}
	}
	for _, m := range f.more {
		b.WriteString("\n    " + m)
	}
	if !c.hinted && !l.source.Any() {
		c.hinted = true
		b.WriteString("\n    the kernel has no line tables: clang -g, or ensure-debug-info-scope-on-llvm-func in mlir-opt, makes them")
	}
	b.WriteByte('\n')
	_, _ = c.out.Write([]byte(b.String()))
	if c.abort != nil {
		c.abort()
	}
}

// who returns the name of a work-item.
func (g *workgroup) who(wave, lane int) string {
	return whoIn(g.ID, g.Block, g.Kernel.Lanes(), wave, lane)
}

func whoIn(id, block [3]uint32, lanes, wave, lane int) string {
	s := fmt.Sprintf("workgroup (%d,%d,%d)", id[0], id[1], id[2])
	if lane >= 0 {
		n := uint32(wave*lanes + lane)
		s += fmt.Sprintf(", work-item (%d,%d,%d)", n%block[0], n/block[0]%block[1], n/(block[0]*block[1]))
	}
	s += fmt.Sprintf(", wave %d", wave)
	if lane >= 0 {
		s += fmt.Sprintf(" lane %d", lane)
	}
	return s
}

// locate describes an instruction: its place, its assembly, and its source line.
func (l *Launch) locate(pc uint32) string {
	function, offset, text := l.kernel.Place(pc)
	if function == "" {
		function = "text"
	}
	s := fmt.Sprintf("%s+%#x (pc %#x): `%s`", function, offset, pc*4, text)
	if line := l.source.Line(pc * 4); line != "" {
		s += ", " + line
	}
	return s
}

var operations = map[wave.Operation]string{wave.Reads: "read", wave.Writes: "write", wave.Updates: "atomic update"}

func describe(t *wave.Touch) string {
	if t.Size == 0 {
		return operations[t.Op]
	}
	return fmt.Sprintf("%s of %s", operations[t.Op], count.Of(t.Size, "byte", "bytes"))
}
