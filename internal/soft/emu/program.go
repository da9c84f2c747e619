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

// Program is the decoded text of one code object. It does not change once made, but
// for what its waves find elsewhere (far.go).
type Program struct {
	segment
	watched bool // its waves need a gcn.Watch
	counted bool // which is told of every instruction
	modes   bool // steps follow MODE, which instructions here set or a kernel starts with
	calls   bool // some function calls another
	chip    gcn.Chip

	inModes  *Program // this one with modes, once a kernel starts in them
	makeOnce sync.Once

	far far
}

// segment is decoded code that lies in one piece. Words of a program are numbered:
// those of its text from 0 on, others from where there is room.
type segment struct {
	first  uint32 // number of the first word
	slots  []slot
	base   uint64  // address of the first word, as the device sees it
	code   []byte  // may be longer than slots: the last instruction's words
	ranges []Range // sorted by Start
}

// slot is what runs when the program counter is at one word.
type slot struct {
	step gcn.Step
	next uint32 // number of the word after it; its own where no instruction begins
}

// NewProgram decodes code, which the device sees at address base. Every
// instruction inside a range must be one that has a meaning: the first that
// does not is the error, which names the range, the offset in it and the
// instruction. Words that are no instruction may be anywhere, and outside of all
// ranges any may be; a wave that gets to a bad one faults there. code is copied.
func NewProgram(chip gcn.Chip, code []byte, base uint64, ranges []Range) (*Program, error) {
	return newProgram(&Program{chip: chip, segment: segment{code: code, base: base, ranges: ranges}})
}

// NewWatchedProgram makes a program whose dispatches need a Watcher: it is told of
// accesses to memory.
func NewWatchedProgram(chip gcn.Chip, code []byte, base uint64, ranges []Range) (*Program, error) {
	return newProgram(&Program{chip: chip, segment: segment{code: code, base: base, ranges: ranges}, watched: true})
}

// NewCountedProgram makes a watched program whose Watcher is told of every instruction.
func NewCountedProgram(chip gcn.Chip, code []byte, base uint64, ranges []Range) (*Program, error) {
	return newProgram(&Program{chip: chip, segment: segment{code: code, base: base, ranges: ranges}, watched: true, counted: true})
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
		p.inModes = &Program{watched: p.watched, counted: p.counted, modes: true, segment: segment{base: p.base, code: p.code, ranges: p.ranges}, chip: p.chip}
		_ = p.inModes.decodeAll() // no other errors than p's
	})
	return p.inModes
}

func (p *Program) decodeAll() error {
	p.slots = make([]slot, len(p.code)/4)
	for i := range p.slots {
		p.slots[i] = slot{step: notAnInstruction, next: uint32(i)}
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

// open tells whether nothing is known of where the code ends and its functions are.
func (p *Program) open() bool { return len(p.ranges) == 0 }

// decodeError is the first word of a stretch of text that cannot be run.
type decodeError struct {
	offset uint32
	err    error
}

// decode fills the slots of [from, to) and returns the first that cannot run.
func (p *Program) decode(from, to uint32) (first *decodeError) {
	var indexing gcn.Indexing
	outside := from // the last instruction before which registers were not indexed
	data := false   // there was something that is no code: what follows may not be either
	manners := p.manners(from, to)
	for off := from; off+4 <= to; {
		if !indexing.On() {
			outside = off
		}
		step, size, err := p.bind(off, to, &indexing)
		if err == nil && indexing.On() && off+size+4 > to {
			err = fmt.Errorf("the code ends while registers are indexed by m0 (s_set_gpr_idx_on)")
		}
		if p.open() && outside > from && (err != nil || indexing.On()) && off+gcn.MostBytes > to {
			p.slots = p.slots[:outside/4] // what follows is fetched from here on
			return first
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
func (p *Program) run(w *gcn.Wave, budget int, fetch Fetch) int {
	s := p.of(w)
	slots, first := s.slots, s.first
	left := budget
	last := w.PC
	for left > 0 {
		pc := w.PC
		at := pc - first
		if uint64(at) >= uint64(len(slots)) {
			if s = p.enter(w, last, fetch); s == nil {
				break
			}
			slots, first = s.slots, s.first
			continue
		}
		last = pc
		s := &slots[at]
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

// words are the instruction at the word pc, or the word there if it is none.
func (p *Program) words(pc uint32) []uint32 {
	s := p.holding(pc)
	if s == nil {
		return nil
	}
	pc -= s.first
	n := uint32(1)
	if inst, err := gcn.Decode(s.code, pc*4, p.chip); err == nil {
		n = uint32(inst.Size) / 4
	}
	var words []uint32
	for i := pc; i < pc+n && uint64(i)*4+4 <= uint64(len(s.code)); i++ {
		words = append(words, binary.LittleEndian.Uint32(s.code[4*i:]))
	}
	return words
}

// place names the function that the word pc is in, and the offset there. Outside of
// the program's text it is the address of the code.
func (p *Program) place(pc uint32) (name string, offset uint32) {
	s := p.holding(pc)
	if s == nil {
		return "", pc * 4
	}
	off := uint64(pc-s.first) * 4
	i := sort.Search(len(s.ranges), func(i int) bool { return uint64(s.ranges[i].Start) > off })
	for i--; i >= 0; i-- {
		if r := s.ranges[i]; off < uint64(r.End) {
			return r.Name, uint32(off) - r.Start
		}
	}
	if s != &p.segment {
		name = fmt.Sprintf("%#x", s.base)
	}
	return name, uint32(off)
}

// text is the instruction at the word pc in assembly, empty if there is none.
func (p *Program) text(pc uint32) string {
	inst, err := p.instruction(pc)
	if err != nil {
		return ""
	}
	return inst.String()
}

// instruction decodes the one at the word pc.
func (p *Program) instruction(pc uint32) (gcn.Inst, error) {
	s := p.holding(pc)
	if s == nil {
		return gcn.Inst{}, errors.New("no code")
	}
	return gcn.Decode(s.code, (pc-s.first)*4, p.chip)
}

// before is the instruction that comes right before the word pc.
func (p *Program) before(pc uint32) uint32 {
	for back := uint32(1); back <= 3 && back <= pc; back++ {
		s := p.holding(pc - back)
		if s == nil || s.slots[pc-back-s.first].next != pc {
			continue
		}
		return pc - back
	}
	return pc
}
