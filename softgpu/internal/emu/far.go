package emu

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// A wave may go on wherever there is code: at the functions of another code object, or
// behind what is known of its own. Such code is fetched when a wave gets there.

// Fetch returns what memory holds from an address on, as far as code may be there and at
// least one word; nothing if there is none. It is called by all who run the dispatch.
type Fetch func(addr uint64) []byte

const (
	// fetched is how much code is taken for a piece, in bytes.
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
func (p *Program) Far(f func(base uint64, bytes int) bool) bool {
	for _, s := range p.far.list() {
		if !f(s.base, len(s.code)) {
			return false
		}
	}
	return true
}

// textBase is what the program counter of a wave in s is relative to.
func (s *segment) textBase() uint64 { return s.base - uint64(s.first)*4 }

func (s *segment) has(pc uint32) bool { return pc-s.first < s.count }

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

// of is the segment that w is in; nil if it has left one.
func (p *Program) of(w *wave.Wave) *segment {
	if w.TextBase == p.base {
		if p.has(w.PC) {
			return &p.segment
		}
		return nil
	}
	for _, s := range p.far.list() {
		if s.textBase() == w.TextBase && s.has(w.PC) {
			return s
		}
	}
	return nil
}

// enter moves the cursor to the page where w goes on, in another segment if its program
// counter is outside of its own. Where no code is, w has a fault, of the word last.
func (p *Program) enter(c *cursor, w *wave.Wave, last uint32, d *Dispatch) bool {
	s := p.of(w)
	if s == nil {
		to := w.GoesTo()
		s = p.find(to)
		if s == nil && to&3 == 0 && d.Fetch != nil {
			if code := d.Fetch(to); len(code) >= 4 {
				s = p.add(to, code)
			}
		}
		if s == nil {
			w.Status = wave.Faulted
			w.Fault = p.strayed(to, last, d.Fetch != nil)
			return false
		}
		w.TextBase = s.textBase()
		w.PC = s.first + uint32((to-s.base)/4)
	}
	p.pageFor(c, s, w.PC, w.Mode, d.serial)
	return true
}

// find is the segment that has an instruction at an address; nil if there is none. In the
// text, which is known, any word is one's own doing.
func (p *Program) find(addr uint64) *segment {
	at := func(s *segment) (word uint32, ok bool) {
		off := addr - s.base
		return uint32(off / 4), addr%4 == 0 && off/4 < uint64(s.count)
	}
	if word, ok := at(&p.segment); ok && (!p.open() || p.begins(word)) {
		return &p.segment
	}
	for _, s := range p.far.list() {
		if word, ok := at(s); ok && s.begins(word) {
			return s
		}
	}
	return nil
}

// add makes a segment of what lies at an address. It returns nil where there is too much
// already.
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
	s := new(segment)
	s.init(p, end.first+end.count+apart, addr, code[:min(len(code), fetched)&^3], nil)
	longer := append(all[:len(all):len(all)], s)
	p.far.all.Store(&longer)
	return s
}

// strayed is the fault of a wave that went to an address where no code is. It is where
// it came from, the word last, unless that was in an earlier turn.
func (p *Program) strayed(to uint64, last uint32, fetches bool) *wave.Fault {
	where := fmt.Sprintf("the code is from %#x to %#x", p.base, p.base+uint64(len(p.segment.code)))
	switch {
	case to&3 != 0:
		where = "that is not the address of a word"
	case len(p.far.list()) >= mostFar:
		where = fmt.Sprintf("and %d MiB that came before it were taken for code", mostFar*fetched>>20)
	case fetches:
		where += ", and no other memory of the GPU is there"
	}
	return &wave.Fault{Reason: fmt.Sprintf("program counter outside the code: goes to %#x, and %s", to, where), Lane: -1, PC: last}
}
