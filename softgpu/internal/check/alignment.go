package check

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// suspect is an instruction whose lanes, so far in its launch, all missed the alignment of their accesses by the same
// number of bytes. Compilers make wide accesses from neighbouring narrow ones at any address, and the hardware supports
// them; these are aligned sometimes, or begin at an aligned address. So a suspect is reported only if it is misaligned
// each time, and by as much as a pointer argument of the kernel.
type suspect struct {
	finding
	block [3]uint32
	by    uint64 // bytes
	mask  uint64 // mask of the bits that have to be zero
	touch wave.Touch
	clear bool // another access of it was aligned, or misaligned by another number
}

// isAligned notes that an instruction of the launch has made an aligned access.
func (l *Launch) isAligned(t *wave.Touch) {
	if t.Note.Load() != l.serial {
		t.Note.Store(l.serial)
	}
}

// aligned checks the alignment of an access. Atomics must be aligned, and misaligned scalar accesses use another
// address: those are reported at once.
func (g *workgroup) aligned(w *wave.Wave, a *wave.Access, pc uint32) {
	must := a.Op == wave.Updates || a.Scalar
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
	if a.Segment == wave.Global {
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
	g.launch.suspect(suspect{finding: f, block: g.Block, by: by, mask: mask, touch: a.Touch}, same)
}

// suspect notes a misaligned access. same reports whether all lanes are misaligned by the same number of bytes.
func (l *Launch) suspect(now suspect, same bool) {
	l.suspecting.Lock()
	defer l.suspecting.Unlock()
	s := l.suspects[now.pc]
	if s == nil {
		if l.suspects == nil {
			l.suspects = map[uint32]*suspect{}
		}
		s = &now
		l.suspects[now.pc] = s
	}
	s.clear = s.clear || !same || now.by != s.by
}

// Over ends the checking of a launch.
func (l *Launch) Over() {
	l.suspecting.Lock()
	var guilty []*suspect
	for _, s := range l.suspects {
		if !s.clear && s.touch.Note.Load() != l.serial && (l.checker.modes.Align || l.given(s)) {
			guilty = append(guilty, s)
		}
	}
	l.suspects = nil
	l.suspecting.Unlock()
	l.mu.Lock()
	l.words, l.known, l.passed = pages{}, nil, nil // its stream keeps l until the next launch
	l.mu.Unlock()
	slices.SortFunc(guilty, func(a, b *suspect) int { return int(a.pc) - int(b.pc) })
	for _, s := range guilty {
		l.report(s.finding, s.block)
	}
}

// near is the distance from a pointer within which host memory is assumed to belong to it.
const near = 1 << 30

// given reports whether one of the kernel's arguments is a pointer to the same block that is misaligned by as much.
func (l *Launch) given(s *suspect) bool {
	if s.addr == 0 {
		return false
	}
	at, known := l.checker.blocks.Find(s.addr)
	for off := 0; off+8 <= len(l.arguments); off += 8 {
		p := binary.LittleEndian.Uint64(l.arguments[off:])
		if p&s.mask != s.by {
			continue
		}
		if known && p >= at.Lo && p < at.Hi || !known && max(p, s.addr)-min(p, s.addr) < near {
			return true
		}
	}
	return false
}
