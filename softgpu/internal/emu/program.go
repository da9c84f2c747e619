package emu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Range is one function or kernel in a text, in bytes from its start.
type Range struct {
	Name       string
	Start, End uint32
}

// Text is the code of one code object in the device's memory.
type Text struct {
	Chip   encoding.Chip
	Base   uint64  // address of Code, as the device sees it
	Code   []byte  // the memory itself, which stays mapped while kernels of the program run
	Ranges []Range // the functions; none: the end of the code and its functions are unknown

	// Word reads eight bytes of the object's memory, whose global offset table says to which functions others refer.
	// nil: there is no such table.
	Word     func(addr uint64) (v uint64, ok bool)
	Indirect []uint64 // addresses of functions that are in the object's data

	Volatile bool // Code may be overwritten between dispatches
	Late     bool // an instruction without a meaning is an error only when a wave reaches it
	Watched  bool // dispatches need a Watcher, which is called for accesses to memory
	Counted  bool // the Watcher is also called for every instruction

	// Around makes the step that replaces an instruction's own; nil: the instruction's own step runs. The step finds
	// the workgroup's profile in the wave.
	Around func(i *encoding.Inst, step encoding.Step) encoding.Step
}

// Program is the code of one code object, decoded by pages that waves reach (page.go).
type Program struct {
	segment
	t    Text
	made atomic.Int64 // number of pages since the last were dropped
	far  far
}

// NewProgram makes a program of t. It decodes nothing except text without ranges. The error names a range that is
// outside of the text.
func NewProgram(t Text) (*Program, error) {
	t.Code = t.Code[:len(t.Code)&^3]
	t.Ranges = append([]Range(nil), t.Ranges...)
	sort.SliceStable(t.Ranges, func(i, j int) bool { return t.Ranges[i].Start < t.Ranges[j].Start })
	end := uint64(len(t.Code))
	for _, r := range t.Ranges {
		if uint64(r.End) > end || r.Start > r.End || r.Start%4 != 0 {
			return nil, fmt.Errorf("%s: code at %#x to %#x lies outside the text of %#x bytes", r.Name, r.Start, r.End, end)
		}
	}
	p := &Program{t: t}
	p.segment.init(p, 0, t.Base, t.Code, t.Ranges)
	return p, nil
}

// open reports whether the end of the code and its functions are unknown.
func (p *Program) open() bool { return len(p.t.Ranges) == 0 }

func notAnInstruction(w *wave.Wave) {
	w.Status = wave.Faulted
	w.Fault = &wave.Fault{Reason: "jump into the middle of an instruction", Lane: -1}
}

func faultStep(reason string) encoding.Step {
	return func(w *wave.Wave) {
		w.Status = wave.Faulted
		w.Fault = &wave.Fault{Reason: reason, Lane: -1}
	}
}

// run executes w until it stops or has executed budget instructions, and returns their number. A fault has the program
// counter of its instruction. at is where the last wave of the same dispatch on this goroutine stopped, or empty.
func (p *Program) run(w *wave.Wave, budget int, d *Dispatch, at *cursor) int {
	var slots []slot // at's slots and the number of their first word, which the loop has in registers
	var first uint32
	if at.suits(w) {
		slots, first = at.slots, at.first
	} else {
		*at = cursor{}
	}
	left := budget
	last := w.PC
	var s *slot // the slot that ran last
	for left > 0 {
		pc := w.PC
		n := pc - first
		if uint64(n) >= uint64(len(slots)) {
			if !at.turn(pc, d.serial) && !p.enter(at, w, last, d) {
				if s != nil {
					p.blame(w, s, last)
				}
				break
			}
			slots, first = at.slots, at.first
			continue
		}
		last = pc
		s = &slots[n]
		w.PC = s.next
		s.step(w)
		left -= int(s.count)
		if w.Repeated != 0 {
			left -= w.Repeated
			w.Repeated = 0
		}
		if w.Status != wave.Running {
			if w.Status == wave.Rebound {
				w.Status, *at, slots = wave.Running, cursor{}, nil
				continue
			}
			if w.Status == wave.Faulted && w.Fault != nil {
				p.blame(w, s, pc)
			}
			break
		}
	}
	at.last = last
	return budget - left
}

// resume lets w go on inside of a run, to its end. It returns the number of executed instructions.
func (p *Program) resume(w *wave.Wave, run *bind.Run, op uintptr, at *cursor) int {
	run.Resume(w, op)
	n := run.Len() + w.Repeated
	w.Repeated = 0
	switch w.Status {
	case wave.Rebound:
		w.Status, *at = wave.Running, cursor{}
	case wave.Faulted:
		p.blame(w, &slot{next: run.End(), count: uint32(run.Len())}, run.Start)
	}
	return n
}

// blame sets the instruction of w's fault, in a slot that begins at the word pc.
func (p *Program) blame(w *wave.Wave, s *slot, pc uint32) {
	w.Fault.PC = pc
	if s.count > 1 {
		w.Fault.PC = p.before(min(w.PC, s.next))
	}
}

// words returns the words of the instruction at the word pc, or the word there if it is not one.
func (p *Program) words(pc uint32) []uint32 {
	s := p.holding(pc)
	if s == nil {
		return nil
	}
	pc -= s.first
	n := uint32(1)
	if inst, err := rows.Decode(s.code, pc*4, p.t.Chip); err == nil {
		n = uint32(inst.Size) / 4
	}
	var words []uint32
	for i := pc; i < pc+n && uint64(i)*4+4 <= uint64(len(s.code)); i++ {
		words = append(words, binary.LittleEndian.Uint32(s.code[4*i:]))
	}
	return words
}

// place returns the function that contains the word pc, and the offset in it. Outside of the program's text it returns
// the address of the code.
func (p *Program) place(pc uint32) (name string, offset uint32) {
	s := p.holding(pc)
	if s == nil {
		return "", pc * 4
	}
	off := (pc - s.first) * 4
	if r := s.rangeAt(off); r != nil {
		return r.Name, off - r.Start
	}
	if s != &p.segment {
		name = fmt.Sprintf("%#x", s.base)
	}
	return name, off
}

// text returns the instruction at the word pc in assembly; empty if there is none.
func (p *Program) text(pc uint32) string {
	inst, err := p.instruction(pc)
	if err != nil {
		return ""
	}
	return inst.String()
}

// instruction decodes the instruction at the word pc.
func (p *Program) instruction(pc uint32) (encoding.Inst, error) {
	s := p.holding(pc)
	if s == nil {
		return encoding.Inst{}, errors.New("no code")
	}
	off := (pc - s.first) * 4
	inst, err := rows.Decode(s.code, off, p.t.Chip)
	if err == nil && p.t.Chip.OnlyWave32() {
		indexing := p.indexingBefore(s, off)
		indexing.Raise(&inst)
	}
	return inst, err
}

// indexingBefore follows the high bits of registers from the beginning of the page, or of the unit, to an instruction.
func (p *Program) indexingBefore(s *segment, off uint32) bind.Indexing {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.starts == nil {
		return bind.Indexing{}
	}
	from, to := s.unitAt(off)
	at := s.nextStart(max(from, off/pageBytes*pageBytes), to)
	indexing := s.indexed[at]
	for at < off {
		inst, size, err := p.decode(s, at, to)
		if err == nil && indexing.Next(&inst) != nil {
			break
		}
		at += size
	}
	return indexing
}

// before returns the instruction right before the word pc.
func (p *Program) before(pc uint32) uint32 {
	for back := uint32(1); back <= encoding.MostBytes/4 && back <= pc; back++ {
		s := p.holding(pc - back)
		if s == nil || !s.begins(pc-back-s.first) {
			continue
		}
		if inst, err := p.instruction(pc - back); err != nil || uint32(inst.Size) == 4*back {
			return pc - back
		}
	}
	return pc
}
