package check

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/mgpu-runtime/mgpu/internal/soft/gcn"
)

// suspect is an instruction whose lanes, so far in its launch, all missed the
// alignment of what they access by the same number of bytes. Compilers make wide
// accesses of neighbouring narrow ones, wherever these are, and the hardware makes
// them: but those are aligned now and then. Only a pointer that is wrong is wrong
// each time.
type suspect struct {
	finding
	block [3]uint32
	by    uint64
	touch gcn.Touch
	clear bool // seen to be another way, too
}

// isAligned takes note that an instruction of the launch has accessed aligned memory.
func (l *Launch) isAligned(t *gcn.Touch) {
	if t.Note.Load() != l.serial {
		t.Note.Store(l.serial)
	}
}

// aligned looks at the alignment of an access. Atomics have to be aligned, and
// scalar accesses go elsewhere if they are not: those are reported at once.
func (g *workgroup) aligned(w *gcn.Wave, a *gcn.Access, pc uint32) {
	must := a.Op == gcn.Updates || a.Scalar
	if g.modes.Unaligned && !must {
		return
	}
	mask, bad := alignment(&a.Touch)-1, uint64(0)
	by, same := a.At[bits.TrailingZeros64(a.Lanes)&63]&mask, true
	for k := a.Lanes; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		if a.At[l]&mask != 0 {
			bad |= 1 << uint(l)
		}
		same = same && a.At[l]&mask == by
	}
	if bad == 0 {
		g.launch.isAligned(&a.Touch)
		return
	}
	lane := bits.TrailingZeros64(bad)
	f := finding{kind: Misaligned, pc: pc, id: g.ID, wave: w.Index, lane: lane, lanes: bad,
		what: fmt.Sprintf("%s in %s, at %s, which is not a multiple of %d", describe(&a.Touch), memories[a.Segment], where(a, lane), mask+1)}
	if a.Segment == gcn.Global {
		f.addr = a.At[lane]
	}
	if a.Scalar {
		f.lane, f.more = -1, []string{"scalar memory instructions ignore the lowest two bits: it accesses other words than it means"}
	}
	if must {
		g.report(f)
		return
	}
	f.more = []string{"all that this instruction accessed in this launch is that far off"}
	g.launch.suspect(f, g.Block, &a.Touch, by, same)
}

// suspect takes note of an access that is not aligned. same tells whether all
// lanes are off by as much.
func (l *Launch) suspect(f finding, block [3]uint32, t *gcn.Touch, by uint64, same bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.suspects[f.pc]
	if s == nil {
		if l.suspects == nil {
			l.suspects = map[uint32]*suspect{}
		}
		s = &suspect{finding: f, block: block, by: by, touch: *t}
		l.suspects[f.pc] = s
	}
	s.clear = s.clear || !same || by != s.by
}

// Over ends the watch of a launch.
func (l *Launch) Over() {
	l.mu.Lock()
	var guilty []*suspect
	for _, s := range l.suspects {
		if !s.clear && s.touch.Note.Load() != l.serial {
			guilty = append(guilty, s)
		}
	}
	l.suspects = nil
	l.mu.Unlock()
	slices.SortFunc(guilty, func(a, b *suspect) int { return int(a.pc) - int(b.pc) })
	for _, s := range guilty {
		l.report(s.finding, s.block)
	}
}
