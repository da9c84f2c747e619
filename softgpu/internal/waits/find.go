package waits

import (
	"cmp"
	"slices"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Missing is a missing wait: an instruction uses a register that an instruction in progress may write.
type Missing struct {
	At, Under   uint32 // offsets in the text: of the instruction, and of the one in progress
	Register    wave.Register
	High        [2]encoding.HighBits // before the two instructions
	Overwritten bool                 // the instruction writes the register; false: it reads it
	Needs       string               // the wait for that instruction and for as little else as possible

	younger uint8 // lowest number of instructions that are younger than the one in progress
}

// state is what may be in progress at a place: the offsets of instructions that write registers, with the lowest number
// of younger instructions of their queue.
type state map[uint32]uint8

// search is one search for missing waits.
type search struct {
	text  *text
	in    map[uint32]state // at places where paths meet
	found map[[2]uint32]Missing
}

// Find returns the missing waits of the functions that begin at entries, by their places. Offsets and entries are in
// bytes.
func Find(code []byte, entries []uint32, chip encoding.Chip) []Missing {
	s := search{text: read(code, entries, chip), in: map[uint32]state{}, found: map[[2]uint32]Missing{}}
	var next []uint32
	for _, e := range entries {
		if s.meet(e, state{}) {
			next = append(next, e)
		}
	}
	for len(next) > 0 {
		at := next[len(next)-1]
		next = s.follow(at, next[:len(next)-1])
	}
	all := make([]Missing, 0, len(s.found))
	for _, m := range s.found {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Missing) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Under, b.Under)) })
	return all
}

// meet adds what may be in progress on a path to at, and reports whether that is new.
func (s *search) meet(at uint32, by state) bool {
	known, seen := s.in[at]
	if !seen {
		known = state{}
		s.in[at] = known
	}
	changed := !seen
	for pc, younger := range by {
		if before, has := known[pc]; !has || younger < before {
			known[pc], changed = younger, true
		}
	}
	return changed
}

// follow goes from at to where paths meet or part, and appends the places from which to continue.
func (s *search) follow(at uint32, next []uint32) []uint32 {
	now := state{}
	for pc, younger := range s.in[at] {
		now[pc] = younger
	}
	for {
		n := s.text.at[at]
		if n == nil {
			return next
		}
		s.pass(at, n, now)
		if n.calls {
			clear(now)
		}
		if len(n.next) == 1 && !s.text.meets[n.next[0]] {
			at = n.next[0]
			continue
		}
		for _, to := range n.next {
			if s.meet(to, now) {
				next = append(next, to)
			}
		}
		return next
	}
}

// pass changes the state by one instruction.
func (s *search) pass(at uint32, n *node, now state) {
	u := n.uses
	if u.Waits {
		for pc, younger := range now {
			if ended(s.text.at[pc].uses.Queue, younger, u) {
				delete(now, pc)
			}
		}
		return
	}
	for pc, younger := range now {
		s.compare(at, u, pc, younger)
	}
	if u.Queue == wave.NoQueue || u.Store {
		return
	}
	for pc, younger := range now {
		queue := s.text.at[pc].uses.Queue
		if !counts(queue, u) {
			continue
		}
		if younger++; queue == wave.VectorQueue && younger >= wave.MostVector || queue == wave.WorkgroupQueue && younger >= u.MostWorkgroup {
			delete(now, pc) // the wave stops at counters that are full
			continue
		}
		now[pc] = min(younger, wave.MostVector)
	}
	if len(u.Writes) > 0 {
		now[at] = 0
	}
}

// counter returns the queue whose instructions count as younger ones of a queue.
func counter(q wave.Queue) wave.Queue {
	if q == wave.FlatQueue {
		return wave.VectorQueue
	}
	return q
}

// counts reports whether an instruction counts as a younger one of a queue.
func counts(q wave.Queue, u *wave.Uses) bool {
	return counter(q) == counter(u.Queue) || q == wave.WorkgroupQueue && u.Queue == wave.FlatQueue && u.FlatInOrder
}

// ended reports whether a wait covers an instruction of a queue with the given number of younger ones. Flat
// instructions are counted by either counter, depending on their addresses.
func ended(q wave.Queue, younger uint8, u *wave.Uses) bool {
	switch q {
	case wave.VectorQueue:
		return younger >= u.Vector
	case wave.WorkgroupQueue:
		return younger >= u.Workgroup
	case wave.ScalarQueue:
		return u.Scalar == 0
	}
	return u.Vector == 0 || u.Workgroup == 0 || u.FlatInOrder && younger >= u.Vector
}

// compare finds registers of an instruction that the instruction at pc, which is in progress, writes. Instructions of
// one ordered queue write in their order.
func (s *search) compare(at uint32, u *wave.Uses, pc uint32, younger uint8) {
	under := s.text.at[pc].uses
	high := [2]encoding.HighBits{s.text.at[at].high, s.text.at[pc].high}
	if r, both := common(u.Reads, under.Writes); both {
		s.report(Missing{At: at, Under: pc, Register: r, High: high}, under.Queue, younger)
		return
	}
	if u.Queue == under.Queue && !u.Unordered(u.Queue) {
		return
	}
	if r, both := common(u.Writes, under.Writes); both {
		s.report(Missing{At: at, Under: pc, Register: r, High: high, Overwritten: true}, under.Queue, younger)
	}
}

// common returns the first register that is in both lists.
func common(a, b []wave.RegisterRange) (wave.Register, bool) {
	for _, x := range a {
		for _, y := range b {
			if first := max(x.First, y.First); first < min(x.First+wave.Register(x.Count), y.First+wave.Register(y.Count)) {
				return first, true
			}
		}
	}
	return 0, false
}

// report adds a finding, unless the same one is known with fewer younger instructions.
func (s *search) report(m Missing, q wave.Queue, younger uint8) {
	place := [2]uint32{m.At, m.Under}
	if before, known := s.found[place]; known && before.younger <= younger {
		return
	}
	m.younger = younger
	split := s.text.at[m.Under].uses.Split
	switch q {
	case wave.VectorQueue:
		m.Needs = wave.WaitText(split, int(younger), -1, -1)
	case wave.WorkgroupQueue:
		m.Needs = wave.WaitText(split, -1, int(younger), -1)
	case wave.ScalarQueue:
		m.Needs = wave.WaitText(split, -1, -1, 0)
	default:
		m.Needs = wave.WaitText(split, 0, 0, -1)
	}
	s.found[place] = m
}
