package emu

import (
	"bytes"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Code is decoded by pages, when a wave first reaches one: a library of kernels has hundreds of megabytes, of which a
// program runs a few.

const (
	pageWords = 1 << pageShift
	pageShift = 10
	pageBytes = 4 * pageWords
	// mostPages bounds the pages of a program: each takes at least four times the bytes of its code.
	mostPages = 2048
)

// page is a piece of decoded code. It does not change.
type page struct {
	first uint32               // number of the first word
	slots []slot               // pageWords slots, fewer at the end of a segment
	runs  map[uint32]*bind.Run // by the number of their first word
	was   []byte               // the code from which the page was made, in a volatile text

	// checked is the number of the latest dispatch for which was is known to equal the memory; the highest number for
	// code that does not change.
	checked atomic.Uint64
}

// slot is what runs when the program counter is at one word: an instruction, or a run of instructions.
type slot struct {
	step  encoding.Step
	next  uint32 // number of the word after it; its own if no instruction begins there
	count uint32 // number of instructions
}

// table has the pages of a segment.
type table []atomic.Pointer[page]

// cursor is the page in which a wave is, with the other pages of its segment.
type cursor struct {
	slots []slot
	first uint32 // number of the first word of slots
	base  uint32 // of the segment
	words uint32
	pages table

	last uint32 // number of the first word of the slot that ran last

	text  uint64 // TextBase of waves in the segment
	modes bool   // the pages are bound with modes
}

// suits reports whether the cursor's pages are those of w's segment, bound for w's MODE.
func (c *cursor) suits(w *wave.Wave) bool {
	return c.pages != nil && c.text == w.TextBase && c.modes != wave.UsualMode(w.Mode)
}

// turn moves to the page of the word pc, if that page is in the same segment and decoded.
func (c *cursor) turn(pc uint32, dispatch uint64) bool {
	at := pc - c.base
	if at >= c.words {
		return false
	}
	g := c.pages[at>>pageShift].Load()
	if g == nil || g.checked.Load() < dispatch {
		return false
	}
	c.slots, c.first = g.slots, g.first
	return true
}

// at sets the cursor to a page of s.
func (c *cursor) at(s *segment, pages table, g *page, modes bool) {
	*c = cursor{slots: g.slots, first: g.first, base: s.first, words: s.count, pages: pages, text: s.textBase(), modes: modes}
}

// pageFor finds or decodes the page of the word pc for waves with a given MODE. If the code has changed, the page is
// decoded again.
func (p *Program) pageFor(c *cursor, s *segment, pc, mode uint32, dispatch uint64) {
	modes, withModes := 0, !wave.UsualMode(mode)
	if withModes {
		modes = 1
	}
	t := s.tables[modes].Load()
	if t != nil {
		if g := (*t)[(pc-s.first)>>pageShift].Load(); g != nil && g.checked.Load() >= dispatch {
			c.at(s, *t, g, withModes)
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t = s.tables[modes].Load(); t == nil {
		pages := make(table, (s.count+pageWords-1)/pageWords)
		t = &pages
		s.tables[modes].Store(t)
	}
	n := (pc - s.first) >> pageShift
	g := (*t)[n].Load()
	if g != nil && g.checked.Load() < dispatch {
		if g.holds(s) {
			g.checked.Store(max(g.checked.Load(), dispatch))
		} else {
			g = nil
		}
	}
	if g == nil {
		if p.made.Add(1) > mostPages {
			p.drop()
		}
		g = p.page(s, n, withModes)
		g.checked.Store(^uint64(0))
		if p.t.Volatile {
			g.checked.Store(dispatch)
		}
		(*t)[n].Store(g)
	}
	c.at(s, *t, g, withModes)
}

// drop forgets all pages. A wave in a page uses it until it leaves the page.
func (p *Program) drop() {
	p.made.Store(1)
	for _, s := range append([]*segment{&p.segment}, p.far.list()...) {
		for i := range s.tables {
			if t := s.tables[i].Load(); t != nil {
				for n := range *t {
					(*t)[n].Store(nil)
				}
			}
		}
	}
}

// code returns the code of a page: an instruction that begins in the page may end in the next one.
func (s *segment) codeOf(n uint32) []byte {
	return s.code[n*pageBytes : min(uint64(len(s.code)), uint64(n+1)*pageBytes+encoding.MostBytes-4)]
}

// holds reports whether memory has the code from which g was made.
func (g *page) holds(s *segment) bool {
	return bytes.Equal(g.was, s.codeOf((g.first-s.first)>>pageShift))
}

// Holds reports whether memory still has the code that was decoded at an address, if any was.
func (p *Program) Holds(addr uint64) bool {
	s := &p.segment
	word := (addr - s.base) / 4
	if word >= uint64(s.count) {
		return false
	}
	for i := range s.tables {
		if t := s.tables[i].Load(); t != nil {
			if g := (*t)[word>>pageShift].Load(); g != nil && !g.holds(s) {
				return false
			}
		}
	}
	return true
}

// page decodes page n of s. The caller has locked mu.
func (p *Program) page(s *segment, n uint32, modes bool) *page {
	begin := n * pageBytes
	end := min(begin+pageBytes, 4*s.count)
	g := &page{first: s.first + begin/4, slots: make([]slot, (end-begin)/4)}
	if p.t.Volatile {
		g.was = bytes.Clone(s.codeOf(n))
	}
	for i := range g.slots {
		g.slots[i] = slot{step: notAnInstruction, next: g.first + uint32(i), count: 1}
	}
	parts := make([]*encoding.Part, len(g.slots)) // by word
	entries := make([]sources, len(g.slots))
	for off := begin; off < end; {
		u := s.read(p, off)
		until := min(u.to, end)
		off = s.nextStart(off, until)
		indexing := s.indexed[off]
		if u.from >= begin && off < until {
			entries[(off-begin)/4] = anywhere
		}
		for ended := false; off < until; {
			at := (off - begin) / 4
			step, part, inst := p.step(s, off, u.to, &indexing, modes)
			g.slots[at] = slot{step: step, next: s.first + (off+uint32(inst.Size))/4, count: 1}
			filler := ended && fills(part)
			if !filler { // waves would reach the middle of a run that began before their kernel
				parts[at] = part
			}
			ended = filler || ends(&inst)
			if to, ok := inst.Target(); ok && to-begin < end-begin {
				entries[(to-begin)/4].add(at)
			}
			off += uint32(inst.Size)
		}
	}
	g.join(parts, entries)
	return g
}

// sources are the branches of a page to one of its words: the first and the last word of them, and their number.
type sources struct{ first, last, count uint32 }

// anywhere is for a word to which waves also go from outside of the page.
var anywhere = sources{0, ^uint32(0), 1}

func (s *sources) add(from uint32) {
	if s.count++; s.count == 1 {
		s.first, s.last = from, from
	}
	s.first, s.last = min(s.first, from), max(s.last, from)
}

// within reports whether all sources lie from one word on and before another one.
func (s *sources) within(from, to int) bool {
	return s.count == 0 || s.first >= uint32(from) && s.last < uint32(to)
}

// ends reports whether the instruction after i is reached in other ways only.
func ends(i *encoding.Inst) bool {
	if i.Row == nil {
		return false
	}
	k := i.Row.Kin()
	return k == "s_endpgm" || k == "s_setpc_b64" || k == "s_code_end"
}

// fills reports whether a part does nothing, as the words between kernels do.
func fills(p *encoding.Part) bool {
	return p != nil && len(p.Ops) == 0 && p.Second == nil && !p.Always
}

// join makes runs of consecutive parts. A run ends before the target of a branch, unless all branches to it are in the
// run. A wave that reaches the middle of a run anyway executes single steps to its end.
func (g *page) join(parts []*encoding.Part, entries []sources) {
	for at := 0; at < len(parts); {
		run := &bind.Run{Start: g.first + uint32(at)}
		to := at
		for always := false; to < len(parts) && parts[to] != nil && (to == at || entries[to].within(at, to)) && !always; {
			run.Add(parts[to], g.slots[to].next)
			always = parts[to].Always
			to = int(g.slots[to].next - g.first)
		}
		if run.Len() > 1 {
			g.slots[at] = slot{step: run.Step(), next: run.End(), count: uint32(run.Len())}
			if g.runs == nil {
				g.runs = map[uint32]*bind.Run{}
			}
			g.runs[run.Start] = run
		}
		at = max(to, at+1)
	}
}

// step makes the step of the instruction at off, and its form as a part of a run. The step faults if the instruction
// can't run. For a word that is not an instruction, inst has only the size.
func (p *Program) step(s *segment, off, to uint32, indexing *bind.Indexing, modes bool) (step encoding.Step, part *encoding.Part, inst encoding.Inst) {
	inst, size, err := p.decode(s, off, to)
	if err != nil {
		return faultStep(err.Error()), nil, encoding.Inst{Size: uint8(size), Offset: off}
	}
	indexing.Raise(&inst)
	step, part, err = p.bind(&inst, modes)
	if err == nil {
		err = p.follow(s, indexing, &inst, to)
	}
	switch {
	case err != nil:
		return faultStep(err.Error()), nil, inst
	case p.t.Watched:
		step, part = watch.Watched(&inst, step, s.manners[off]), nil
		if p.t.Counted {
			step = watch.Counted(&inst, step)
		}
	}
	if p.t.Around != nil && err == nil {
		step, part = p.t.Around(&inst, step), nil
	}
	return step, part, inst
}
