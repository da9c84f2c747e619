package emu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/soft/gcn"
)

// Range is one function or kernel in a text, in bytes from its start.
type Range struct {
	Name       string
	Start, End uint32
}

// Program is the decoded text of one code object. It does not change once made.
type Program struct {
	watched bool // its waves need a gcn.Watch
	counted bool // which is told of every instruction
	modes   bool // steps follow MODE, which instructions here set or a kernel starts with
	calls   bool // some function calls another
	slots   []slot
	base    uint64
	code    []byte
	chip    gcn.Chip
	ranges  []Range // sorted by Start

	inModes  *Program // this one with modes, once a kernel starts in them
	makeOnce sync.Once
}

// slot is what runs when the program counter is at one word.
type slot struct {
	step gcn.Step
	next uint32 // program counter after it, in words
}

// NewProgram decodes code, which the device sees at address base. Every
// instruction inside a range must be one that has a meaning: the first that
// does not is the error, which names the range, the offset in it and the
// instruction. Words that are no instruction may be anywhere, and outside of all
// ranges any may be; a wave that gets to a bad one faults there. code is copied.
func NewProgram(chip gcn.Chip, code []byte, base uint64, ranges []Range) (*Program, error) {
	return newProgram(&Program{chip: chip, code: code, base: base, ranges: ranges})
}

// NewWatchedProgram makes a program whose dispatches need a Watcher: it is told of
// accesses to memory.
func NewWatchedProgram(chip gcn.Chip, code []byte, base uint64, ranges []Range) (*Program, error) {
	return newProgram(&Program{chip: chip, code: code, base: base, ranges: ranges, watched: true})
}

// NewCountedProgram makes a watched program whose Watcher is told of every instruction.
func NewCountedProgram(chip gcn.Chip, code []byte, base uint64, ranges []Range) (*Program, error) {
	return newProgram(&Program{chip: chip, code: code, base: base, ranges: ranges, watched: true, counted: true})
}

// newProgram completes p.
func newProgram(p *Program) (*Program, error) {
	p.code = append([]byte(nil), p.code[:len(p.code)&^3]...)
	p.ranges = append([]Range(nil), p.ranges...)
	sort.SliceStable(p.ranges, func(i, j int) bool { return p.ranges[i].Start < p.ranges[j].Start })
	modes := p.modes
	if err := p.decodeAll(); err != nil {
		return nil, err
	}
	if p.modes != modes {
		_ = p.decodeAll() // an instruction sets MODE: those before it follow it as well
	}
	return p, nil
}

// withModes returns p, or a program like it, for waves that start with a MODE
// that is not the usual one.
func (p *Program) withModes() *Program {
	if p.modes {
		return p
	}
	p.makeOnce.Do(func() {
		p.inModes = &Program{watched: p.watched, counted: p.counted, modes: true, base: p.base, code: p.code, chip: p.chip, ranges: p.ranges}
		_ = p.inModes.decodeAll() // no other errors than p's
	})
	return p.inModes
}

func (p *Program) decodeAll() error {
	p.slots = make([]slot, len(p.code)/4)
	for i := range p.slots {
		p.slots[i] = slot{step: notAnInstruction, next: uint32(i) + 1}
	}
	end := uint32(len(p.code))
	at := uint32(0)
	for _, r := range p.ranges {
		if r.End > end || r.Start > r.End || r.Start%4 != 0 {
			return fmt.Errorf("%s: code at %#x to %#x lies outside the text of %#x bytes", r.Name, r.Start, r.End, end)
		}
		if at < r.Start {
			_ = p.decode(at, r.Start)
		}
		if err := p.decode(r.Start, r.End); err != nil {
			return fmt.Errorf("%s+%#x: %w", r.Name, err.offset-r.Start, err.err)
		}
		at = max(at, r.End)
	}
	if at < end {
		_ = p.decode(at, end)
	}
	return nil
}

// decodeError is the first word of a stretch of text that cannot be run.
type decodeError struct {
	offset uint32
	err    error
}

// decode fills the slots of [from, to) and returns the first that cannot run.
func (p *Program) decode(from, to uint32) (first *decodeError) {
	var indexing gcn.Indexing
	data := false // there was something that is no code: what follows may not be either
	manners := p.manners(from, to)
	for off := from; off+4 <= to; {
		step, size, err := p.bind(off, to, &indexing)
		if err == nil && indexing.On() && off+size+4 > to {
			err = fmt.Errorf("the code ends while registers are indexed by m0 (s_set_gpr_idx_on)")
		}
		if err != nil {
			var no illegal
			if data = data || errors.As(err, &no); first == nil && !data {
				first = &decodeError{off, err}
			}
			step = faultStep(err.Error())
		}
		if p.watched && err == nil {
			step = p.watch(off, step, manners[off])
		}
		p.slots[off/4] = slot{step: step, next: (off + size) / 4}
		off += size
	}
	return first
}

// illegal is a word that is no instruction. Compilers put data between functions, and
// hardware faults only where a wave gets to it.
type illegal string

func (i illegal) Error() string { return "illegal instruction: " + string(i) }

// bind makes the instruction at off into a step. If there is none that can run,
// size is how far the next attempt should go.
func (p *Program) bind(off, to uint32, indexing *gcn.Indexing) (step gcn.Step, size uint32, err error) {
	inst, err := gcn.Decode(p.code, off, p.chip)
	if err != nil {
		_, why, _ := strings.Cut(strings.TrimPrefix(err.Error(), "gcn: "), ": ") // behind the offset
		return nil, 4, illegal(why)
	}
	size = uint32(inst.Size)
	if size > to-off {
		return nil, 4, illegal("cut off by the end of the code")
	}
	p.modes = p.modes || gcn.SetsMode(&inst)
	p.calls = p.calls || inst.Row.Name == "s_swappc_b64" || inst.Row.Name == "s_call_b64"
	if step = gcn.Bind(&inst, p.modes); step == nil {
		return nil, size, fmt.Errorf("instruction `%s` has no meaning on this device", inst.String())
	}
	if err := indexing.Next(&inst); err != nil {
		return nil, size, err
	}
	return step, size, nil
}

func notAnInstruction(w *gcn.Wave) {
	w.Status = gcn.Faulted
	w.Fault = &gcn.Fault{Reason: "jump into the middle of an instruction", Lane: -1}
}

func faultStep(reason string) gcn.Step {
	return func(w *gcn.Wave) {
		w.Status = gcn.Faulted
		w.Fault = &gcn.Fault{Reason: reason, Lane: -1}
	}
}

// run executes w until it stops or budget instructions are done, and returns
// how many were. A fault carries the program counter of its instruction.
func (p *Program) run(w *gcn.Wave, budget int) int {
	slots := p.slots
	left := budget
	last := w.PC
	for left > 0 {
		pc := w.PC
		if uint64(pc) >= uint64(len(slots)) {
			w.Status = gcn.Faulted
			w.Fault = p.strayed(pc, last)
			break
		}
		last = pc
		s := &slots[pc]
		w.PC = s.next
		s.step(w)
		left--
		if w.Status != gcn.Running {
			if w.Status == gcn.Faulted && w.Fault != nil {
				w.Fault.PC = pc
			}
			break
		}
	}
	return budget - left
}

// strayed is the fault of a wave that went to the word pc, which is outside. It is
// where it came from, last, unless that was in an earlier turn.
func (p *Program) strayed(pc, last uint32) *gcn.Fault {
	to := p.base + uint64(pc)*4
	if uint64(last) >= uint64(len(p.slots)) {
		last = pc
	}
	return &gcn.Fault{Reason: fmt.Sprintf("program counter outside the code: goes to %#x, and the code is from %#x to %#x",
		to, p.base, p.base+uint64(len(p.code))), Lane: -1, PC: last}
}

// words are the instruction at the word pc, or the word there if it is none.
func (p *Program) words(pc uint32) []uint32 {
	if uint64(pc) >= uint64(len(p.slots)) {
		return nil
	}
	n := uint32(1)
	if inst, err := gcn.Decode(p.code, pc*4, p.chip); err == nil {
		n = uint32(inst.Size) / 4
	}
	var words []uint32
	for i := pc; i < pc+n && uint64(i) < uint64(len(p.slots)); i++ {
		words = append(words, binary.LittleEndian.Uint32(p.code[4*i:]))
	}
	return words
}

// place names the function that the word pc is in, and the offset there.
func (p *Program) place(pc uint32) (name string, offset uint32) {
	off := uint64(pc) * 4
	i := sort.Search(len(p.ranges), func(i int) bool { return uint64(p.ranges[i].Start) > off })
	for i--; i >= 0; i-- {
		if r := p.ranges[i]; off < uint64(r.End) {
			return r.Name, uint32(off) - r.Start
		}
	}
	return "", pc * 4
}

// text is the instruction at the word pc in assembly, empty if there is none.
func (p *Program) text(pc uint32) string {
	if uint64(pc) >= uint64(len(p.slots)) {
		return ""
	}
	inst, err := gcn.Decode(p.code, pc*4, p.chip)
	if err != nil {
		return ""
	}
	return inst.String()
}

// before is the instruction that comes right before the word pc.
func (p *Program) before(pc uint32) uint32 {
	for back := uint32(1); back <= 3 && back <= pc; back++ {
		if int(pc-back) < len(p.slots) && p.slots[pc-back].next == pc {
			if back == 1 && pc >= 2 && p.slots[pc-2].next == pc {
				return pc - 2 // the word before pc is the second half of an instruction
			}
			return pc - back
		}
	}
	return pc
}
