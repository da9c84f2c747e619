package emu

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/soft/gcn"
)

// A wave may go on wherever there is code: at the functions of another code object, or
// behind what is known of its own. Such code is fetched when a wave gets there.

// Fetch returns what memory holds from an address on, as far as code may be there and at
// least one word; nothing if there is none. It is called by all who run the dispatch.
type Fetch func(addr uint64) []byte

const (
	// fetched is how much code is decoded at a time, in bytes.
	fetched = 64 << 10
	// mostFar bounds how many pieces of it a program keeps: a wave that has lost its way
	// finds code in any data.
	mostFar = 1 << 10
	// apart is between the numbers of two segments' words. No branch goes so far: one
	// that leaves its segment gets to no word of another's.
	apart = 1 << 17
)

// far is the code outside of a program's text that its waves got to.
type far struct {
	mu  sync.Mutex
	all atomic.Pointer[[]*segment] // in the order of their numbers
}

func (f *far) list() []*segment {
	if all := f.all.Load(); all != nil {
		return *all
	}
	return nil
}

// Far calls f for each piece of code outside of the text that waves have run, and returns
// whether all calls have returned true.
func (p *Program) Far(f func(base uint64, code []byte) bool) bool {
	for _, q := range []*Program{p, p.inModes} {
		if q == nil {
			continue
		}
		for _, s := range q.far.list() {
			if !f(s.base, s.code) {
				return false
			}
		}
	}
	return true
}

// textBase is what the program counter of a wave in s is relative to.
func (s *segment) textBase() uint64 { return s.base - uint64(s.first)*4 }

func (s *segment) has(pc uint32) bool { return uint64(pc-s.first) < uint64(len(s.slots)) }

// holding is the segment of the word pc; nil if there is none.
func (p *Program) holding(pc uint32) *segment {
	if p.has(pc) {
		return &p.segment
	}
	for _, s := range p.far.list() {
		if s.has(pc) {
			return s
		}
	}
	return nil
}

// of is the segment that w is in, or has just left.
func (p *Program) of(w *gcn.Wave) *segment {
	if w.TextBase == p.base {
		return p.textFor(w)
	}
	var left *segment
	for _, s := range p.far.list() {
		if s.textBase() != w.TextBase {
			continue
		}
		if left = s; s.has(w.PC) {
			break
		}
	}
	if left == nil {
		return p.textFor(w)
	}
	return left
}

// textFor is the program's text, with modes where other code has left MODE another one
// than the usual: the program itself, if it was bound without, does not set it.
func (p *Program) textFor(w *gcn.Wave) *segment {
	if !p.modes && !gcn.UsualMode(w.Mode) {
		return &p.withModes().segment
	}
	return &p.segment
}

// enter moves w, whose program counter is outside of its segment, to the segment of the
// address where it goes, and returns that. Where no code is, w has a fault, of the word last.
func (p *Program) enter(w *gcn.Wave, last uint32, fetch Fetch) *segment {
	to := w.GoesTo()
	s := p.find(to)
	if s == nil && to&3 == 0 && fetch != nil {
		if code := fetch(to); len(code) >= 4 {
			s = p.add(to, code)
		}
	}
	if s == nil {
		w.Status = gcn.Faulted
		w.Fault = p.strayed(to, last, fetch != nil)
		return nil
	}
	w.TextBase = s.textBase()
	w.PC = s.first + uint32((to-s.base)/4)
	if s == &p.segment {
		return p.textFor(w)
	}
	return s
}

// find is the segment that has an instruction at an address; nil if there is none. In the
// text, which is known, any word is one's own doing.
func (p *Program) find(addr uint64) *segment {
	at := func(s *segment) (word uint64, ok bool) {
		word = (addr - s.base) / 4
		return word, addr >= s.base && addr%4 == 0 && word < uint64(len(s.slots))
	}
	if word, ok := at(&p.segment); ok && (!p.open() || p.slots[word].next != uint32(word)) {
		return &p.segment
	}
	for _, s := range p.far.list() {
		if word, ok := at(s); ok && s.slots[word].next != s.first+uint32(word) {
			return s
		}
	}
	return nil
}

// add decodes what lies at an address. It returns nil where there is too much already.
// Such code follows MODE: what it sets, or finds, is not known before.
func (p *Program) add(addr uint64, code []byte) *segment {
	p.far.mu.Lock()
	defer p.far.mu.Unlock()
	if s := p.find(addr); s != nil {
		return s // another wave was faster
	}
	all := p.far.list()
	if len(all) >= mostFar {
		return nil
	}
	end := &p.segment
	if len(all) > 0 {
		end = all[len(all)-1]
	}
	q := &Program{watched: p.watched, counted: p.counted, modes: true, chip: p.chip, segment: segment{base: addr}}
	q.code = append(q.code, code[:min(len(code), fetched)&^3]...)
	_ = q.decodeAll() // there are no ranges: nothing is refused before a wave gets there
	s := &q.segment
	s.first = end.first + uint32(len(end.slots)) + apart
	for i := range s.slots {
		s.slots[i].next += s.first
	}
	longer := append(all[:len(all):len(all)], s)
	p.far.all.Store(&longer)
	return s
}

// strayed is the fault of a wave that went to an address where no code is. It is where
// it came from, the word last, unless that was in an earlier turn.
func (p *Program) strayed(to uint64, last uint32, fetches bool) *gcn.Fault {
	where := fmt.Sprintf("the code is from %#x to %#x", p.base, p.base+uint64(len(p.code)))
	switch {
	case to&3 != 0:
		where = "that is not the address of a word"
	case len(p.far.list()) >= mostFar:
		where = fmt.Sprintf("and %d MiB that came before it were taken for code", mostFar*fetched>>20)
	case fetches:
		where += ", and no other memory of the GPU is there"
	}
	return &gcn.Fault{Reason: fmt.Sprintf("program counter outside the code: goes to %#x, and %s", to, where), Lane: -1, PC: last}
}
