package profile

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// workgroup has the counts and marks of a workgroup. Only the workgroup's goroutine uses it.
type workgroup struct {
	launch *Launch
	chip   encoding.Chip
	waves  int
	counts []count // by the number of a row
	sums   sums
	room   wave.Access
	banks  ldsBanks

	marks   []waveMarks
	lds     []kinds // by words, made with the first mark
	reached map[reach]*arrival
}

// count is the count of a row.
type count struct {
	executed uint64
	lanes    uint64 // active lanes over all executions
}

// sums are counts that do not belong to one row.
type sums struct {
	bytes    [numSegments][3]uint64 // by segment and wave.Operation
	accesses uint64                 // to LDS
	cycles   uint64                 // of these accesses, conflicts included
	banks    uint64                 // of them by conflicts of banks
	words    uint64                 // by atomics of several lanes on one word
}

func (s *sums) add(o *sums) {
	for segment := range s.bytes {
		for op := range s.bytes[segment] {
			s.bytes[segment][op] += o.bytes[segment][op]
		}
	}
	s.accesses, s.cycles, s.banks, s.words = s.accesses+o.accesses, s.cycles+o.cycles, s.banks+o.banks, s.words+o.words
}

// scalarSegment is global memory by scalar instructions, apart from the wave's segments.
const (
	scalarSegment = wave.Private + 1
	numSegments   = scalarSegment + 1
)

func (g *workgroup) start(l *Launch, w *emu.Workgroup, rows int) {
	g.launch, g.chip, g.waves = l, l.kernel.Chip().Model(), w.Waves
	g.grow(rows)
	if !l.profile.modes.Fidelity {
		return
	}
	if cap(g.marks) < w.Waves {
		g.marks = make([]waveMarks, w.Waves)
	}
	g.marks = g.marks[:w.Waves]
	for n := range g.marks {
		g.marks[n].clear()
	}
	g.lds = g.lds[:0]
}

// grow makes room for the counts of that many rows.
func (g *workgroup) grow(rows int) {
	if rows > len(g.counts) {
		g.counts = append(g.counts, make([]count, rows-len(g.counts))...)
	}
}

// Over implements emu.Profile.
func (g *workgroup) Over() {
	g.launch.sum.add(g)
	clear(g.counts)
	clear(g.reached)
	g.sums = sums{}
	g.launch.profile.keep(g)
}

// Around makes the step that counts an instruction before it runs.
func (p *Profile) Around(i *encoding.Inst, step encoding.Step) encoding.Step {
	s := p.site(i)
	return func(w *wave.Wave) {
		w.Profile.(*workgroup).issued(w, s)
		step(w)
	}
}

// issued takes note of an instruction that is about to run.
func (g *workgroup) issued(w *wave.Wave, s *site) {
	lanes := 0
	switch {
	case s.all:
		lanes = w.Lanes()
	case s.lanes:
		lanes = bits.OnesCount64(w.Exec())
	}
	for _, n := range s.rows {
		if n >= len(g.counts) {
			g.grow(n + 1)
		}
		c := &g.counts[n]
		c.executed++
		c.lanes += uint64(lanes)
	}
	modes := &g.launch.profile.modes
	if modes.Counts && s.places != nil {
		s.places.Each(w, &g.room, g.touched)
	}
	if modes.Fidelity {
		g.follow(w, s)
	}
}

// touched takes note of an access to memory.
func (g *workgroup) touched(a *wave.Access) {
	segment := a.Segment
	if a.Scalar && !a.Tensor {
		segment = scalarSegment
	}
	g.sums.bytes[segment][a.Op] += a.Size * uint64(bits.OnesCount64(a.Lanes))
	if segment == wave.Workgroup && !a.Tensor {
		g.banks.access(g.chip, a, &g.sums)
	}
}
