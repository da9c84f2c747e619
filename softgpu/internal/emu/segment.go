package emu

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// segment is a contiguous piece of code. The words of a program are numbered: those of its text from 0 on, others from
// the next free number on.
//
// Instructions have no marks in a text. Reading from the beginning of a unit, a function or the code between two, to
// its end finds where they begin.
type segment struct {
	first  uint32 // number of the first word
	count  uint32 // number of numbered words; the code of the last instruction may be longer
	base   uint64 // address of the first word, as the device sees it
	code   []byte
	ranges []Range  // sorted by Start
	ends   []uint32 // maximum of the ends of the ranges up to this one

	tables [2]atomic.Pointer[table] // pages, bound without modes and with modes

	mu      sync.Mutex
	starts  []uint64                 // a bit for each word at which an instruction begins, in units that were read
	units   map[uint32]*unit         // units that were read, by their beginning
	indexed map[uint32]bind.Indexing // pages, by their first instruction, before which registers are indexed
	mixed   map[uint32]bool          // branches to where register numbers have high bits
	manners map[uint32]wave.Manner   // of instructions in a watched program
}

// unit is the result of reading a function, or the code between two functions.
type unit struct {
	from, to uint32 // in bytes
	end      uint32 // end of the part that is known to be complete: less than to if more code may follow
	calls    bool   // an instruction in it calls a function
	was      []byte // the code that was read, in a volatile text
}

func (s *segment) init(p *Program, first uint32, base uint64, code []byte, ranges []Range) {
	s.first, s.count, s.base, s.code, s.ranges = first, uint32(len(code)/4), base, code, ranges
	s.ends = make([]uint32, len(ranges))
	end := uint32(0)
	for i := range ranges {
		end = max(end, ranges[i].End)
		s.ends[i] = end
	}
	if len(ranges) == 0 {
		s.mu.Lock()
		s.count = s.read(p, 0).end / 4 // what follows is fetched from there on
		s.mu.Unlock()
	}
}

// rangeAt returns the range that contains an offset, the last that begins before it; nil if there is none.
func (s *segment) rangeAt(off uint32) *Range {
	i := sort.Search(len(s.ranges), func(i int) bool { return s.ranges[i].Start > off })
	for i--; i >= 0 && s.ends[i] > off; i-- {
		if r := &s.ranges[i]; off < r.End {
			return r
		}
	}
	return nil
}

// unitAt returns the beginning and the end of the unit that contains an offset.
func (s *segment) unitAt(off uint32) (from, to uint32) {
	if r := s.rangeAt(off); r != nil {
		return r.Start, r.End
	}
	i := sort.Search(len(s.ranges), func(i int) bool { return s.ranges[i].Start > off })
	if to = uint32(len(s.code)); i < len(s.ranges) {
		to = s.ranges[i].Start
	}
	if i > 0 {
		from = s.ends[i-1]
	}
	return from, to
}

// read finds the instructions of the unit that contains an offset, unless it has read the same code before. If the code
// has changed, it also forgets the unit's pages, since instructions may begin at other words of pages whose own bytes
// are the same. The caller has locked mu.
func (s *segment) read(p *Program, off uint32) *unit {
	from, to := s.unitAt(off)
	if u := s.units[from]; u != nil {
		if !p.t.Volatile || bytes.Equal(u.was, s.code[from:to]) {
			return u
		}
		s.forgetPages(from, to)
	}
	if s.units == nil {
		s.units, s.indexed, s.manners = map[uint32]*unit{}, map[uint32]bind.Indexing{}, map[uint32]wave.Manner{}
		s.mixed = map[uint32]bool{}
		s.starts = make([]uint64, (len(s.code)/4+63)/64)
	}
	u := &unit{from: from, to: to, end: to}
	if p.t.Volatile {
		u.was = bytes.Clone(s.code[from:to])
	}
	s.units[from] = u
	s.forget(from, to)
	if p.t.Watched {
		p.mannersOf(s, from, to)
	}
	open, outside := len(s.ranges) == 0, from // outside: the last instruction before which registers were not indexed
	var indexing bind.Indexing
	var high highRegion
	for off, page := from, ^uint32(0); off+4 <= to; {
		if !indexing.On() && !indexing.High() {
			outside = off
		}
		if n := off / pageBytes; n != page {
			if page = n; indexing.On() || indexing.High() {
				s.indexed[off] = indexing
			}
		}
		inst, size, err := p.decode(s, off, to)
		if err == nil {
			u.calls = u.calls || inst.Row.Kin() == "s_swappc_b64" || inst.Row.Kin() == "s_call_b64"
			high.add(&inst, &indexing)
			err = p.follow(s, &indexing, &inst, to)
		}
		if open && outside > from && (err != nil || indexing.On() || indexing.High()) && off+encoding.MostBytes > to {
			s.forget(outside, to)
			u.end = outside
			break
		}
		s.starts[off/4/64] |= 1 << (off / 4 % 64)
		off += size
	}
	high.mixed(s.mixed)
	return u
}

// highRegion finds branches to instructions before which register numbers have high bits. Others reach these in the
// order of the text, and compilers let every block that is branched to begin without.
type highRegion struct {
	in       map[uint32]bool   // such instructions, by offset
	branches map[uint32]uint32 // targets of branches, by their offsets
}

// add takes the next instruction and the state before it.
func (h *highRegion) add(i *encoding.Inst, before *bind.Indexing) {
	if before.High() {
		if h.in == nil {
			h.in = map[uint32]bool{}
		}
		h.in[i.Offset] = true
	}
	if i.Chip.Set() != encoding.GFX1250 {
		return
	}
	if to, ok := i.Target(); ok {
		if h.branches == nil {
			h.branches = map[uint32]uint32{}
		}
		h.branches[i.Offset] = to
	}
}

func (h *highRegion) mixed(found map[uint32]bool) {
	if h.in == nil {
		return
	}
	for at, to := range h.branches {
		if h.in[to] {
			found[at] = true
		}
	}
}

// forgetPages makes the pages of a range of the code be decoded again.
func (s *segment) forgetPages(from, to uint32) {
	for i := range s.tables {
		if t := s.tables[i].Load(); t != nil {
			for n := from / pageBytes; n < min((to+pageBytes-1)/pageBytes, uint32(len(*t))); n++ {
				(*t)[n].Store(nil)
			}
		}
	}
}

// forget removes what was found in a range of the code. The caller has locked mu.
func (s *segment) forget(from, to uint32) {
	for w := from / 4; w < to/4; w++ {
		if w%64 == 0 && w+64 <= to/4 {
			s.starts[w/64] = 0
			w += 63
			continue
		}
		s.starts[w/64] &^= 1 << (w % 64)
	}
	for at := range s.indexed {
		if at >= from && at < to {
			delete(s.indexed, at)
		}
	}
	for at := range s.mixed {
		if at >= from && at < to {
			delete(s.mixed, at)
		}
	}
	for at := range s.manners {
		if at >= from && at < to {
			delete(s.manners, at)
		}
	}
}

// nextStart returns the offset of the first instruction from off on and below to. The caller has locked mu.
func (s *segment) nextStart(off, to uint32) uint32 {
	for w := off / 4; w < to/4; {
		if rest := s.starts[w/64] >> (w % 64); rest != 0 {
			return min(4*(w+uint32(bits.TrailingZeros64(rest))), to)
		}
		w = (w/64 + 1) * 64
	}
	return to
}

// begins reports whether an instruction begins at a word of s, as far as known.
func (s *segment) begins(word uint32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return word < s.count && s.starts != nil && s.starts[word/64]>>(word%64)&1 != 0
}

// illegal is a word that is not an instruction. Compilers put data between functions, and hardware faults only if a
// wave reaches it.
type illegal string

func (i illegal) Error() string { return "illegal instruction: " + string(i) }

// decode reads the instruction at off of a unit that ends at to. size is the distance to the next one, also if there is
// no instruction here.
// one is, also where this is none.
func (p *Program) decode(s *segment, off, to uint32) (inst encoding.Inst, size uint32, err error) {
	inst, err = rows.Decode(s.code, off, p.t.Chip)
	if err != nil {
		_, why, _ := strings.Cut(strings.TrimPrefix(err.Error(), "gcn: "), ": ") // after the offset
		return inst, 4, illegal(why)
	}
	if size = uint32(inst.Size); size > to-off {
		return inst, 4, illegal("cut off by the end of the code")
	}
	return inst, size, nil
}

// follow returns why an instruction can't run where registers are indexed or have high bits. The caller has locked mu.
func (p *Program) follow(s *segment, indexing *bind.Indexing, inst *encoding.Inst, to uint32) error {
	if err := indexing.Next(inst); err != nil {
		return err
	}
	last := inst.Offset+uint32(inst.Size)+4 > to
	switch {
	case s.mixed[inst.Offset]:
		return fmt.Errorf("instruction `%s` goes to where vector registers have high bits (s_set_vgpr_msb)", inst)
	case last && indexing.On():
		return errors.New("the code ends while registers are indexed by m0 (s_set_gpr_idx_on)")
	case last && indexing.High() && len(s.ranges) == 0:
		return errors.New("the code ends while vector registers have high bits (s_set_vgpr_msb)")
	}
	return nil
}

// bind makes a step of an instruction, for waves in the usual MODE or, with modes set, in any MODE.
func (p *Program) bind(inst *encoding.Inst, modes bool) (step encoding.Step, part *encoding.Part, err error) {
	if modes {
		step = rows.Bind(inst, true)
	} else {
		step, part = rows.BindPart(inst)
	}
	if step == nil {
		return nil, nil, fmt.Errorf("instruction `%s` has no meaning on this device", inst.String())
	}
	return step, part, nil
}

// refusal returns the first instruction of a function that can't run. After a word that is not an instruction there may
// be data, so the search ends there.
func (p *Program) refusal(r *Range) error {
	s := &p.segment
	s.mu.Lock()
	defer s.mu.Unlock()
	var indexing bind.Indexing
	for off := r.Start; off+4 <= r.End; {
		inst, size, err := p.decode(s, off, r.End)
		if err != nil {
			return nil
		}
		indexing.Raise(&inst)
		if _, _, err = p.bind(&inst, false); err == nil {
			err = p.follow(s, &indexing, &inst, r.End)
		}
		if err != nil {
			return fmt.Errorf("%s+%#x: %w", r.Name, off-r.Start, err)
		}
		off += size
	}
	return nil
}

// reach visits the functions to which the function at off refers, directly or through others; with indirect, also those
// whose addresses are in data. It returns whether one of them calls, and the first instruction that can't run.
func (p *Program) reach(off uint32, indirect bool) (calls bool, err error) {
	s := &p.segment
	seen := map[uint32]bool{off: true}
	next := []uint32{off}
	visit := func(addr uint64) {
		at := addr - s.base
		if at >= uint64(len(s.code)) || seen[uint32(at)] {
			return
		}
		if r := s.rangeAt(uint32(at)); r != nil && uint64(r.Start) == at {
			seen[r.Start] = true
			next = append(next, r.Start)
		}
	}
	if indirect {
		for _, addr := range p.t.Indirect {
			visit(addr)
		}
	}
	for len(next) > 0 {
		off := next[len(next)-1]
		next = next[:len(next)-1]
		s.mu.Lock()
		u := s.read(p, off)
		s.mu.Unlock()
		calls = calls || u.calls
		if r := s.rangeAt(off); r != nil && !p.t.Late {
			if err := p.refusal(r); err != nil {
				return calls, err
			}
		}
		for _, addr := range codeobj.AddressesIn(s.code[u.from:u.to], s.base+uint64(u.from)) {
			visit(addr)
			if p.t.Word != nil {
				if addr, ok := p.t.Word(addr); ok {
					visit(addr) // through the global offset table
				}
			}
		}
	}
	return calls, nil
}
