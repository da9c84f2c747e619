package emu

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// A wave may go wherever there is code: to functions of another code object, or beyond the known part of its own. Such
// code is fetched when a wave reaches it.

// Fetch returns the contents of memory from an address on, at least one word, as far as there may be code; nothing if
// there is none. All goroutines that run the dispatch call it.
type Fetch func(addr uint64) []byte

const (
	// fetched is the size of a piece of code in bytes.
	fetched = 64 << 10
	// mostFar bounds the pieces of a program, since a wave that runs through data finds instructions in it.
	mostFar = 1 << 10
	// apart is the distance between the numbers of two segments' words. It is larger than any branch, so a branch that
	// leaves its segment does not reach a word of another segment.
	apart = 1 << 17
)

// far is the code outside of a program's text that its waves have reached.
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

// Far calls f for each piece of code outside of the text that waves have run. It reports whether all calls returned
// true.
func (p *Program) Far(f func(base uint64, bytes int) bool) bool {
	for _, s := range p.far.list() {
		if !f(s.base, len(s.code)) {
			return false
		}
	}
	return true
}

// textBase returns the address to which the program counter of a wave in s is relative.
func (s *segment) textBase() uint64 { return s.base - uint64(s.first)*4 }

func (s *segment) has(pc uint32) bool { return pc-s.first < s.count }

// holding returns the segment of the word pc; nil if there is none.
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

// of returns the segment in which w is; nil if w has left its segment.
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

// enter moves the cursor to the page at which w continues. If the program counter is outside of w's segment, that is in
// another segment. If there is no code, w gets a fault at the word last.
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

// find returns the segment with an instruction at an address; nil if there is none. Within the text it accepts any
// word.
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

// add makes a segment of the code at an address. It returns nil if there are too many segments already.
func (p *Program) add(addr uint64, code []byte) *segment {
	p.far.mu.Lock()
	defer p.far.mu.Unlock()
	if s := p.find(addr); s != nil {
		return s // another wave was first
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

// strayed returns the fault of a wave that went to an address without code. The fault is at the word last, from which
// the wave came, unless that was in an earlier turn.
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
