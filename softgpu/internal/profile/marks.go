package profile

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// A register is marked while it holds a value that was computed from an approximate result. A vector register
// has a mask of marked lanes, and one set of kinds for all lanes. Values computed under a branch or a mask that
// depends on such a value are not marked for that reason.

// waveMarks are the marks of a wave.
type waveMarks struct {
	any     bool // some register has ever been marked
	scalars [wave.FirstVector]kinds
	vectors [wave.NumRegisters - wave.FirstVector]vectorMarks // accumulators come after the others
	scc     kinds
	private map[privateWord]kinds
}

// vectorMarks are the marks of a register or of a result; a scalar result only has kinds.
type vectorMarks struct {
	lanes uint64
	kinds kinds
}

func (m *waveMarks) clear() {
	if m.any {
		*m = waveMarks{private: m.private}
	}
	clear(m.private)
}

const allLanes = ^uint64(0)

// Where is the use of an approximate result.
type Where uint8

const (
	toAddress Where = iota // of memory, or of a lane
	toBranch               // or to EXEC, by which lanes branch
)

// reach is an instruction whose address or branch depends on an approximate result.
type reach struct {
	pc    uint32
	where Where
}

// arrival is the number of times, and the kinds.
type arrival struct {
	times uint64
	kinds kinds
}

// reaches takes note that k gets to the instruction that w is about to run.
func (g *workgroup) reaches(w *wave.Wave, s *site, where Where, k kinds) {
	if k == 0 {
		return
	}
	if g.reached == nil {
		g.reached = map[reach]*arrival{}
	}
	at := reach{w.PC - s.words, where}
	a := g.reached[at]
	if a == nil {
		a = &arrival{}
		g.reached[at] = a
	}
	a.times++
	a.kinds |= k
}

// follow passes marks on through an instruction that is about to run.
func (g *workgroup) follow(w *wave.Wave, s *site) {
	f, m := &s.flow, &g.marks[w.Index]
	if !m.any && f.own == 0 && (s.places == nil || !g.marked(m)) {
		return
	}
	exec := w.Exec()
	if s.all {
		exec = allLanes
	}
	if len(f.address) > 0 {
		k, _ := m.of(f.address, exec)
		g.reaches(w, s, toAddress, k)
	}
	var results [2]vectorMarks
	for n := range f.parts[:min(len(f.parts), len(results))] {
		results[n] = g.resultOf(m, f, &f.parts[n], exec)
	}
	first := &results[0]
	if s.places != nil {
		data := *first
		if *first = (vectorMarks{}); f.loads {
			*first = g.loaded(w, s)
		}
		if f.stores {
			g.stored(w, s, data)
		}
	}
	if f.jumps || f.toExec {
		g.reaches(w, s, toBranch, first.kinds)
	}
	for n := range f.parts[:min(len(f.parts), len(results))] {
		if g.write(m, &f.parts[n], results[n], exec) {
			g.reaches(w, s, toBranch, results[n].kinds)
		}
	}
}

// resultOf returns the marks of a part's result.
func (g *workgroup) resultOf(m *waveMarks, f *flow, q *passing, exec uint64) (r vectorMarks) {
	of := exec
	if q.crosses {
		of = allLanes
	}
	r.kinds, r.lanes = m.of(q.reads, of)
	if q.quotient.Count != 0 {
		r = g.fixedUp(m, q, of)
	}
	if q.readsSCC && m.scc != 0 {
		r.kinds, r.lanes = r.kinds|m.scc, exec
	}
	if f.own != 0 {
		r.kinds, r.lanes = r.kinds|f.own, exec
	}
	if q.crosses && r.lanes != 0 {
		r.lanes = exec
	}
	r.lanes &= exec
	return r
}

// fixedUp is the result of v_div_fixup: a quotient that is exact whatever its reciprocal was.
func (g *workgroup) fixedUp(m *waveMarks, q *passing, lanes uint64) (r vectorMarks) {
	for _, reg := range q.reads {
		k, l := m.of([]wave.RegisterRange{reg}, lanes)
		if reg == q.quotient {
			if k &^= kinds(g.launch.profile.reciprocals.Load()); k == 0 {
				continue
			}
		}
		r.kinds, r.lanes = r.kinds|k, r.lanes|l
	}
	return r
}

// of is the marks of registers in some lanes, and the lanes: all of them where a scalar is marked.
func (m *waveMarks) of(registers []wave.RegisterRange, lanes uint64) (k kinds, marked uint64) {
	for _, r := range registers {
		for n := range r.Count {
			if at := r.First + wave.Register(n); !at.Vector() {
				if found := m.scalars[at]; found != 0 {
					k, marked = k|found, lanes
				}
			} else if at < wave.NumRegisters {
				if v := &m.vectors[at-wave.FirstVector]; v.lanes&lanes != 0 {
					k, marked = k|v.kinds, marked|v.lanes&lanes
				}
			}
		}
	}
	return k, marked
}

// write gives the registers that a part writes its marks, and reports whether EXEC is one of them and marked.
func (g *workgroup) write(m *waveMarks, q *passing, r vectorMarks, exec uint64) (toExec bool) {
	if r.kinds != 0 {
		m.any = true
	}
	if !m.any {
		return false
	}
	if q.writesSCC {
		m.scc = r.kinds
	}
	for _, w := range q.writes {
		for n := range w.Count {
			at := w.First + wave.Register(n)
			switch {
			case !at.Vector():
				replace(&m.scalars[at], r.kinds, q.weak)
				toExec = toExec || r.kinds != 0 && (at == wave.ExecLo || at == wave.ExecHi)
			case at < wave.NumRegisters:
				m.vectors[at-wave.FirstVector].write(r, exec, q.weak)
			}
		}
	}
	return toExec
}

// write replaces the marks of the lanes of exec, or adds to them.
func (v *vectorMarks) write(r vectorMarks, exec uint64, weak bool) {
	if !weak {
		v.lanes &^= exec
	}
	if v.lanes == 0 {
		v.kinds = 0
	}
	if r.lanes != 0 {
		v.lanes, v.kinds = v.lanes|r.lanes, v.kinds|r.kinds
	}
}
